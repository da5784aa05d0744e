import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// `threadmill explore` on programs in C, C++ and Swift that know nothing of Threadmill.
struct ExploreProgramTests {
  /// A program with a mistake, and what is said of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var program = "harness-launches-c"
    var name: String
    var kind: String
    /// The title of the finding, or what it ends with after the common words.
    var title: String
    /// What the program said of the error itself.
    var words: String?
    /// Functions of the threads that the finding names, sorted.
    var functions: [String] = []

    var testDescription: String { name }
  }

  private static let aborted = "Crash: an abort (SIGABRT)"
  private static let invalid = "Crash: an invalid memory access (SIGSEGV)"
  private static let failed = "Crash: an assertion, precondition or fatalError failed"
  private static func fails(_ how: String) -> String {
    "In one order of its threads, blocks and tasks the program fails: \(how)"
  }

  static let cases = [
    Case(
      name: "lost-update", kind: "crash", title: aborted,
      words: "Assertion `value == 2' failed.", functions: ["lost_update"]),
    Case(
      name: "filled-twice", kind: "assertionFailure", title: fails("ends with status 3")),
    Case(
      name: "lost-signal", kind: "hang", title: fails("nothing can go on, and 1 wait")),
    Case(
      name: "deadlock", kind: "deadlock",
      title: "Deadlock: thread T3 waits for mutex L2, thread T4 waits for mutex L1",
      functions: ["nest", "nest"]),
    Case(name: "not-joined", kind: "crash", title: invalid, functions: ["use"]),
    Case(
      name: "main-ends-first", kind: "assertionFailure", title: fails("ends with status 5")),
    Case(
      name: "reads-input", kind: "assertionFailure", title: fails("ends with status 3")),
    Case(
      program: "harness-launches-cpp", name: "use-after-free", kind: "crash", title: invalid,
      functions: ["(anonymous namespace)::append()"]),
    Case(
      program: "harness-launches-cpp", name: "wakes-one", kind: "hang",
      title: fails("nothing can go on, and 2 wait")),
    Case(
      program: "harness-launches-swift", name: "lost-update", kind: "crash", title: failed,
      words: "Precondition failed: an update is lost: 1", functions: ["harness_launches_swift_main"]
    ),
    Case(
      program: "harness-launches-swift", name: "runs-main-queue", kind: "assertionFailure",
      title: fails("ends with status 6")),
    Case(
      program: "harness-launches-tasks", name: "overdrawn", kind: "crash", title: failed,
      words: "Precondition failed: overdrawn: -60", functions: ["static Tasks.main()"]),
  ]

  /// So many processes follow each schedule.
  private static let replays =
    ProcessInfo.processInfo.environment["THREADMILL_REPLAYS"].flatMap { Int($0) } ?? 3

  private static let isPreloaded = !isThreadSanitized

  @Test(.enabled(if: isPreloaded, "a sanitized library cannot be preloaded"), arguments: cases)
  func theMistakeIsFoundAndRepeated(_ expected: Case) async throws {
    let run = try await explore([], expected)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    let found = try finding(run, expected)
    let schedule = try #require(found.schedule)
    for _ in 0..<Self.replays {
      let again = try await explore(["--schedule", schedule], expected)
      #expect(again.child.outcome == .exited(1), "\(again.child.standardError)")
      let same = try finding(again, expected)
      #expect(same.schedule == schedule)
      #expect(same.story == found.story)
    }
  }

  @Test(.enabled(if: isPreloaded, "a sanitized library cannot be preloaded"), arguments: cases)
  func theRepairedProgramIsFine(_ expected: Case) async throws {
    let run = try await explore(["--schedules", "100"], expected, isRepaired: true)
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    let report = try #require(run.report)
    #expect(report.accusations.map(\.title) == [])
    let explored = try #require(report.explorations?.first)
    #expect(explored.complete || explored.schedules == 100)
    #expect(explored.schedules > 1)
  }

  /// Initialisers of C and C++ that lock while another thread waits for them, and one that starts a
  /// thread, which ends by itself.
  @Test(
    .enabled(if: isPreloaded, "a sanitized library cannot be preloaded"),
    arguments: [
      ("harness-launches-c", "runs-once"), ("harness-launches-cpp", "initialises"),
      ("harness-launches-c", "early-end"),
    ])
  func anInitialiserIsNotAccused(_ program: String, _ name: String) async throws {
    let run = try await explore(
      ["--schedules", "200"], Case(program: program, name: name, kind: "", title: ""))
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    let report = try #require(run.report)
    #expect(report.accusations.map(\.title) == [])
    #expect(report.explorations?.first.map { $0.complete || $0.schedules == 200 } == true)
  }

  /// Correct programs that an exploration cannot judge are not accused.
  @Test(
    .enabled(if: isPreloaded, "a sanitized library cannot be preloaded"),
    arguments: [
      ("early-thread", "the program starts threads before its main function, which the copies"),
      (
        "many-steps", "the program is long, and takes more than 100000 steps in a schedule; explore"
      ),
      ("spins", "in a schedule, a thread makes no step for 10 s at spins (main.c:"),
    ])
  func whatCannotBeJudgedIsRefused(_ name: String, _ words: String) async throws {
    let run = try await explore([], Case(name: name, kind: "", title: ""))
    #expect(run.child.outcome == .exited(2))
    let said = "threadmill: the program is not explored: \(words)"
    #expect(run.child.standardError.contains(said), "\(run.child.standardError)")
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }

  /// A mistake that needs two threads in the midst of a change each, far from each other.
  @Test(
    .enabled(if: isPreloaded, "a sanitized library cannot be preloaded"),
    arguments: [["soon", "late"], ["in the midst of a change"]])
  func threadsAreLedToLines(_ marks: [String]) async throws {
    let lines = try marks.map { "main.c:\(try Self.line(with: $0))" }
    for seed in 1...3 {
      let switches = ["--seed", "\(seed)", "--strategy", "random-walk", "--schedules", "100"]
      let led = try await explore(
        switches + ["--towards", lines.joined(separator: ",")], Self.twoChanges)
      let found = try finding(led, Self.twoChanges)
      let explored = try #require(led.report?.explorations?.first)
      #expect(explored.schedules <= 8, "seed \(seed)")
      #expect(explored.towards?.map(\.line) == lines)
      #expect(explored.met == 1)
      let again = try await explore(
        ["--schedule", try #require(found.schedule)], Self.twoChanges)
      #expect(try finding(again, Self.twoChanges).schedule == found.schedule)
      // Without lines, this strategy does not come there.
      let other = try await explore(switches, Self.twoChanges)
      #expect(other.child.outcome == .exited(0), "\(other.child.standardError)")
    }
  }

  @Test(.enabled(if: isPreloaded, "a sanitized library cannot be preloaded"))
  func aMeetingIsCounted() async throws {
    let line = "main.c:\(try Self.line(with: "in the midst of a change"))"
    let met = try await explore(
      ["--schedules", "40", "--towards", line], Self.twoChanges, isRepaired: true)
    #expect(met.child.outcome == .exited(0), "\(met.child.standardError)")
    #expect(met.child.standardError.contains("two threads were at \(line), but never at the same"))
    let explored = try #require(met.report?.explorations?.first)
    #expect(explored.towards?.map(\.schedules) == [40] && explored.met == 0)
  }

  @Test(
    .enabled(if: isPreloaded, "a sanitized library cannot be preloaded"),
    arguments: [
      ("nothing.c:3", "it cannot be led to nothing.c:3: no such file in the program's debug"),
      ("main.c:2", "it cannot be led to main.c:2: no code there; the nearest line with code is "),
    ])
  func aLineThatIsNoneOfTheProgramIsRefused(_ line: String, _ words: String) async throws {
    let run = try await explore(["--towards", line], Self.twoChanges)
    #expect(run.child.outcome == .exited(2))
    #expect(
      run.child.standardError.contains("threadmill: the program is not explored: \(words)"),
      "\(run.child.standardError)")
  }

  private static let twoChanges = Case(
    name: "two-changes", kind: "assertionFailure", title: fails("ends with status 3"))

  /// The line of the C programs that has a comment, from 1.
  private static func line(with comment: String) throws -> Int {
    let file = Checkout.root.appending(path: "Tests/Fixtures/Programs/Launches/C/main.c")
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    return try #require(lines.firstIndex { $0.contains("/* \(comment) */") }) + 1
  }

  /// Every status of the program is the program's.
  @Test(
    .enabled(if: isPreloaded, "a sanitized library cannot be preloaded"),
    arguments: [124, 125])
  func aStatusIsTheProgramsOwn(_ status: Int) async throws {
    let run = try await explore([], Case(name: "status-\(status)", kind: "", title: ""))
    #expect(run.child.outcome == .exited(1))
    #expect(
      try #require(run.report).accusations.map(\.title) == [
        "The program fails before another of its threads, blocks or tasks has begun: ends with"
          + " status \(status)"
      ])
  }

  /// The finding of a run, compared as far as the program determines it.
  private func finding(_ run: PlainProgram.Run, _ expected: Case) throws -> ReportFile.Finding {
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind) == [expected.kind])
    let found = try #require(report.accusations.first)
    #expect(found.title == expected.title)
    let said = found.facts?.map(\.text).filter { $0.hasPrefix("the program said: ") } ?? []
    if let words = expected.words {
      #expect(said.count == 1)
      #expect(said.first?.hasSuffix(words) == true, "\(said)")
    }
    if !expected.functions.isEmpty {
      let functions = found.participants.compactMap(\.frames.firstUserFrame).compactMap(\.function)
      #expect(functions.sorted() == expected.functions)
    }
    let story = try #require(found.story)
    #expect(story.columns.first == "main thread")
    #expect(story.total >= story.steps.count && story.steps.count > 1)
    return found
  }

  /// A check and an act, each under the lock, with the other thread's in between.
  @Test(.enabled(if: isPreloaded, "a sanitized library cannot be preloaded"))
  func eachLockOfAMutexIsAStep() async throws {
    let expected = Self.cases.first {
      $0.program == "harness-launches-swift" && $0.name == "lost-update"
    }
    let found = try finding(try await explore([], try #require(expected)), try #require(expected))
    let steps = try #require(found.story).steps.filter { $0.operation == "lock" }
    #expect(Set(steps.map(\.object)) == ["counter"])
    #expect(
      steps.map { $0.places?.first?.function } == [
        "value()", "value()", "increment()", "increment()", "value()", "value()",
      ])
    #expect(steps.prefix(4).map(\.column) == [1, 2, 2, 1])
  }

  /// Only a build with Thread Sanitizer has points at memory accesses.
  @Test(.enabled(if: isThreadSanitized, "nothing tells of memory accesses"))
  func memoryAccessesArePoints() async throws {
    let expected = Case(
      program: "harness-launches-accesses", name: "lost-update", kind: "crash", title: Self.failed,
      words: "Precondition failed: an update is lost: 1",
      functions: ["harness_launches_accesses_main"])
    let run = try await explore([], expected)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    let steps = try #require(try finding(run, expected).story).steps.map(\.operation)
    #expect(steps.contains("read") && steps.contains("write"))
    let fine = try await explore(["--schedules", "100"], expected, isRepaired: true)
    #expect(fine.child.outcome == .exited(0), "\(fine.child.standardError)")
  }

  private func explore(
    _ switches: [String], _ expected: Case, isRepaired: Bool = false
  ) async throws -> PlainProgram.Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try Program.named(expected.program).path
    let words = [expected.name] + (isRepaired ? ["repaired"] : [])
    let file = directory.file("report.json")
    let child = try await ExploreCommand.run(
      switches + ["--json", file.path, "--", program] + words, input: "one\ntwo\n", in: directory)
    return PlainProgram.Run(child: child, report: try ReportFile(at: file))
  }

  /// Another program than that of the schedule.
  @Test(.enabled(if: isPreloaded, "a sanitized library cannot be preloaded"))
  func aScheduleThatIsNotFollowedIsSaid() async throws {
    let run = try await explore([], Self.cases[0])
    let schedule = try #require(
      run.report?.accusations.first?.schedule, "\(run.child.standardError)")
    let other = try await explore(["--schedule", schedule], Self.cases[2], isRepaired: true)
    #expect(other.child.outcome == .exited(1))
    #expect(
      other.child.standardError.contains(
        "threadmill explore: the program did not follow the schedule: it is another program, or"
          + " depends on more than the order of its threads\n"))
  }

  @Test func aProgramThatIsNotThereIsSaid() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let child = try await ExploreCommand.run(["--", "/no/such/program"], input: "", in: directory)
    #expect(child.outcome == .exited(2))
    #expect(child.standardError == "threadmill explore: /no/such/program is not there\n")
  }
}
