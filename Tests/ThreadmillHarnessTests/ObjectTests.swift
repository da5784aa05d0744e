import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// Groups, semaphores, queues and sources: what is certainly wrong is told before the program dies
/// of it, what only looks wrong is not.
@Suite struct ObjectTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var program: String
    var name: String
    /// What it is accused of; `nil`: nothing.
    var kind: String?
    /// The functions of its thread and of its facts, in the report's order.
    var functions: [String] = []
    var traps = false

    var testDescription: String { "\(program) \(name)" }
  }

  @Test(arguments: silent) func whatIsRightIsNotAccused(_ sample: Case) async throws {
    let run = try await Watched(program: sample.program, arguments: [sample.name]).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }

  /// Thread Sanitizer enters groups itself for the blocks submitted to them, through the same calls
  /// as a user, and keeps a group alive until its notification is over: some are missed.
  private static let missedUnderSanitizer: Set = [
    "notified-before-entered", "notified-before-blocks", "left-once-too-often-beside-blocks",
  ]

  @Test(arguments: wrong.filter { !isThreadSanitized || !missedUnderSanitizer.contains($0.name) })
  func whatIsWrongIsTold(_ sample: Case) async throws {
    let run = try await Watched(program: sample.program, arguments: [sample.name]).run()
    if sample.traps {
      #expect(run.child.outcome.isSignal)
    } else {
      #expect(run.child.outcome == .exited(1))
    }
    let accusations = try #require(run.report).accusations
    #expect(accusations.map(\.kind) == [sample.kind])
    if !sample.functions.isEmpty {
      let facts = accusations[0].facts ?? []
      let stacks = accusations[0].participants.map(\.frames) + facts.map { $0.frames ?? [] }
      let places = stacks.map { $0.firstUserFrame?.function }
      #expect(places == sample.functions)
    }
  }

  /// A lock that no call has made is named by its variable, with the line of the declaration.
  @Test func aLockHasTheNameOfItsVariable() async throws {
    let run = try await Watched(program: "harness-objects", arguments: ["locks-in-variables"]).run()
    let cycle = try #require(run.report?.accusations.first)
    #expect(cycle.kind == "lockOrderCycle")
    let variables = cycle.objects.compactMap(\.variable)
    #expect(variables.map(\.function).sorted { $0 ?? "" < $1 ?? "" } == ["Safe.door", "lid"])
    for variable in variables {
      let file = try #require(variable.file)
      #expect(file.hasSuffix("Objects/Named.swift"))
      let line = try #require(variable.line)
      let name = variable.function?.split(separator: ".").last ?? ""
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let declaration = text.split(separator: "\n", omittingEmptySubsequences: false)[line - 1]
      #expect(declaration.contains("var \(name) = "))
    }
  }

  /// The functions that make an unsafe continuation are compiled into the user's image, without
  /// lines: the first frame of the user's is the function that awaits it.
  @Test func aContinuationHasItsMaker() async throws {
    let run = try await Watched(
      program: "harness-objects", arguments: ["unsafe-continuation-resumed-twice"]
    ).run()
    let misuse = try #require(run.report?.findings.first { $0.kind == "continuationMisuse" })
    let made = try #require(misuse.facts?.first?.frames?.firstUserFrame)
    #expect(made.function == "answerTwice()")
    #expect(made.line != nil)
  }

  /// The function of libswiftDispatch that makes a group has neither a frame pointer nor unwind
  /// information; who called it is found all the same.
  @Test(arguments: ["made-in-a-function": "groupOfFunction()", "made-in-a-task": "groupOfTask()"])
  func aGroupHasItsMaker(name: String, maker: String) async throws {
    let run = try await Watched(program: "harness-objects", arguments: [name]).run()
    let group = try #require(run.report?.accusations.first?.objects.first)
    #expect(group.kind == "group")
    #expect(group.created?.firstUserFrame?.function == maker)
    let file = try #require(group.created?.firstUserFrame?.file)
    #expect(file.hasSuffix("Objects/Groups.swift"))
  }

  /// The detectors know of it, and nothing else: without them the program only dies.
  @Test(arguments: wrong.filter(\.traps)) func itDiesAnyway(_ sample: Case) async throws {
    let run = try await Watched(
      program: sample.program, arguments: [sample.name], options: "detect=false"
    ).run()
    #expect(run.child.outcome.isSignal)
    #expect(run.report?.kinds ?? [] == [])
  }

  static let wrong: [Case] = [
    objects("notified-before-entered", "unbalancedGroup"),
    objects("notified-before-blocks", "unbalancedGroup"),
    objects("left-once-too-often-beside-blocks", "unbalancedGroup", traps: true),
    objects("semaphore-one-signal-missing", "semaphoreMisuse", traps: true),
    objects("queue-suspended", "queueMisuse", traps: true),
    objects("queue-suspended-twice", "queueMisuse", traps: true),
    objects("queue-never-activated", "queueMisuse", traps: true),
    objects("timer-never-resumed", "queueMisuse", traps: true),
    objects("timer-cancelled-while-suspended", "queueMisuse", traps: true),
    plain("semaphore-in-use", "semaphoreMisuse", ["semaphore_in_use", "semaphore_in_use"]),
    plain("queue-suspended", "queueMisuse", ["queue_suspended", "queue_suspended"]),
    plain("notified-early", "unbalancedGroup", ["notified_early", "notified_early"], traps: false),
  ]

  static let silent: [Case] = [
    objects("notified-after-entered"), objects("empty-list"), objects("reused-in-batches"),
    objects("notified-then-waited-for"), objects("notified-twice"), objects("idle-tracker"),
    objects("closed-before-used"), objects("entered-by-another-block"),
    objects("left-after-notified"), objects("blocks-and-enters"),
    objects("semaphore-timed-out"),
    objects("semaphore-all-given-back"), objects("semaphore-signalled-first"),
    objects("semaphore-left-signalled"), objects("queue-resumed"), objects("queue-activated"),
    objects("queue-activated-while-suspended"), objects("timer-resumed-and-cancelled"),
    objects("timer-activated"), objects("source-suspended-in-its-handler"),
    plain("semaphore-kept", traps: false), plain("queue-kept-by-its-work", traps: false),
    plain("group-released-while-entered", traps: false),
  ]

  private static func objects(_ name: String, _ kind: String? = nil, traps: Bool = false) -> Case {
    Case(program: "harness-objects", name: name, kind: kind, traps: traps)
  }

  private static func plain(
    _ name: String, _ kind: String? = nil, _ functions: [String] = [], traps: Bool = true
  ) -> Case {
    Case(
      program: "harness-plain-objects", name: name, kind: kind, functions: functions, traps: traps)
  }
}

extension ChildProcess.Outcome {
  fileprivate var isSignal: Bool {
    if case .signalled = self { true } else { false }
  }
}
