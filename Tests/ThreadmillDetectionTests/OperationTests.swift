import Testing
import ThreadmillModel

@testable import ThreadmillDetection

/// Which operation waits for which, and what the detectors make of it.
@Suite struct OperationTests {
  private func edge(_ from: UInt64, _ to: UInt64, by thread: UInt32 = 1) -> OperationDependency {
    OperationDependency(
      from: LockID(from), to: LockID(to), address: from * 16, place: UInt32(from),
      thread: ThreadID(thread), tests: ["test \(thread)"])
  }

  private func happening(
    _ kind: Happening.Kind, _ objects: [SharedObject], places: [Backtrace] = [],
    numbers: [UInt64] = [0, 0, 0, 0]
  ) -> Happening {
    Happening(
      kind: kind,
      thread: ThreadSnapshot(
        thread: ThreadID(4), name: "worker", held: [.lock(9)], stack: [Frame(address: 40)],
        tests: ["a"]),
      objects: objects, places: places, numbers: numbers)
  }

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
    let places: [Backtrace] = [1, 2, 3].map { [Frame(address: $0)] }
    let found = detectors.happened(
      happening(.operationsInCycle, operations, places: places, numbers: [3, 0, 0, 0]))
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

  @Test func aSecondUseNamesTheFirst() {
    var detectors = Detectors(without: [])
    let save = operation(2, "Save")
    let found = detectors.happened(
      happening(
        .operationUsedAgain, [save], places: [[Frame(address: 7)]], numbers: [0, 5, 3, 0]))
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

  @Test(arguments: [
    (
      Happening.Kind.operationFinishedEarly, UInt64(1), Finding.Kind.operationMisuse,
      """
      Operation finished before its start: Save L2 becomes finished when it is cancelled, before \
      its queue has started it
      """
    ),
    (
      .operationFinishedEarly, 0, .operationMisuse,
      """
      Operation finished before its start: Save L2 becomes finished before its queue has started \
      it
      """
    ),
    (
      .operationRevived, 0, .operationMisuse,
      """
      Operation executing after its end: Save L2 becomes executing after it has finished, so that \
      it is never finished for those who wait for it
      """
    ),
    (
      .operationAwaitedInside, 0, .deadlock,
      "Deadlock: Save L2 waits inside itself for its own end"
    ),
    (
      .operationAwaitedInside, 1, .deadlock,
      "Deadlock: Load \"file\" waits for Save L2, which waits for it by dependency"
    ),
    (
      .operationAwaitedInside, 2, .deadlock,
      """
      Deadlock: Load "file" waits for Save L2, which comes after it in a queue that runs one \
      operation at a time
      """
    ),
    (
      .operationAwaitedInside, 3, .deadlock,
      "Deadlock: the main thread waits for Save L2, which only the main thread can run"
    ),
  ])
  func theWords(_ kind: Happening.Kind, _ why: UInt64, _ found: Finding.Kind, _ title: String) {
    let fact = happening(
      kind, [operation(2, "Save"), operation(3, "Load file")], numbers: [why, 0, 0, 0])
    var detectors = Detectors(without: [])
    let findings = detectors.happened(fact)
    #expect(findings.map(\.title) == [title])
    #expect(findings.map(\.kind) == [found])
    var others = Detectors(without: [found])
    let rest = others.happened(fact)
    #expect(rest == [])
  }
}
