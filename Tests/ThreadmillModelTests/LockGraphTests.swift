import Testing
import ThreadmillModel

@Suite struct LockGraphTests {
  private func node(_ name: String, _ label: String? = nil) -> LockGraph.LockClass {
    .init(kind: .mutex, label: label, place: [Frame(address: 1, function: name, line: 7)])
  }

  private func edge(_ from: Int, _ to: Int, _ count: Int = 1) -> LockGraph.Edge {
    .init(from: from, to: to, count: count, place: [])
  }

  @Test func classesOfTwoProcessesAreOne() {
    let one = LockGraph(classes: [node("b"), node("a")], edges: [edge(0, 1, 2)])
    let other = LockGraph(
      classes: [node("a"), node("b"), node("c")], edges: [edge(1, 0, 3), edge(2, 2)])
    let both = one.merged(with: other)
    #expect(both.classes == [node("a"), node("b"), node("c")])
    #expect(both.edges == [edge(1, 0, 5), edge(2, 2)])
    #expect(other.merged(with: one) == both)
  }

  @Test func anEdgeWithoutAnEndIsLeftOut() {
    #expect(LockGraph(classes: [node("a")], edges: [edge(0, 1), edge(-1, 0)]).edges == [])
  }

  /// Frames that nobody looked up are told apart by their addresses.
  @Test func bareClassesStayApart() {
    let classes = [1, 2].map { address in
      LockGraph.LockClass(kind: .mutex, place: [Frame(address: address)])
    }
    #expect(LockGraph(classes: classes, edges: [edge(0, 1)]).classes.count == 2)
  }

  /// From where to where one can walk, after Warshall.
  private func closure(_ graph: LockGraph) -> Set<[Int]> {
    var leads = Set(graph.edges.map { [$0.from, $0.to] })
    for middle in graph.classes.indices {
      let before = leads.filter { $0[1] == middle }
      let after = leads.filter { $0[0] == middle }
      for first in before {
        for second in after { leads.insert([first[0], second[1]]) }
      }
    }
    return leads
  }

  /// Against that closure. No chance of a wrong failure.
  @Test func cyclesAreWhatLeadsBack() {
    let seed: UInt64 = 20_261_122
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let count = Int.random(in: 1...9, using: &generator)
      let edges = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
        edge(
          Int.random(in: 0..<count, using: &generator),
          Int.random(in: 0..<count, using: &generator))
      }
      let graph = LockGraph(classes: (0..<count).map { node("n\($0)") }, edges: edges)
      let leads = closure(graph)
      let cycles = graph.cycles
      for from in 0..<count {
        #expect((cycles[from] != nil) == leads.contains([from, from]))
        for to in 0..<count where cycles[from] != nil && from != to {
          let isMutual = leads.contains([from, to]) && leads.contains([to, from])
          #expect((cycles[from] == cycles[to]) == isMutual)
        }
      }
    }
  }

  @Test func recordingsAreInTheOrderOfTheirBeginning() {
    func recording(_ process: Int, at: UInt64) -> Trace {
      Trace([
        .init(
          process: process, threads: [], locks: [], places: [],
          events: [.init(.job, ThreadID(1), at: at)])
      ])
    }
    let both = recording(9, at: 5).merged(with: recording(2, at: 7))
    #expect(both == recording(2, at: 7).merged(with: recording(9, at: 5)))
    #expect(both.recordings.map(\.process) == [9, 2])
  }
}
