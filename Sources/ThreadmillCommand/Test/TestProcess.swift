import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting

/// One process with some tests of a package, and what it came to.
struct TestProcess: Sendable {
  /// What there is to say afterwards.
  struct Result: Sendable {
    var child: ChildProcess.Result
    var journal: TestJournal
    /// Those that took longer than allowed.
    var late: Set<String>
    /// `nil` if it has written none.
    var report: Report?
    /// In the midst of which it ended; `nil` if it was in none.
    var schedule: Schedule?
  }

  let binary: TestBinary
  /// Where it runs.
  let folder: String
  let environment: [String: String]
  /// Seconds for one test; `nil` for ever.
  let timeout: Int?

  /// Seconds after which the process is taken for stuck, whatever it does.
  static let limit: TimeInterval = 24 * 3_600

  /// The names of all tests.
  func list() async throws -> [PackageTest] {
    var own = environment
    own["TSAN_OPTIONS"] = own["TSAN_OPTIONS"] ?? "atexit_sleep_ms=0"
    var tests: [PackageTest] = []
    for library in [PackageTest.Library.xctest, .swiftTesting] {
      let result = try await ChildProcess(
        executable: binary.path, arguments: TestBinary.listings[library] ?? [], environment: own,
        folder: folder, limit: 600
      ).run()
      tests += TestBinary.tests(library, in: result.standardOutput)
    }
    return tests
  }

  /// Runs tests of one library under watch.
  ///
  /// - Parameter all: there are of that library.
  func run(
    _ tests: [PackageTest], of all: [PackageTest], telling options: Options
  ) async throws -> Result {
    let scratch = try TemporaryDirectory()
    defer { scratch.remove() }
    let (file, journal) = (scratch.file("report.json"), scratch.file("journal"))
    let trail = scratch.file("schedule")
    for file in [journal, trail] { try Data().write(to: file) }
    var options = options
    options.report = file.path
    ReportMailbox.make(beside: file.path)
    let clock = timeout.map { TestClock(file: journal, seconds: $0) }
    let child = ChildProcess(
      executable: binary.path, arguments: TestBinary.arguments(for: tests, of: all),
      environment: try own(options, journal.path, trail: trail.path, scratch: scratch),
      folder: folder,
      limit: Self.limit)
    let ended = try await child.run(
      stop: clock.map { clock in .asked(by: SIGQUIT, when: clock.isLate) } ?? .never)
    try Task.checkCancellation()
    return Result(
      child: ended, journal: TestJournal(try String(contentsOf: journal, encoding: .utf8)),
      late: clock?.late ?? [], report: try RunReport.read(file.path),
      schedule: try Data(contentsOf: trail, options: .mappedIfSafe)
        .withUnsafeBytes(ScheduleTrail.schedule))
  }

  /// What is linked needs no library; what got in from outside is to watch this program only.
  private func own(
    _ options: Options, _ journal: String, trail: String, scratch: TemporaryDirectory
  ) throws -> [String: String] {
    var own = environment
    own[Options.variable] = options.text
    (own["THREADMILL_JOURNAL"], own["THREADMILL_SCHEDULE"]) = (journal, trail)
    if binary.hasGate { return own }
    own["THREADMILL_ONLY"] = binary.path
    return try ToolFile(.preloadTests).preloaded(over: own, scratch: scratch)
  }
}
