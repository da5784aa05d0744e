import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// Programs whose threads, blocks and tasks go in an order that is chosen for them.
///
/// Which schedules are run depends on the seed and on the program alone: what is found once is
/// found each time.
@Suite struct ExploreTests {
  /// What goes wrong in some order, and how that begins.
  static let flawed = [
    ("opposite-locks", "Deadlock: "), ("check-then-act", "threw wrong: 2"),
    ("lost-wakeup", "nothing can go on, and 2 wait"), ("synced-accessors", "threw wrong: 1"),
    ("reentrancy", "threw wrong: -20"),
  ]
  static let correct = [
    "opposite-locks-repaired", "check-then-act-repaired", "lost-wakeup-repaired", "time-limit",
    "readers", "nested", "synced-accessors-repaired", "barriers", "notify", "targets", "suspended",
    "later", "iterations", "operations", "reentrancy-repaired", "stream", "cancelled-group",
    "sleeping", "main-actor",
  ]

  /// Bodies that depend on more than the order of their threads, and what gives that away.
  static let unsteady = [
    ("random-number", " strand "), ("left-behind", " in the place of "),
    ("fails-once", "at its end success came in the place of threw wrong: the fifth run"),
    ("outsider", " strand 0"),
  ]
  /// Bodies that only look like it.
  static let steady = ["date", "set-order", "made-once"]

  private static func explored(_ arguments: String...) async throws -> [String: String] {
    try await facts(of: output(arguments))
  }

  private static func output(_ arguments: [String]) async throws -> String {
    try await Watched(program: "harness-explored", arguments: arguments, options: "")
      .run().child.standardOutput
  }

  private static func facts(of output: String) -> [String: String] {
    let pairs = output.split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      return (words[0], words.dropFirst().first ?? "")
    }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test(arguments: flawed)
  func theScheduleIsFoundAndFollowed(name: String, cause: String) async throws {
    let facts = try await Self.explored(name)
    #expect(facts["failures"] == "1")
    #expect(facts["cause"]?.hasPrefix(cause) == true, "\(facts)")
    #expect(facts["diverged"] == "no")
    #expect(facts["again"]?.hasPrefix(cause) == true)
    #expect(facts["divergence"] == "none")
    #expect(facts["nondeterminism"] == "none")
    let schedule = try Schedule(parsing: try #require(facts["schedule"]))
    #expect(schedule.forcedSwitches <= 2)
  }

  @Test(arguments: unsteady)
  func whatDependsOnMoreIsNamed(name: String, words: String) async throws {
    let facts = try await Self.explored(name, "portfolio", "300")
    let told = try #require(facts["nondeterminism"])
    #expect(told.hasPrefix("the body is not deterministic: run twice in the same order, at "))
    #expect(told.contains(words), "\(told)")
    #expect(facts["complete"] == "false")
  }

  @Test(arguments: steady) func whatOnlyLooksLikeItIsNotNamed(name: String) async throws {
    let facts = try await Self.explored(name, "portfolio", "300")
    #expect(facts["nondeterminism"] == "none")
    #expect(facts["failures"] == "0")
  }

  /// The first run of all goes another way, because something is made in it.
  @Test func aFailureOfTheFirstRunIsMadeSure() async throws {
    let facts = try await Self.explored("made-once-flawed")
    #expect(facts["cause"] == "threw wrong: always")
    #expect(facts["diverged"] == "no")
    #expect(facts["nondeterminism"] == "none")
  }

  // MARK: What is told

  /// The lines of the table and below, without the numbers of objects.
  private static func story(_ name: String) async throws -> [String] {
    let output = try await output([name]).replacing(#/\bL\d+\b/#, with: "L")
    let lines = output.split(separator: "\n").drop { !$0.contains("The schedule, ") }
    try #require(!lines.isEmpty, "\(output)")
    return lines.map { $0.split(separator: " ").joined(separator: " ") }
  }

  @Test func aDeadlockIsToldStepByStep() async throws {
    let lines = try await Self.story("opposite-locks")
    #expect(lines[0] == "The schedule, 7 steps; > takes the turn from somebody who could go on")
    #expect(lines[1] == "step body thread 1 thread 2")
    #expect(lines[2] == "1 begin")
    let start = #/2 start a thread Bodies.swift:\d+ Thread.detachNewThread {/#
    #expect(lines[3].wholeMatch(of: start) != nil)
    #expect(lines[6].hasPrefix("5 lock mutex L Bodies.swift:"))
    #expect(lines[6].contains("{ first.withLock { second.withLock {} } }"))
    #expect(lines[7].hasPrefix("6 > begin"))
    #expect(lines[9] == "At the end these cannot go on:")
    #expect(lines[10].hasPrefix("body waits for semaphore L Bodies.swift:"))
    #expect(lines[11].hasPrefix("thread 1 waits to lock mutex L, which thread 2 has Bodies.swift:"))
    #expect(lines[12].hasPrefix("thread 2 waits to lock mutex L, which thread 1 has Bodies.swift:"))
    #expect(lines[13].hasPrefix("To replay: explore(replaying: Schedule(parsing: \"tm1:"))
    #expect(lines.count == 14)
  }

  @Test func aLostSignalIsToldWithWhoWaits() async throws {
    let lines = try await Self.story("lost-wakeup")
    #expect(lines.contains { $0.hasPrefix("9 signal condition L Bodies.swift:") })
    #expect(lines.contains { $0.hasPrefix("thread 1 waits for condition L Bodies.swift:") })
  }

  @Test func tasksAreToldByWhereTheyGoOn() async throws {
    let lines = try await Self.story("reentrancy")
    #expect(lines[1].hasPrefix("step body task 1 task 2"))
    let yields = lines.filter { $0.contains("go on Bodies.swift:") }
      .filter { $0.hasSuffix("await Task.yield()") }
    #expect(yields.count == 2)
  }

  @Test func blocksAreToldWithTheirQueues() async throws {
    let lines = try await Self.story("synced-accessors")
    #expect(lines[1] == "step body block 1 block 2")
    #expect(lines.contains { $0.contains("lock serial queue \"accessors\" Bodies.swift:") })
  }

  @Test(arguments: [("spinning", "body"), ("livelock", "thread 2")])
  func anEndlessScheduleSaysWhatItSpinsOn(name: String, who: String) async throws {
    let lines = try await Self.story(name)
    let heading = "No end within 100000 steps. The last 64 of them:"
    let place = try #require(lines.firstIndex(of: heading))
    let habits = lines[(place + 1)...].dropLast()
    #expect(!habits.isEmpty)
    for habit in habits {
      let pattern = #/(.+): (un)?lock mutex L, \d+ times Unsteady.swift:\d+ .*lock\.withLock.*/#
      #expect(habit.wholeMatch(of: pattern)?.1 == who[...], "\(habit)")
    }
  }

  @Test(arguments: flawed)
  func equalSeedsLeadToEqualSchedules(name: String, cause: String) async throws {
    let first = try await Self.explored(name, "random-walk", "1000", "7")
    let second = try await Self.explored(name, "random-walk", "1000", "7")
    #expect(first["schedules"] != nil)
    #expect(first["schedules"] == second["schedules"])
    #expect(first["schedule"] == second["schedule"])
  }

  @Test(arguments: correct) func noScheduleOfACorrectProgramFails(name: String) async throws {
    let facts = try await Self.explored(name, "portfolio", "300")
    #expect(facts["failures"] == "0", "\(facts)")
    #expect(facts["uncontrolled"] == "0")
    #expect(facts["nondeterminism"] == "none")
    let schedules = try #require(facts["schedules"].flatMap { Int($0) })
    #expect(schedules == 300 || facts["complete"] == "true")
  }

  /// Two threads that take a lock, go through it and give it back twice have as many orders as the
  /// strategy that tries all of them says.
  @Test func everyOrderIsTried() async throws {
    let facts = try await Self.explored("synced-accessors-repaired", "exhaustive")
    #expect(facts["complete"] == "true")
    #expect(facts["distinct"] == facts["schedules"])
  }

  @Test func anUnwatchedProcessSaysSo() async throws {
    var child = try Watched(
      program: "harness-explored", arguments: ["reentrancy"], options: ""
    ).child(options: "")
    child.environment["THREADMILL_ONLY"] = "/nowhere"
    let result = try await child.run()
    #expect(result.standardOutput.contains("Threadmill does not watch this process"))
  }
}
