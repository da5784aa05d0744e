import Testing
import ThreadmillModel

@testable import ThreadmillDetection

/// The dependencies between operations, and the findings of the detectors about them.
@Suite struct OperationTests {
  private func edge(_ from: UInt64, _ to: UInt64, by thread: UInt32 = 1) -> OperationDependency {
    OperationDependency(
      from: LockID(from), to: LockID(to), address: from * 16, place: UInt32(from),
      thread: ThreadID(thread), tests: ["test \(thread)"])
  }

  private let thread = ThreadSnapshot(
    thread: ThreadID(4), name: "worker", held: [.lock(9)], stack: [Frame(address: 40)],
    tests: ["a"])

  private func operation(_ id: UInt64, _ label: String?) -> SharedObject {
    SharedObject(id: LockID(id), kind: .operation, label: label)
  }

  // MARK: The graph

  @Test func aChainIsNoCycle() {
    var graph = OperationGraph()
    var closing = (1..<100).map { graph.add(edge(UInt64($0), UInt64($0) + 1)) }
    closing += (101..<200).reversed().map { graph.add(edge(UInt64($0), UInt64($0) + 1)) }
    closing.append(graph.add(edge(100, 101)))
    #expect(!closing.contains(true))
    #expect(graph.way(from: LockID(1), to: LockID(200)).count == 199)
    #expect(graph.way(from: LockID(200), to: LockID(1)) == [])
  }

  @Test func theShortestWayIsFound() {
    var graph = OperationGraph()
    for (from, to) in [(1, 2), (2, 3), (3, 4), (4, 5), (2, 6), (6, 5)] as [(UInt64, UInt64)] {
      _ = graph.add(edge(from, to))
    }
    let closes = graph.add(edge(5, 1))
    #expect(closes)
    let way = graph.way(from: LockID(1), to: LockID(5))
    #expect(way == [edge(1, 2), edge(2, 6), edge(6, 5)])
  }

  @Test func theFirstOfTwoEqualDependenciesStays() {
    var graph = OperationGraph()
    for thread: UInt32 in [1, 2] { _ = graph.add(edge(1, 2, by: thread)) }
    #expect(graph.dependency(of: LockID(1), on: LockID(2))?.thread == ThreadID(1))
    #expect(graph.count == 1)
  }

  @Test func whatIsRemovedLeadsNowhere() {
    var graph = OperationGraph()
    for (from, to) in [(1, 2), (2, 3)] as [(UInt64, UInt64)] { _ = graph.add(edge(from, to)) }
    graph.remove(from: LockID(1), to: LockID(2))
    graph.remove(from: LockID(7), to: LockID(8))
    #expect(graph.way(from: LockID(1), to: LockID(3)) == [])
    var closing = [graph.add(edge(3, 1))]
    graph.remove(from: LockID(3), to: LockID(1))
    closing.append(graph.add(edge(1, 2)))
    closing.append(graph.add(edge(3, 1)))
    #expect(closing == [false, false, true])
    graph.remove(from: LockID(2), to: LockID(3))
    #expect(graph.way(from: LockID(1), to: LockID(3)) == [])
  }

  @Test func whatIsGoneTakesItsDependenciesAlong() {
    var graph = OperationGraph()
    for (from, to) in [(1, 2), (2, 3), (3, 4)] as [(UInt64, UInt64)] {
      _ = graph.add(edge(from, to))
    }
    graph.retire(LockID(2))
    graph.retire(LockID(9))
    #expect(graph.count == 1)
    #expect(graph.way(from: LockID(1), to: LockID(4)) == [])
    let closes = graph.add(edge(4, 1))
    #expect(!closes)
  }

  @Test func itSaysWhatASearchSays() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<50 {
      var graph = OperationGraph()
      var known: Set<[UInt64]> = []
      for _ in 0..<60 {
        let (a, b) = (generator.next() % 12, generator.next() % 12)
        guard a != b else { continue }
        if generator.next() % 4 == 0 {
          graph.remove(from: LockID(a), to: LockID(b))
          known.remove([a, b])
          continue
        }
        known.insert([a, b])
        let mayClose = graph.add(edge(a, b))
        let closes = Self.reaches(b, a, known)
        #expect(mayClose || !closes)
        #expect(graph.way(from: LockID(b), to: LockID(a)).isEmpty == !closes)
      }
    }
  }

  private static func reaches(_ from: UInt64, _ to: UInt64, _ edges: Set<[UInt64]>) -> Bool {
    var seen: Set<UInt64> = [from]
    var open = [from]
    while let node = open.popLast() {
      for edge in edges where edge[0] == node && seen.insert(edge[1]).inserted {
        open.append(edge[1])
      }
    }
    return seen.contains(to)
  }

  // MARK: Findings

  @Test func aCycleShowsWhereEachDependencyWasAdded() {
    var detectors = Detectors(without: [])
    _ = detectors.operationCycles.depends(edge(2, 3, by: 7))
    _ = detectors.operationCycles.depends(edge(3, 1, by: 8))
    let operations = [operation(1, "Resize thumbnail"), operation(2, "Save"), operation(3, nil)]
    let dependents = zip(operations, [1, 2, 3] as [UInt64]).map { operation, place in
      Happening.OperationsInCycle.Dependent(operation, told: [Frame(address: place)])
    }
    let found = detectors.happened(
      .operationsInCycle(.init(thread: thread, operations: dependents, length: 3)))
    let expected = Finding(
      kind: .operationCycle, status: .observed,
      title: """
        Operation cycle: Resize "thumbnail" waits for Save L2, Save L2 waits for operation L3, \
        operation L3 waits for Resize "thumbnail"
        """,
      participants: [
        Finding.Participant(
          thread: ThreadID(4), threadName: "worker",
          role: "makes Resize \"thumbnail\" wait for Save L2", frames: [Frame(address: 40)]),
        Finding.Participant(
          thread: ThreadID(7), role: "makes Save L2 wait for operation L3",
          frames: [Frame(address: 2)]),
        Finding.Participant(
          thread: ThreadID(8), role: "makes operation L3 wait for Resize \"thumbnail\"",
          frames: [Frame(address: 3)]),
      ],
      objects: operations, tests: ["a", "test 7", "test 8"])
    #expect(found == [expected])
  }

  @Test func aWayThatIsTooLongIsCounted() {
    var cycles = OperationCycles()
    for step in 1..<10 { _ = cycles.depends(edge(UInt64(step), UInt64(step) + 1)) }
    let short = cycles.way(from: LockID(1), to: LockID(10), limit: 9)
    #expect(short.count == 9)
    #expect(cycles.accounting == ["operationWaysTooLong": 0])
    let long = cycles.way(from: LockID(1), to: LockID(10), limit: 8)
    #expect(long == [])
    #expect(cycles.accounting == ["operationWaysTooLong": 1])
  }

  /// Not all operations of a long cycle are listed.
  @Test func aLongCycleIsCut() {
    var detectors = Detectors(without: [])
    let operations = [operation(1, "Load"), operation(2, "Save")]
    let found = detectors.happened(
      .operationsInCycle(
        .init(thread: thread, operations: operations.map { .init($0) }, length: 9)))
    #expect(
      found.map(\.title) == [
        "Operation cycle: Load L1 waits for Save L2, and so on through 8 more to the first"
      ])
  }

  @Test func noOperationIsNoCycle() {
    var detectors = Detectors(without: [])
    let found = detectors.happened(
      .operationsInCycle(.init(thread: thread, operations: [], length: 0)))
    #expect(found == [])
  }

  @Test func aSecondUseNamesTheFirst() {
    var detectors = Detectors(without: [])
    let save = operation(2, "Save")
    let found = detectors.happened(
      .operationUsedAgain(
        .init(
          thread: thread, operation: save, use: .addToQueue, state: .executing,
          firstUse: .init(at: [Frame(address: 7)], by: ThreadID(3)))))
    let expected = Finding(
      kind: .operationMisuse, status: .observed,
      title: "Operation used again: Save L2 is added to a queue while it is executing",
      participants: [
        Finding.Participant(
          thread: ThreadID(4), threadName: "worker",
          role: "adds Save L2 to a queue while it is executing", frames: [Frame(address: 40)]),
        Finding.Participant(
          thread: ThreadID(3), role: "used Save L2 before", frames: [Frame(address: 7)]),
      ],
      objects: [save], tests: ["a"])
    #expect(found == [expected])
  }

  @Test(
    arguments: [
      (.initialized, "new"), (.enqueuing, "being added to a queue"), (.enqueued, "in a queue"),
      (.dispatching, "in a queue"), (.starting, "being started"), (.executing, "executing"),
      (.finishing, "finishing"), (.finished, "finished"), (nil, "in use"),
    ] as [(OperationState?, String)])
  func aSecondUseNamesTheState(state: OperationState?, words: String) {
    var detectors = Detectors(without: [])
    let found = detectors.happened(
      .operationUsedAgain(
        .init(thread: thread, operation: operation(2, "Save"), use: .start, state: state)))
    #expect(
      found.map(\.title) == ["Operation used again: Save L2 is started while it is \(words)"])
    #expect(found.map(\.participants.count) == [1])
  }

  @Test(arguments: [
    (
      true,
      """
      Operation finished before its start: Save L2 becomes finished when it is cancelled, before \
      its queue has started it
      """
    ),
    (
      false,
      """
      Operation finished before its start: Save L2 becomes finished before its queue has started \
      it
      """
    ),
  ])
  func finishedEarly(isCancelled: Bool, title: String) {
    expect(
      .operationFinishedEarly(
        .init(thread: thread, operation: operation(2, "Save"), isCancelled: isCancelled)),
      .operationMisuse, title, [operation(2, "Save")])
  }

  @Test func revived() {
    expect(
      .operationRevived(.init(thread: thread, operation: operation(2, "Save"))),
      .operationMisuse,
      """
      Operation executing after its end: Save L2 becomes executing after it has finished, so that \
      it is never finished for those who wait for it
      """, [operation(2, "Save")])
  }

  private static let load = SharedObject(id: LockID(3), kind: .operation, label: "Load file")
  private static let parse = SharedObject(id: LockID(5), kind: .operation, label: "Parse")

  @Test(
    arguments: [
      (.itself, "Deadlock: Save L2 waits inside itself for its own end", []),
      (
        .dependency(running: load, between: [parse]),
        "Deadlock: Load \"file\" waits for Save L2, which waits for it by dependency",
        [parse, load]
      ),
      (
        .queue(running: load),
        """
        Deadlock: Load "file" waits for Save L2, which comes after it in a queue that runs one \
        operation at a time
        """, [load]
      ),
      (
        .main, "Deadlock: the main thread waits for Save L2, which only the main thread can run",
        []
      ),
    ] as [(Happening.OperationAwaitedInside.Hindrance, String, [SharedObject])])
  func awaitedInside(
    hindrance: Happening.OperationAwaitedInside.Hindrance, title: String, others: [SharedObject]
  ) {
    let save = operation(2, "Save")
    expect(
      .operationAwaitedInside(.init(thread: thread, awaited: save, hindrance: hindrance)),
      .deadlock, title, [save] + others)
  }

  /// Expects one finding with this kind, title and these objects; none if the kind is switched off.
  private func expect(
    _ happening: Happening, _ kind: Finding.Kind, _ title: String, _ objects: [SharedObject],
    _ location: SourceLocation = #_sourceLocation
  ) {
    var detectors = Detectors(without: [])
    let found = detectors.happened(happening)
    #expect(found.map(\.title) == [title], sourceLocation: location)
    #expect(found.map(\.kind) == [kind], sourceLocation: location)
    #expect(found.map(\.objects) == [objects], sourceLocation: location)
    var others = Detectors(without: [kind])
    let rest = others.happened(happening)
    #expect(rest == [], sourceLocation: location)
  }
}
