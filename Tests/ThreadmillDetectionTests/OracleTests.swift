import Testing
import ThreadmillDetection
import ThreadmillModel
import ThreadmillTestSupport

/// Random lock programs, judged by the graph and by brute force. The seeds are fixed: a run that
/// fails fails always, and one that passes cannot fail by chance.
@Suite(.pureComputation) struct OracleTests {
  /// What the programs of one test exercised; a generator that makes nothing of interest fails.
  struct Coverage {
    var found = 0
    var silent = 0
    var long = 0
    var reasons: [Substring: Int] = [:]
  }

  @Test(arguments: [0x7EAD_0001 as UInt64, 0x7EAD_0002])
  func findsTheCyclesOfTheOracle(seed: UInt64) {
    let coverage = compare(programs: 5_000, seed: seed, removals: false)
    print("oracle: seed \(seed): \(coverage)")
    #expect(coverage.found > 600)
    #expect(coverage.silent > 600)
    #expect(coverage.long > 50)
    for reason in ["common gate lock", "one thread only", "ordered by fork, join, wait or queue"] {
      #expect(coverage.reasons[reason[...], default: 0] > 300, "\(reason)")
    }
  }

  @Test func findsThemWhileLocksGo() {
    let seed: UInt64 = 0x7EAD_0003
    let coverage = compare(programs: 3_000, seed: seed, removals: true)
    print("oracle with removals: seed \(seed): \(coverage)")
    #expect(coverage.found > 300)
    #expect(coverage.reasons["is not used as a lock", default: 0] > 10)
  }

  private func compare(programs: Int, seed: UInt64, removals: Bool) -> Coverage {
    var random = SeededGenerator(seed: seed)
    var coverage = Coverage()
    for index in 0..<programs {
      let program = LockProgram(using: &random, removals: removals)
      let run = Simulator(program, using: &random)
      var oracle = NaiveOracle(past: run.past)
      var graph = LockOrderGraph()
      var reported: [[LockID]] = []
      for occurrence in run.occurrences {
        oracle.take(occurrence)
        reported += graph.take(occurrence)
        graph.checkInvariants()
      }
      oracle.search()
      #expect(Set(reported) == oracle.cycles, "seed \(seed), program \(index): \(run.occurrences)")
      #expect(Set(reported).count == reported.count, "seed \(seed), program \(index): said twice")
      let counted: Set = [
        "lockCandidatesForgotten", "lockCyclesOfOneThread", "lockNotesNotReported",
      ]
      #expect(counted.isSuperset(of: graph.accounting.keys))
      coverage.add(reported, graph.filtered)
    }
    return coverage
  }
}

extension OracleTests.Coverage {
  fileprivate mutating func add(_ reported: [[LockID]], _ filtered: [Finding]) {
    if reported.isEmpty { silent += 1 } else { found += 1 }
    if reported.contains(where: { $0.count > 2 }) { long += 1 }
    for reason in filtered.compactMap(\.reason) {
      let kind =
        reason.hasSuffix("is not used as a lock")
        ? reason.suffix("is not used as a lock".count) : reason.prefix { $0 != ":" }
      reasons[kind, default: 0] += 1
    }
  }
}

extension LockOrderGraph {
  /// The locks of the cycles that were reported, in the order of the cycle.
  fileprivate mutating func take(_ occurrence: Simulator.Occurrence) -> [[LockID]] {
    switch occurrence {
    case .created(let lock): declare(SharedObject(id: lock, kind: .readWriteLock))
    case .nested(let event, _): return nested(event).findings.map { $0.objects.map(\.id) }
    case .retired(let lock): retire(lock)
    case .disqualified(let lock):
      return disqualify(lock).verdicts.findings.map { $0.objects.map(\.id) }
    }
    return []
  }
}
