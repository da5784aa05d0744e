import Testing
import ThreadmillDetection
import ThreadmillModel
import ThreadmillTestSupport

/// How the work grows, in nodes and edges looked at, which no other process can change.
///
/// The pairs come from a fixed seed. What is left to chance is the order within a set, worth one
/// visit in some thousand; the bounds are one tenth and more away from what was measured.
@Suite(.pureComputation) struct ScaleTests {
  /// Where the pairs come from; all but the last can be taken in one order.
  enum Pairs: CaseIterable {
    case againstAge, shuffled, underOne, anyhow
  }

  /// Ten pairs for each lock, by one thread.
  private func load(_ pairs: Pairs, locks: Int) -> LockOrderGraph {
    let seed: UInt64 = 0x5CA1_E001
    var random = SeededGenerator(seed: seed)
    let rank = Array(0..<locks).shuffled(using: &random)
    var graph = LockOrderGraph()
    for id in 0..<locks { graph.declare(.mutex(UInt64(id))) }
    var seen: Set<[Int]> = []
    while seen.count < 10 * locks {
      let (a, b) = (random.below(locks), random.below(locks))
      let pair = pairs.arrange(a, b, rank)
      guard a != b, seen.insert(pair).inserted else { continue }
      let (held, wanted) = (LockID(UInt64(pair[0])), LockID(UInt64(pair[1])))
      _ = graph.nested(.simple(strand: 1, time: UInt32(seen.count), held, wanted))
    }
    return graph
  }

  @Test(arguments: [Pairs.againstAge, .shuffled, .underOne])
  func workPerPairDoesNotGrow(pairs: Pairs) {
    let few = load(pairs, locks: 1_000)
    let many = load(pairs, locks: 10_000)
    #expect(few.accounting == [:])
    #expect(many.accounting == [:])
    print("scale: \(pairs): \(few.visited) for 10,000 pairs, \(many.visited) for 100,000")
    #expect(many.visited >= 100_000)
    #expect(Double(many.visited) < 11.5 * Double(few.visited))
    #expect(many.visited < 400_000)
  }

  @Test func norIfEverythingIsOneCycle() {
    let few = load(.anyhow, locks: 300)
    let many = load(.anyhow, locks: 3_000)
    print("scale: anyhow: \(few.visited) for 3,000 pairs, \(many.visited) for 30,000")
    #expect(many.visited < 10 * few.visited)
    #expect(many.visited < 120 * 30_000)
    #expect(many.accounting["lockSearchesCutShort"] == nil)
  }
}

extension ScaleTests.Pairs {
  /// The pair as held and wanted.
  fileprivate func arrange(_ a: Int, _ b: Int, _ rank: [Int]) -> [Int] {
    switch self {
    case .againstAge: [max(a, b), min(a, b)]
    case .shuffled: rank[a] < rank[b] ? [a, b] : [b, a]
    case .underOne: a % 10 == 0 ? [0, max(1, b)] : [min(a, b), max(a, b)]
    case .anyhow: [a, b]
    }
  }
}
