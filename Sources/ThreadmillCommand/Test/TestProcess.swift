import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting

/// One process with some tests of a package, and what it came to.
struct TestProcess: Sendable {
  /// The result of one process.
  struct Result: Sendable {
    var child: ChildProcess.Result
    var journal: TestJournal
    /// The tests that took longer than allowed; `nil` if time was not what ended the process.
    var late: Set<String>?
    /// `nil` if it has written none.
    var report: Report?
    /// The results of the tests that have ended, by name.
    var tests: [String: TestResult]
    /// The schedule in the midst of which it ended; `nil` if it was in none.
    var lost: LostSchedule?
  }

  let binary: TestBinary
  /// The folder in which it runs.
  let folder: String
  let environment: [String: String]
  var limit: TestLimit
  /// The live line on a terminal; `nil` for none.
  var progress: TestProgress?

  /// The work of a process in copies of itself, before its tests.
  enum Copies: Hashable, Sendable {
    /// The schedule in which a process with this test ended, and others like it.
    case lookInto(LostSchedule)
    /// Every schedule of its explorations.
    case isolate
  }

  /// Seconds after which the process is taken for stuck, whatever it does.
  static let longest: TimeInterval = 24 * 3_600

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

  /// Runs tests of one library under watch. Where the task is cancelled, the result is what there
  /// was until then.
  ///
  /// - Parameters:
  ///   - all: there are of that library.
  ///   - copies: what the process runs in copies of itself; `nil` for nothing.
  func run(
    _ tests: [PackageTest], of all: [PackageTest], telling options: Options,
    in copies: Copies? = nil
  ) async throws -> Result {
    let scratch = try TemporaryDirectory()
    defer { scratch.remove() }
    let (file, journal) = (scratch.file("report.json"), scratch.file("journal"))
    let (trail, events) = (scratch.file("schedule"), scratch.file("events"))
    for file in [journal, trail] { try Data().write(to: file) }
    let streams = tests.first?.library == .swiftTesting
    var options = options
    options.report = file.path
    ReportMailbox.make(beside: file.path)
    var variables = try own(options, journal.path, trail: trail.path, scratch: scratch)
    if let copies {
      let request = try request(for: copies, in: scratch)
      variables.merge(Self.forCopies(request, variables)) { $1 }
    }
    let clock = TestClock(
      file: journal, limit: limit, explored: copies == .isolate ? tests.map(\.name) : [],
      telling: progress)
    let child = ChildProcess(
      executable: binary.path,
      arguments: TestBinary.arguments(for: tests, of: all)
        + (streams && copies != nil ? ["--no-parallel"] : [])
        + (streams ? TestEvents.arguments(file: events.path) : []),
      environment: variables,
      folder: folder,
      limit: Self.longest)
    let ended = try await child.run(stop: .asked(by: SIGQUIT, when: clock.isLate))
    let written = TestJournal(try String(contentsOf: journal, encoding: .utf8))
    let streamed = (try? String(contentsOf: events, encoding: .utf8)).map { TestEvents($0).results }
    return Result(
      child: ended, journal: written, late: clock.late, report: try RunReport.read(file.path),
      tests: streamed ?? written.results,
      lost: try Data(contentsOf: trail, options: .mappedIfSafe)
        .withUnsafeBytes { LostSchedule(in: $0) })
  }

  /// The request to a process that makes copies of itself. It has the path of a file with a lost
  /// schedule, or of a folder for temporary files.
  private func request(
    for copies: Copies, in scratch: TemporaryDirectory
  ) throws -> String {
    switch copies {
    case .lookInto(let lost):
      let file = scratch.file("lost")
      try Data(lost.text.utf8).write(to: file)
      return file.path
    case .isolate:
      let folder = scratch.file("temporary")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      return "isolate:\(folder.path)"
    }
  }

  /// The variables of a process that makes copies of itself.
  private static func forCopies(
    _ request: String, _ environment: [String: String]
  ) -> [String: String] {
    [
      "THREADMILL_PROGRAM": request,
      // A schedule that crashes runs many times, and each time would wait for a backtrace.
      "SWIFT_BACKTRACE": "enable=no",
      // What the loader does late, it would do in every schedule.
      "LD_BIND_NOW": "1",
      // Thread Sanitizer waits for a second at the end of each process.
      "TSAN_OPTIONS": "atexit_sleep_ms=0:" + environment["TSAN_OPTIONS", default: ""],
    ]
  }

  /// A program with a linked gate needs no library. A preloaded library watches this program only.
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
