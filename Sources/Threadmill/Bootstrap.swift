#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// Called by the gate before `main`: reads the options, starts watching, arranges for the report.
  ///
  /// A process that only lists its tests is left alone. Bad options end it at once: a run that was
  /// told something else than it does is worse than none.
  @_cdecl("threadmill_boot")
  func boot() {
    guard !ProcessKind.current.onlyLists, isWanted() else { return }
    let options: Options
    do {
      let text = getenv(Options.variable).map { String(cString: $0) } ?? ""
      options = try Options(parsing: text, from: Options.variable)
    } catch {
      if !ProcessKind.current.leavesSpeakingToSibling {
        for line in error.errors { Standard.error("threadmill: \(error.source): \(line)\n") }
      }
      _exit(ExitStatus.wrongUsage)
    }
    if SteeredRun.begin(options) { return }
    // A child of a watched process may be meant to crash: that is for its parent to judge.
    let isFirst = getenv(RunIdentity.variable) == nil
    let tellsCrashes = isFirst && (options.report != nil || ProcessKind.current.isTestBinary)
    Outlet.shared = Outlet(options)
    ScheduleFile.adopt()
    ProgramExploration.adopt(options)
    let sanitizer = getenv(SanitizerOptions.variable).map { String(cString: $0) } ?? ""
    Session.start(
      options, sanitizer: SanitizerOptions(parsing: sanitizer), tellsCrashes: tellsCrashes,
      scopes: TestBridge.scopes
    ) { finding in
      Outlet.shared?.take(finding)
    } giveUp: { outcome in
      Outlet.shared?.giveUp(outcome)
    }
    Outlet.shared?.startShaking()
    Gate.atExit { status in
      ProgramProcess.current?.finish(status: status) ?? Outlet.shared?.finish(status: status)
        ?? status
    }
  }

  /// Whether this is the program that is to be watched: the variable names the only one, where a
  /// library that is preloaded, or linked by a flag, gets into others as well. Programs that the
  /// only one starts do not get it any more.
  private func isWanted() -> Bool {
    guard let only = getenv(Gate.onlyVariable) else { return true }
    guard let own = realpath("/proc/self/exe", nil) else { return false }
    defer { free(own) }
    guard strcmp(own, only) == 0 else { return false }
    Gate.watchNoOtherProgram(than: String(cString: own))
    return true
  }

  /// The statuses with which Threadmill itself ends a process.
  enum ExitStatus {
    static let findings: Int32 = 1
    static let wrongUsage: Int32 = 2
  }

  /// Standard error without buffering and without a lock. A text that cannot be written is lost.
  enum Standard {
    static func error(_ text: String) {
      _ = UnsignalledWrite.write(text.utf8, to: STDERR_FILENO)
    }
  }
#endif
