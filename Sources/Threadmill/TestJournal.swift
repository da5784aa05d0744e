#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillReporting

  /// Writes down when each test begins and ends, for whoever started this process and goes on
  /// without the test that ended it: `+IDENTIFIER`, a tab and the test's name in findings; later
  /// `-IDENTIFIER`. Each is a line of a file.
  ///
  /// XCTest writes no stream of events, so the journal has the results of its tests as well:
  /// `!IDENTIFIER`, line, file and message of a failure; `=IDENTIFIER`, outcome and milliseconds.
  /// `~IDENTIFIER` and a reason name a test that is not explored, although every test is to be;
  /// `isolate` follows if it can be explored with a process for each schedule.
  ///
  /// Every call is made inside `Gate.delivering`.
  struct TestJournal {
    private static let variable = "THREADMILL_JOURNAL"

    private let file: Int32
    /// By scope.
    private var identifiers: [UInt32: String] = [:]

    /// `nil` if nobody asked for it. Takes the request out of the environment, so that no child of
    /// a test answers it; called while there is one thread.
    init?() {
      guard let path = getenv(Self.variable) else { return nil }
      file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
      unsetenv(Self.variable)
      if file < 0 { return nil }
    }

    mutating func begin(_ test: String, _ identifier: String, _ scope: UInt32) {
      identifiers[scope] = identifier
      write("+\(identifier)\t\(test)\n")
    }

    func end(_ scope: UInt32) { identifiers[scope].map { write("-\($0)\n") } }

    func fail(_ identifier: String, _ issue: TestResult.Issue) {
      let cells = [issue.line.map(String.init) ?? "", issue.file ?? "", issue.message]
      write("!\(identifier)\t\(cells.map(TestResult.escaped).joined(separator: "\t"))\n")
    }

    func finish(_ identifier: String, _ outcome: TestResult.Outcome, milliseconds: Int) {
      write("=\(identifier)\t\(outcome.rawValue)\t\(milliseconds)\n")
    }

    func leaveUnexplored(_ identifier: String, _ reason: String, needsIsolation: Bool) {
      write(
        "~\(identifier)\t\(TestResult.escaped(reason))\(needsIsolation ? "\tisolate" : "")\n")
    }

    private func write(_ line: String) {
      // A line that is lost makes the test count as one that has not begun or ended.
      _ = UnsignalledWrite.write(line.utf8, to: file)
    }
  }
#endif
