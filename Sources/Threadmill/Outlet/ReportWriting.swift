#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// The report file: its path, and the parts of this process's report that it has. Under the tool,
  /// a mailbox takes what cannot be written any more.
  ///
  /// Every call is made inside `Gate.delivering`.
  struct ReportWriting {
    private let path: String?
    private let run: String
    private var lastWriting = ContinuousClock.now - .seconds(1)
    private var hasWritten = false
    /// Whether the file has the candidates by class, and, if the options ask for them, the lock
    /// graph and the trace.
    private var hasDrawn = false
    /// The way that reports take. A process that cannot write the file any more uses the mailbox
    /// instead.
    private var way: Way
    private let hasMailbox: Bool

    private enum Way {
      case file, mailbox, nowhere
    }

    init(to path: String?) {
      self.path = path.map(ProcessStart.absolute)
      run = Self.run(handsDown: path != nil || ProcessKind.current.isTestBinary)
      way = path == nil ? .nowhere : .file
      hasMailbox = self.path.map { Gate.openMailbox(at: ReportMailbox.path(beside: $0)) } ?? false
    }

    /// Has no report written any more.
    mutating func close() { way = .nowhere }

    /// Whether a report is asked for and can be written, as far as is known.
    var isPossible: Bool { way != .nowhere }

    /// Whether the file was written a moment ago.
    var isFresh: Bool { ContinuousClock.now - lastWriting <= .milliseconds(200) }

    /// Returns the description of the run for the next report. Only the first report counts the
    /// process.
    func run(options: Options, seed: Seed) -> Report.Run {
      let isShaken = options.jitter != .off
      let coverage = TestBridge.coverage
      return Report.Run(
        id: run, processes: hasWritten ? 0 : 1, mode: options.mode.rawValue,
        sanitizer: Gate.hasThreadSanitizer ? "thread" : nil,
        jitter: isShaken ? options.jitter : nil, seed: isShaken ? seed : nil,
        coverage: coverage.pairs > 0 ? coverage : nil)
    }

    /// Adds a report to the file; a complete one gets the lock graph, the trace and the
    /// candidates by class.
    mutating func add(_ report: Report, complete: Bool) throws {
      guard let path else { return }
      var report = report
      if complete, !hasDrawn {
        (report.lockGraph, report.trace) = (Session.lockGraph, Session.trace)
        report.classCandidates = Session.classCandidates
        report.leaveOutKnownCandidates()
      }
      try write(report, to: path)
      hasDrawn = hasDrawn || complete
      hasWritten = true
      lastWriting = .now
    }

    private mutating func write(_ report: Report, to path: String) throws {
      if way == .file {
        do { return try ReportFile.merge(into: path, report) } catch {
          way = hasMailbox ? .mailbox : .nowhere
          guard hasMailbox else { throw error }
        }
      }
      guard Gate.putIntoMailbox(JSONReport.bytes(of: report)) else {
        way = .nowhere
        throw ReportFileError.mailboxIsFull(path: path)
      }
    }

    /// Returns the identifier of the run: that of the watched process that started this one, or a
    /// new one. Child processes inherit it if they add to the same report, or if they may be meant
    /// to crash; other programs find no variable that they did not get. Reads and writes the
    /// environment, so it is called only while the process has one thread.
    private static func run(handsDown: Bool) -> String {
      if let run = getenv(RunIdentity.variable) { return String(cString: run) }
      let run = RunIdentity.current
      if handsDown { setenv(RunIdentity.variable, run, 1) }
      return run
    }
  }
#endif
