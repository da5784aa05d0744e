#if os(Linux)
  import ThreadmillDetection
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  extension Exploration.Failure {
    /// The same as a finding, for reports: what a detector found, or else what went wrong. With the
    /// schedule, and its story.
    package var finding: Finding {
      if let toldElsewhere { return toldElsewhere }
      var finding = made
      if let first = detected.first(where: { $0.severity == .error }) {
        finding = first
        finding.facts += causes.filter { !$0.isFinding(first) }.map {
          .init("in the same schedule: \($0)")
        }
      }
      finding.facts += said
      finding.schedule = schedule.description
      finding.story = told
      return finding
    }

    /// What a program said of its end.
    var said: [Finding.Fact] { lastWords.map { [.init(lastWords: $0)] } ?? [] }

    private var start: String {
      guard ofProgram else { return "In one order of its threads, blocks and tasks the body fails" }
      return Set(schedule.turns.map(\.strand)).count == 1
        ? "The program fails before another of its threads, blocks or tasks has begun"
        : "In one order of its threads, blocks and tasks the program fails"
    }

    private var made: Finding {
      let isHang = causes.contains { $0.isHang }
      let isCrash = causes.contains { $0.isCrash }
      if !ofProgram, case .signal(let number) = causes[0] {
        return Finding(
          kind: .crash, status: .observed, title: "Crash: \(Crash.words(for: number))",
          tests: Session.currentTests)
      }
      return Finding(
        kind: isHang ? .hang : isCrash ? .crash : .assertionFailure, status: .observed,
        title: "\(start): \(words)",
        facts: isHang ? told?.ending ?? awaits?.facts ?? [] : causes.compactMap(\.place),
        tests: Session.currentTests)
    }
  }

  extension Exploration.Failure.Cause {
    fileprivate var isHang: Bool {
      switch self {
      case .standstill, .endless, .stuck: true
      case .error, .expectation, .finding, .status, .signal, .sanitizer: false
      }
    }

    fileprivate var isCrash: Bool {
      switch self {
      case .signal, .sanitizer: true
      case .error, .expectation, .finding, .standstill, .endless, .stuck, .status: false
      }
    }

    /// Where it went wrong; `nil` where nobody knows.
    fileprivate var place: Finding.Fact? {
      switch self {
      case .expectation(let expectation):
        guard let file = expectation.file, let line = expectation.line else { return nil }
        let frame = Frame(address: 0, file: file, line: line, column: expectation.column)
        return Finding.Fact("the expectation that failed", frames: [frame])
      case .sanitizer(let error):
        guard error.function != nil || error.line != nil else { return nil }
        let frame = Frame(
          address: 0, function: error.function, file: error.file, line: error.line)
        return Finding.Fact("where the sanitizer saw the error", frames: [frame])
      default: return nil
      }
    }

    fileprivate func isFinding(_ finding: Finding) -> Bool {
      if case .finding(finding.kind, finding.title) = self { true } else { false }
    }
  }

  /// Reports about the program's own source, as far as that can be read.
  enum SourceText {
    static var report: TextReport {
      TextReport(ReportContext(folder: ProcessStart.currentFolder()) { SourceFile.lines(of: $0) })
    }
  }
#endif
