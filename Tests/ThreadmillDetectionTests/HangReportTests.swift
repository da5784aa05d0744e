import Testing
import ThreadmillDetection
import ThreadmillModel

/// A standstill is split into corners; each one names its threads and what they wait for.
@Suite struct HangReportTests {
  @Test func whoHasNothingToDoWithEachOtherIsApart() {
    let corners = findings(threads: [
      waiter(1, for: 10), waiter(2, for: 11, holding: 12), waiter(3, for: 12), waiter(4, for: 13),
    ])
    #expect(corners.map { $0.participants.map(\.thread.rawValue) } == [[1], [2, 3], [4]])
    #expect(corners.allSatisfy { $0.kind == .hang && $0.severity == .error })
    #expect(corners.map { Set($0.objects.map(\.id.rawValue)) } == [[10], [11, 12], [13]])
  }

  @Test func oneObjectMakesOneCorner() {
    let corners = findings(threads: [waiter(1, for: 10), waiter(5, for: 10)])
    #expect(corners.count == 1)
  }

  @Test func aJoinConnects() {
    let joiner = ThreadSnapshot(thread: ThreadID(1), held: [], joins: ThreadID(2))
    let corners = findings(threads: [joiner, waiter(2, for: 10)])
    #expect(corners.count == 1)
    #expect(corners.first?.participants[0].role == "waits for the end of thread T2")
  }

  /// An object that both threads hold and no thread wants does not connect them.
  @Test func whatNobodyWantsConnectsNobody() {
    let corners = findings(threads: [
      waiter(1, for: 10, holding: 20), waiter(2, for: 11, holding: 20),
    ])
    #expect(corners.count == 2)
  }

  /// The group's block waits for the queue of another thread.
  @Test func aBlockConnectsItsGroupWithItsQueue() {
    let block = Standstill.Fact(object(20), .queued(group: object(10)))
    let corners = findings(
      threads: [waiter(1, for: 10), waiter(2, for: 11, holding: 20), waiter(3, for: 12)],
      facts: [block])
    #expect(corners.map { $0.participants.map(\.thread.rawValue) } == [[1, 2], [3]])
    #expect(corners.map(\.facts.count) == [1, 0])
    #expect(corners[0].participants[1].role == "holds mutex L20 and waits for mutex L11")
  }

  @Test func whoWaitsAlikeIsCounted() throws {
    let corner = try #require(findings(threads: (1...7).map { waiter($0, for: 10) }).first)
    #expect(corner.participants.map(\.thread.rawValue) == [1, 2, 3])
    #expect(corner.title == "Hang: 7 threads wait for mutex L10")
    #expect(corner.facts == [.init("4 more like thread T1")])
  }

  @Test func blocksThatWaitAlikeAreOne() throws {
    let places = [1, 1, 2, 3, 4, 5].map { [Frame(address: $0)] }
    let blocks = places.map { Standstill.Fact(object(20), .queued(), at: $0) }
    let corner = try #require(
      findings(threads: [waiter(1, for: 10, holding: 20)], facts: blocks).first)
    #expect(
      corner.facts == [
        .init("2 blocks wait for mutex L20, submitted", frames: places[0]),
        .init("a block waits for mutex L20, submitted", frames: places[2]),
        .init("a block waits for mutex L20, submitted", frames: places[3]),
        .init("2 more like these, elsewhere"),
      ])
  }

  @Test func whatWasLeftOutIsSaid() {
    let standstill = Standstill(threads: [waiter(1, for: 10)], leftOut: 3)
    let corners = HangReport.findings(of: standstill) { object($0.rawValue) }
    #expect(
      corners.map(\.facts) == [[.init("3 more threads or blocks wait that are not shown")]])
  }

  @Test func theTestsOfACornerAreItsThreads() {
    var first = waiter(1, for: 10)
    var other = waiter(2, for: 11)
    first.tests = ["A/one()"]
    other.tests = ["A/two()"]
    #expect(findings(threads: [first, other]).map(\.tests) == [["A/one()"], ["A/two()"]])
  }

  // MARK: Groups and semaphores

  @Test func entersWithoutLeavesAreCounted() {
    let place = [Frame(address: 7)]
    let entered = Standstill.Fact(object(10), .entered(by: ThreadID(3)), at: place)
    let words = "mutex L10 was entered"
    #expect(
      facts(of: 10, [entered]) == [.init("\(words) and not left", frames: place)])
    #expect(
      facts(of: 10, [entered, entered]) == [.init("\(words) 2 times and not left", frames: place)])
  }

  @Test func aSemaphoreTellsItsSignals() {
    let (there, here) = ([Frame(address: 7)], [Frame(address: 8)])
    let value = Standstill.Fact(object(10), .value(initial: 2))
    #expect(
      facts(of: 10, [value]) == [
        .init(
          "mutex L10 was made with 2 and is at 0, and was never signalled by a thread that did not "
            + "hold it")
      ])
    let signalled = Standstill.Fact(object(10), .signalled(by: ThreadID(3)), at: there)
    let passed = Standstill.Fact(object(10), .passed(by: ThreadID(4)), at: here)
    #expect(
      facts(of: 10, [passed, signalled, value, passed]) == [
        .init("mutex L10 was made with 2 and is at 0"),
        .init("mutex L10 was last signalled by thread T3", frames: there),
        .init("mutex L10 let thread T4 pass, 2 times", frames: here),
      ])
  }

  private func facts(of wanted: UInt64, _ facts: [Standstill.Fact]) -> [Finding.Fact] {
    findings(threads: [waiter(1, for: wanted)], facts: facts).flatMap(\.facts)
  }

  // MARK: Operations

  @Test(
    arguments: [
      (.initialized, .none, "is in no queue, and nobody has started it"),
      (.enqueued, .suspended, "is in a queue that is suspended"),
      (.enqueuing, .active, "waits for its turn in its queue"),
      (.enqueued, .active, "waits for its turn in its queue"),
      (.dispatching, .suspended, "may start, and is not finished"),
      (
        .starting, .none,
        "has begun, no thread is in it, and it does not say that it is finished"
      ),
      (nil, .none, "has begun, no thread is in it, and it does not say that it is finished"),
    ] as [(OperationState?, Standstill.Fact.Queue, String)])
  func anOperationIsDelayed(
    _ state: OperationState?, in queue: Standstill.Fact.Queue, words: String
  ) {
    let told = facts(of: 11, [Standstill.Fact(operation(11), .unfinished(state, queue: queue))])
    #expect(told == [.init("operation L11 \(words)")])
  }

  @Test func dependenciesConnectAndAreTold() {
    let facts = [
      Standstill.Fact(operation(10), .dependent(on: operation(11))),
      Standstill.Fact(operation(11), .unfinished(.executing, queue: .active)),
      Standstill.Fact(operation(12), .unfinished(.enqueued, queue: .active)),
    ]
    let corners = findings(threads: [waiter(1, for: 10), waiter(2, for: 12)], facts: facts)
    #expect(
      corners.map { $0.facts.map(\.text) } == [
        [
          "operation L10 does not start before operation L11 has finished",
          "operation L11 has begun, no thread is in it, and it does not say that it is finished",
        ],
        ["operation L12 waits for its turn in its queue"],
      ])
  }

  // MARK: Continuations

  /// Two mistakes are two findings, and two tests that make the same one are charged with it.
  @Test func whatATestAwaitsIsItsHang() {
    let place = [Frame(address: 7, function: "ask()")]
    let other = [Frame(address: 8, function: "order()")]
    let found = findings(
      threads: [waiter(1, for: 10)],
      tasks: [
        unresumed(20, at: place, tests: ["A/one()"]), unresumed(21, at: place, tests: ["A/two()"]),
        unresumed(22, at: other, tests: ["A/one()"]),
      ])
    #expect(found.map(\.severity) == [.error, .error, .error])
    #expect(found[0].facts.isEmpty)
    #expect(found[1].title == "Hang: 2 tasks wait for continuations that nobody has resumed")
    #expect(found[1].tests == ["A/one()", "A/two()"])
    #expect(
      found[1].facts == [
        .init("task 20 waits for continuation L20, which nobody has resumed", frames: place),
        .init("1 more like this"),
      ])
    #expect(
      found[2].title == "Hang: a task waits for continuation L22, which nobody has resumed")
    #expect(found[2].tests == ["A/one()"])
    #expect(found[2].objects.map(\.id.rawValue) == [22])
    #expect(found[1].fingerprint != found[2].fingerprint)
  }

  /// The task may wait for its next customer by design.
  @Test func whatNoTestAwaitsIsANote() {
    let found = findings(threads: [], tasks: [unresumed(20, at: [Frame(address: 7)])])
    #expect(found.map(\.severity) == [.note])
    #expect(
      found.map(\.title) == ["Hang: a task waits for continuation L20, which nobody has resumed"])
  }

  @Test func onlySomePlacesOfManyAreShown() throws {
    let tasks = (1...12).map { unresumed(UInt32($0), at: [Frame(address: UInt64($0))]) }
    let found = try #require(findings(threads: [], tasks: tasks).first)
    #expect(found.facts.count == 9)
    #expect(found.facts.last == .init("4 more like these, elsewhere"))
  }

  /// From the test's own task to what nobody does, each with its `await` and its start.
  @Test func aTestIsToldWithAllThatItWaitsFor() throws {
    let places = (1...4).map { [Frame(address: UInt64($0))] }
    let listener = SuspendedTask(number: 9, awaited: .continuation(), place: [Frame(address: 9)])
    let found = findings(
      threads: [],
      tasks: [
        listener,
        SuspendedTask(
          number: 3, awaited: .continuation(), place: places[1], created: places[2], parent: 2),
        SuspendedTask(number: 2, awaited: .group, place: places[0], created: places[3]),
        SuspendedTask(
          number: 5, awaited: .task(2), place: places[3], tests: ["A/one()"], isRoot: true),
      ])
    #expect(found.map(\.severity) == [.error, .note])
    #expect(found[0].title == "Hang: a task waits for a continuation, which nobody has resumed")
    #expect(found[0].tests == ["A/one()"])
    #expect(
      found[0].facts == [
        .init("task 5 waits for the end of task 2", frames: places[3]),
        .init("task 2 waits for its group, with task 3", frames: places[0]),
        .init("task 2 was started", frames: places[3]),
        .init("task 3 waits for a continuation that nobody has resumed", frames: places[1]),
        .init("task 3 was started", frames: places[2]),
      ])
  }

  /// The thread is to blame: the tasks are told with it, and its fingerprint stays.
  @Test(arguments: [
    (SuspendedTask.Awaited.task(4), "the end of task 4"), (.group, "the tasks of its group"),
  ])
  func tasksThatWaitForAThreadAreToldWithIt(awaited: SuspendedTask.Awaited, words: String) {
    var thread = waiter(1, for: 10)
    thread.runs = Execution(job: Execution.Job(task: 4))
    thread.tests = ["A/one()"]
    let place = [Frame(address: 7)]
    let waits = SuspendedTask(
      number: 5, awaited: awaited, place: place, tests: ["A/one()"], isRoot: true)
    let found = findings(threads: [thread], tasks: [waits])
    #expect(found.map(\.participants.count) == [1])
    #expect(found[0].facts == [.init("task 5 waits for \(words)", frames: place)])
    #expect(found[0].fingerprint == findings(threads: [thread])[0].fingerprint)
  }

  @Test func tasksThatWaitForEachOtherAreOneFinding() {
    let found = findings(
      threads: [],
      tasks: [
        SuspendedTask(
          number: 1, awaited: .task(2), place: [Frame(address: 7)], tests: ["A/one()"]),
        SuspendedTask(
          number: 2, awaited: .task(1), place: [Frame(address: 8)], tests: ["A/one()"]),
      ])
    #expect(found.map(\.title) == ["Hang: tasks wait for each other"])
    #expect(found.map(\.severity) == [.error])
    #expect(found.map(\.facts.count) == [2])
  }

  /// Its listener waits by design: what keeps the test is its own task, which does not wait.
  @Test func aListenerOfATestThatIsStuckOtherwiseIsANote() {
    var thread = waiter(1, for: 10)
    thread.tests = ["A/one()"]
    let listener = SuspendedTask(number: 5, awaited: .continuation(), tests: ["A/one()"])
    let found = findings(threads: [thread], tasks: [listener])
    #expect(found.map(\.severity) == [.error, .note])
  }

  @Test func nobodyIsNoHang() { #expect(findings(threads: []).isEmpty) }

  // MARK: By hand

  private func waiter(_ number: UInt32, for wanted: UInt64, holding: UInt64...) -> ThreadSnapshot {
    ThreadSnapshot(
      thread: ThreadID(number), held: holding.map { Hold(lock: LockID($0)) },
      waitsFor: Hold(lock: LockID(wanted)))
  }

  private func object(_ number: UInt64) -> SharedObject {
    SharedObject(id: LockID(number), kind: .mutex)
  }

  private func operation(_ number: UInt64) -> SharedObject {
    SharedObject(id: LockID(number), kind: .operation)
  }

  private func unresumed(
    _ number: UInt32, at place: Backtrace, tests: [String] = []
  ) -> SuspendedTask {
    let object = SharedObject(id: LockID(UInt64(number)), kind: .continuation, created: place)
    return SuspendedTask(
      number: number, awaited: .continuation(object), place: place, tests: tests,
      awaitsUsersContinuation: true)
  }

  private func findings(
    threads: [ThreadSnapshot], facts: [Standstill.Fact] = [], tasks: [SuspendedTask] = []
  ) -> [Finding] {
    let standstill = Standstill(threads: threads, facts: facts, tasks: tasks)
    return HangReport.findings(of: standstill) { object($0.rawValue) }
  }
}
