import CBenchProbe

/// One check of what many locks leave behind, or of how the price grows with their number.
package struct EndurancePart: Sendable {
  /// The highest number that the observed program may return.
  package enum Limit: Sendable {
    /// Whatever the bare program's number is.
    case most(Double)
    /// So many times the bare program's number.
    case factor(Double)
  }

  package let name: String
  package let title: String
  package let limit: Limit
  package let unit: String
  /// Returns the number that is held against the limit.
  let measure: @Sendable () -> Double
}

extension EndurancePart {
  /// The part with this name.
  package static func named(_ name: String) -> EndurancePart? { all.first { $0.name == name } }

  /// Every part, in the order of the table.
  package static let all = [
    memory("locks-in-turn", "1,000,000 locks, one after the other", limit: 2) {
      bench_locks_in_turn(1_000_000)
    },
    memory("locks-at-once", "1,000,000 locks, all alive at once", limit: 2) {
      bench_locks_at_once(1_000_000)
    },
    memory("locks-nested", "200,000 locks in turn, each under another", limit: 1) {
      bench_locks_in_turn_nested(200_000)
    },
    memory("fresh-locks", "1,000,000 fresh locks, nested at random", limit: 8) {
      bench_fresh_nesting(1_000_000)
    },
    EndurancePart(
      name: "fresh-nesting-of-a-million", title: "the same, for each lock", limit: .factor(3),
      unit: "ns"
    ) {
      let start = bench_processor_time()
      bench_fresh_nesting(1_000_000)
      return Double(bench_processor_time() - start) / 1_000_000
    },
    linearity("pairs-created", "100,000 pairs of 10,000 locks, in order") {
      bench_distinct_pairs(10_000, 100_000, false, 42)
    },
    linearity("pairs-shuffled", "100,000 pairs of 10,000 locks, shuffled") {
      bench_distinct_pairs(10_000, 100_000, true, 42)
    },
  ]

  /// How much more memory lies in use afterwards. The limits are too low for a leak of one pointer
  /// for each lock.
  private static func memory(
    _ name: String, _ title: String, limit: Double, _ body: @escaping @Sendable () -> Void
  ) -> EndurancePart {
    EndurancePart(name: name, title: title, limit: .most(limit), unit: "MiB more") {
      bench_locks_in_turn_nested(100)
      bench_locks_at_once(100)
      let before = Double(bench_resident_bytes())
      body()
      return (Double(bench_resident_bytes()) - before) / 1_048_576
    }
  }

  /// What a new pair costs in the second half, as a multiple of the first.
  private static func linearity(
    _ name: String, _ title: String, _ body: @escaping @Sendable () -> bench_halves
  ) -> EndurancePart {
    EndurancePart(name: name, title: title, limit: .most(1.5), unit: "x 1st half") {
      let halves = body()
      return halves.second / halves.first
    }
  }
}
