import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// Explored programs: the Scheduler chooses the order of their threads, blocks and tasks.
///
/// The schedules depend on the seed and on the program alone: a failure that is found once is found
/// each time.
@Suite struct ExploreTests {
  /// The bodies that fail in some order, and the first words of the cause.
  static let flawed = [
    ("opposite-locks", "Deadlock: "), ("check-then-act", "threw wrong: 2"),
    ("lost-wakeup", "nothing can go on, and 2 wait"), ("synced-accessors", "threw wrong: 1"),
    ("reentrancy", "threw wrong: -20"), ("cancel-comes-first", "threw wrong: cancelled"),
    ("started-too-early", "threw wrong: no answer yet"),
    ("ended-owner", "Deadlock: "), ("asked-twice", "threw wrong: cancelled in between"),
    ("cancelled-at-the-end", "threw wrong: ended twice"),
    ("resumed-under-lock", "Deadlock: "), ("resumed-under-mutex", "Deadlock: "),
    ("yielded-under-lock", "Deadlock: "), ("yielded-under-mutex", "Deadlock: "),
    ("cancelled-between", "nothing can go on: nobody resumes what the body awaits"),
    ("always", "Claiming.swift:12: always \"the sum stays\": false after step "),
    ("never", "Claiming.swift:45: eventually \"it is done\": never became true"),
  ]
  static let correct = [
    "opposite-locks-repaired", "check-then-act-repaired", "lost-wakeup-repaired", "time-limit",
    "signal-answers", "later-readings",
    "readers", "nested", "synced-accessors-repaired", "barriers", "notify", "targets", "suspended",
    "later", "iterations", "operations", "reentrancy-repaired", "started-too-early-repaired",
    "stream", "cancelled-group",
    "sleeping", "main-actor", "spin", "spin-for-sleeper", "spin-beside-sleeper",
    "task-spin", "task-spin-for-sleeper", "task-yields-beside-limit", "busy-wait", "work-items",
    "cancelled-item", "lost-update-repaired", "operation-graph", "operations-cancelled",
    "group-timeouts", "after", "condition-limit", "timeout", "failing-group", "cancelled-stream",
    "clocks", "tolerant-sleep", "timer", "timer-beside-work", "timer-once", "timer-set-anew",
    "timer-suspended", "timer-left-behind", "timer-dropped", "await-answer-repaired",
    "ended-owner-repaired", "event-loop-repaired", "pipe-repaired", "full-pipe-repaired",
    "poll-repaired", "select-repaired", "pair-repaired", "echo-repaired", "ticks-repaired",
    "own-signal-repaired", "always-repaired", "polite-repaired", "eventually",
    "asked-twice-repaired", "cancelled-at-the-end-repaired", "handled-results",
    "resumed-under-lock-repaired", "resumed-under-mutex-repaired", "yielded-under-lock-repaired",
    "yielded-under-mutex-repaired", "cancelled-between-repaired",
  ]

  /// Threads that wait for a pipe, a socket, an eventfd, a timer or a signal that never comes, and
  /// the words that name it at the end of the story.
  static let unwoken = [
    ("pipe", "waits to read from pipe "), ("full-pipe", "waits to write to pipe "),
    ("poll", "waits for eventfd "), ("select", "waits for pipe "),
    ("pair", "waits to read from socket "), ("echo", "waits to read from socket "),
    ("ticks", "waits to read from timerfd "), ("own-signal", "waits"),
    ("event-loop", "waits for epoll "),
  ]

  /// The bodies that depend on more than the order of their threads, and the words that reveal it.
  static let unsteady = [
    ("random-number", " strand "),
    (
      "left-behind",
      "at step 8 \"lock\" of strand 0 (Fixtures/Programs/Explored/Unsteady.swift:18) came in the "
        + "place of \"hop to\" of strand 0; likely random"
    ), ("left-behind-beside-a-file", "; likely one of the "),
    ("fails-once", "at its end success came in the place of threw wrong: the fifth run"),
    // A thread outside of the exploration decides how many steps it takes.
    ("oracle", " strand 0"),
  ]
  /// The bodies that only look as if they depended on more.
  static let steady = ["date", "set-order", "made-once"]

  private static func explored(_ arguments: String...) async throws -> [String: String] {
    try await facts(of: "harness-explored", arguments)
  }

  static func facts(
    of program: String, _ arguments: [String], options: String = "", reportsRaces: Bool = false
  ) async throws -> [String: String] {
    try await facts(
      of: Watched(
        program: program, arguments: arguments, options: options,
        environment: reportsRaces ? ["TSAN_OPTIONS": "atexit_sleep_ms=0"] : [:]
      ).run().child.standardOutput)
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

  @Test(arguments: unwoken)
  func aFileThatNobodyMakesReadyIsAHang(name: String, words: String) async throws {
    let run = try await Watched(program: "harness-explored", arguments: [name]).run()
    let facts = Self.facts(of: run.child.standardOutput)
    #expect(facts["failures"] == "1")
    #expect(run.report?.findings.map(\.kind) == ["hang"])
    #expect(run.child.standardOutput.contains(words), "\(run.child.standardOutput)")
    #expect(facts["diverged"] == "no")
    #expect(facts["divergence"] == "none")
    #expect(facts["uncontrolled"] == "0")
  }

  /// A child ends when it likes: that is waited for in real time, named, and never a hang.
  @Test(arguments: ["child", "child-pipe"])
  func whatComesFromOutsideIsWaitedFor(name: String) async throws {
    let facts = try await Self.explored(name, "random-walk", "5")
    #expect(facts["failures"] == "0", "\(facts)")
    #expect(facts["complete"] == "false")
    #expect(facts["place"]?.isEmpty == false)
  }

  /// It ends by what is claimed, long before the limit of steps, and shows the loop.
  @Test func aLivelockIsFoundAndItsLoopIsShown() async throws {
    let run = try await Watched(program: "harness-explored", arguments: ["polite"]).run()
    let facts = Self.facts(of: run.child.standardOutput)
    let cause =
      "Claiming.swift:34: eventually \"somebody is through\": still false after 2000 steps"
    #expect(facts["cause"] == cause)
    #expect(facts["diverged"] == "no")
    #expect(facts["again"] == cause)
    #expect(facts["divergence"] == "none")
    #expect(run.child.standardOutput.contains("The last 64 of them:"))
  }

  /// The portfolio ends after two schedules if there is no choice. If their second runs go the same
  /// way, the thread from outside stays unseen. A walk runs all 300.
  @Test(arguments: unsteady)
  func whatDependsOnMoreIsNamed(name: String, words: String) async throws {
    let strategy = name == "oracle" ? "random-walk" : "portfolio"
    let facts = try await Self.explored(name, strategy, "300")
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

  /// The first run takes other steps, because it runs one-time initialisers.
  @Test func aFailureOfTheFirstRunIsMadeSure() async throws {
    let facts = try await Self.explored("made-once-flawed")
    #expect(facts["cause"] == "threw wrong: always")
    #expect(facts["diverged"] == "no")
    #expect(facts["nondeterminism"] == "none")
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

  /// A lock order that might deadlock is told only if no schedule showed the deadlock.
  @Test(arguments: [("1", "lockOrderCycle"), ("1000", "deadlock")])
  func aDeadlockIsOneFinding(schedules: String, kind: String) async throws {
    let run = try await Watched(
      program: "harness-explored", arguments: ["opposite-locks", "random-walk", schedules, "3"]
    ).run()
    #expect(run.report?.findings.map(\.kind) == [kind])
  }

  /// The lock order is told even if the end of the process ends the exploration.
  @Test func anOrderIsToldWhereTheBodyExits() async throws {
    let run = try await Watched(
      program: "harness-explored", arguments: ["opposite-locks-exit", "random-walk", "1", "3"]
    ).run()
    #expect(run.report?.findings.map(\.kind) == ["lockOrderCycle"])
  }

  /// Counts of one schedule do not reach the next one: all of them have the same order.
  @Test func thousandsOfSchedulesAreAlike() async throws {
    let facts = try await Self.explored("condition-limit", "random-walk", "3000")
    #expect(facts["distinct"] == "1")
    #expect(facts["nondeterminism"] == "none")
  }

  /// Tasks have one thread, and another task needs it: whoever explores is suspended meanwhile.
  @Test func asynchronousCodeKeepsNoThreadOfTasks() async throws {
    let facts = try await Self.facts(
      of: "harness-explored", ["asynchronous"], options: "pool=1")
    #expect(facts["cause"] == "threw wrong: the other task has run")
    #expect(facts["words"] == "handed down")
    #expect(facts["nested"]?.contains("an exploration within an exploration") == true)
  }

  /// The nanoseconds by which readings of a clock differ decide no order.
  @Test func equalDelaysEndInEitherOrder() async throws {
    let facts = try await Self.explored("equal-delays", "exhaustive")
    #expect(facts["cause"] == "threw wrong: [2, 1]", "\(facts)")
  }

  /// The Swift runtime starts a program that reads the memory of the one that crashed, and waits
  /// for it. That has nothing to do with the schedule.
  @Test(.disabled(if: isThreadSanitized, "the runtime prints no backtrace under the sanitizer"))
  func theRuntimeTellsOfACrashAsWell() async throws {
    let run = try await Watched(
      program: "harness-explored", arguments: ["crashes"],
      environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no"]
    ).run()
    #expect(run.child.outcome == .signalled(SIGABRT))
    #expect(run.child.standardError.contains("Backtrace took "), "\(run.child.standardError)")
    let crash = try #require(run.report?.accusations.first { $0.kind == "crash" })
    #expect(crash.title == "Crash: an abort (SIGABRT)")
    #expect(crash.schedule != nil)
  }

  /// A thread dies while it waits, and gets the turn after that: nobody can give it back.
  @Test func anExplorationEndsAlthoughTheTurnIsLost() async throws {
    let facts = try await Self.explored("dead")
    let cause = try #require(facts["cause"])
    let words = cause.split(separator: " ")
    #expect(words.prefix(3) == ["no", "step", "for"] && words[4...5] == ["s,", "at"], "\(cause)")
    // The patience; three times as much for a thread that still waits, which is certain only when
    // the signal comes at once. Thread Sanitizer keeps signals back until the next call.
    #expect(try #require(Int(words[3])) >= 10)
  }

  /// The program lists its correct bodies, for `scripts/campaigns/unharmed`.
  @Test func theProgramKnowsWhichAreCorrect() async throws {
    let told = try await Watched(program: "harness-explored", arguments: ["correct"], options: "")
      .run().child.standardOutput
    #expect(told.split(separator: "\n").map(String.init) == Self.correct.sorted())
  }

  /// The exhaustive strategy runs each order of two threads, which use a lock twice, exactly once.
  @Test func everyOrderIsTried() async throws {
    let facts = try await Self.explored("synced-accessors-repaired", "exhaustive")
    #expect(facts["complete"] == "true")
    #expect(facts["distinct"] == facts["schedules"])
  }

  /// A new `Mutex` in each schedule has the orders that a lock has whose calls are seen by nature:
  /// as many, and each with the same notes of its threads as often.
  @Test func aMutexHasTheOrdersOfALock() async throws {
    let run = try await Watched(program: "harness-explored", arguments: ["interleavings"]).run()
    let facts = Self.facts(of: run.child.standardOutput)
    for body in ["once", "twice", "tries"] {
      for fact in ["complete", "distinct", "notes"] {
        let ofLock = try #require(facts["\(body)-NSLock-\(fact)"])
        #expect(facts["\(body)-Mutex-\(fact)"] == ofLock, "\(body)")
        if fact == "complete" { #expect(ofLock == "true") }
      }
    }
  }

  /// A task that switches actors gives its actor to other tasks that wait for it, unless it goes on
  /// at that actor. It keeps its thread while it has a lock, while a caller is on its stack, or
  /// while another thread looks at the task. The runtime does the same. A task's steps before the
  /// switch happen before those after it.
  @Test func tasksHaveAllOrdersThatTheRuntimeAllows() async throws {
    let run = try await Watched(program: "harness-explored", arguments: ["orders"]).run()
    let facts = Self.facts(of: run.child.standardOutput)
    let orders = [
      "line": "clo col lco loc ocl olc", "twice": "1212", "locked": "ck kc", "known": "ck kc",
      "immediate": "cni nci nic", "handler": "hwx whx wx wxh", "cancelled": "no yes",
    ]
    for name in orders.keys {
      #expect(facts[name] == orders[name])
      #expect(facts["\(name)-complete"] == "true")
      #expect(facts["\(name)-failures"] == "0")
    }
    #expect(run.report?.accusations.map(\.title) == [])
  }

  /// A block, thread, task or continuation may be over before the next statement of the code that
  /// submits, starts or resumes it, also if that makes no call. A block on the submitter's own
  /// queue cannot.
  @Test func whatIsSubmittedMayComeBeforeTheNextStatement() async throws {
    let run = try await Watched(program: "harness-explored", arguments: ["submissions"]).run()
    let facts = Self.facts(of: run.child.standardOutput)
    let both = [
      "thread", "queue", "group", "item", "task", "async-let", "group-task", "resume",
    ]
    for name in both + ["own-queue"] {
      #expect(facts[name] == (name == "own-queue" ? "nw" : "nw wn"), "\(name)")
      #expect(facts["\(name)-complete"] == "true", "\(name)")
    }
    #expect(run.report?.accusations.map(\.title) == [])
  }

  /// A loop without a call cannot be made to give up its turn; the schedule is given up after a
  /// while.
  @Test(arguments: [("loop-without-call", "Waiting"), ("spins", "Edges")])
  func aLoopWithoutACallIsGivenUp(name: String, file: String) async throws {
    let facts = try await Self.explored(name)
    #expect(facts["failures"] == "1", "\(facts)")
    #expect(facts["cause"]?.hasPrefix("no step for 10 s, at ") == true, "\(facts)")
    #expect(facts["cause"]?.contains("(\(file).swift:") == true, "\(facts)")
  }

  /// The threads on which an exploration runs tasks unblock a signal of the gate's, and no other.
  @Test func aSignalOfTheProgramsReachesIt() async throws {
    #expect(try await Self.explored("awaits-signal") == ["schedules": "1", "came": "true"])
  }

  @Test(arguments: [("file", "read, "), ("thread-from-outside", "wait, ")])
  func whatIsNotUnderControlIsCountedAndNamed(name: String, place: String) async throws {
    let facts = try await Self.explored(name, "portfolio", "20")
    #expect(facts["failures"] == "0", "\(facts)")
    #expect(facts["uncontrolled"].flatMap { Int($0) } ?? 0 > 0)
    #expect(facts["place"]?.hasPrefix(place) == true, "\(facts)")
    #expect(facts["place"]?.contains("(Waiting.swift:") == true, "\(facts)")
  }

  @Test func aForkedChildIsNotOfTheExploration() async throws {
    let facts = try await Self.explored("fork", "portfolio", "20")
    #expect(facts["failures"] == "0", "\(facts)")
    #expect(facts["schedules"] == "20")
  }

  /// The explorer returns what it found; a later signal has nothing to do with it.
  @Test func whatASchedulesProgramHasSurvivedIsNoLastWord() async throws {
    let program = Watched(program: "harness-explored", arguments: ["survived"])
    let child = try program.child(options: "jitter=off")
    let result = try await Slots.children.occupy { try await child.run() }
    #expect(result.outcome == .signalled(SIGTERM))
    #expect(result.standardOutput == "failures 1\n")
    #expect(result.standardError == "")
  }

  @Test func othersAreNotDisturbed() async throws {
    let facts = try await Self.explored("beside")
    #expect(facts["error"] == nil)
    #expect(facts["failures"] == "0", "\(facts)")
    #expect(facts["waiting"] == "1")
    #expect(facts["wrong"] == "nothing", "\(facts)")
  }

  @Test(.disabled(if: isThreadSanitized, "a thousand threads are too much for the sanitizer"))
  func aProcessFullOfWaitingThreadsSaysSo() async throws {
    let facts = try await Self.explored("parked")
    #expect(facts["error"]?.contains("threads of earlier schedules wait for ever") == true)
    // Each exploration returns its findings, the last one as well.
    #expect(facts["explorations"].flatMap { Int($0) } ?? 0 >= 10)
    #expect(facts["found"] == facts["explorations"])
  }

  /// Threads that the schedules leave behind are no failure of the body: nothing waits for them.
  @Test(.disabled(if: isThreadSanitized, "a thousand threads are too much for the sanitizer"))
  func aBodyThatLeavesThreadsIsExploredUntilTheyAreTooMany() async throws {
    let facts = try await Self.explored("leaves-a-thread", "random-walk", "2000")
    #expect(facts["error"] == nil, "\(facts)")
    #expect(facts["failures"] == "0")
    #expect(facts["schedules"] == "1000")
    #expect(facts["abandoned"] == "1000")
  }

  @Test func aScheduleWithTooManyBlocksIsRefused() async throws {
    let facts = try await Self.explored("full")
    let most = "a schedule has more than 65536 threads, blocks and tasks"
    #expect(facts["error"] == "\(most); explore less of it at once", "\(facts)")
  }

  @Test func whoAwaitsWhatNobodyResumesIsTold() async throws {
    let facts = try await Self.explored("awaits-nobody", "random-walk", "5")
    #expect(facts["cause"] == "nothing can go on: nobody resumes what the body awaits")
    #expect(facts["again"] == facts["cause"])
  }

  /// The replay has the limit of steps of the exploration.
  @Test func anEndlessScheduleIsReplayedToTheSameEnd() async throws {
    let facts = try await Self.explored("endless")
    #expect(facts["cause"] == "no end within 500 steps", "\(facts)")
    #expect(facts["again"] == facts["cause"])
    #expect(facts["divergence"] == "none")
  }

  /// The block that has the queue goes on for a while, of which nothing is told.
  @Test func aScheduleThatIsTooLongLeavesQueuesFree() async throws {
    let facts = try await Self.explored("cut-short")
    #expect(facts["cause"] == "no end within 100 steps", "\(facts)")
    #expect(facts["again"] == "nothing", "\(facts)")
  }

  @Test func whatIsLaunchedAheadIsNotNoticed() async throws {
    let facts = try await Self.explored("launched")
    #expect(facts["schedules"] == "100")
    // Of the first 64 schedules seven are run twice, and the 65th.
    #expect(facts["begun"] == "108")
    #expect(facts["strange"] == "0")
    #expect(facts["kept"] == "false")
  }

  /// Once 64 schedules are to be run twice, every other one is dropped, and from then on they are
  /// chosen half as often.
  @Test func ofMoreSchedulesNotManyMoreAreRunTwice() async throws {
    let facts = try await Self.explored("launched", "5000")
    #expect(facts["schedules"] == "5000")
    #expect(facts["begun"] == "5043")
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
