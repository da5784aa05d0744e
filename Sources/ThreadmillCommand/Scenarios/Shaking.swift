import ThreadmillModel

/// How the threads of a program are disturbed.
package struct Shaking: Hashable, Sendable {
  /// Seconds for which all threads of a shaken program may be held up at once: a little longer than
  /// the longest window of starvation.
  static let lull = 3.0

  package let policy: JitterPolicy
  package let seed: Seed

  package init(_ policy: JitterPolicy, seed: Seed) {
    self.policy = policy
    self.seed = seed
  }

  /// As it is told to the program.
  package var options: String { "jitter=\(policy.rawValue) seed=\(seed.rawValue)" }

  /// The same policy with a seed of its own for the run with this number, from 0, of what is called
  /// `name`: the same one whatever is run beside it.
  package func derived(for name: String, run: Int) -> Shaking {
    let own = Seed.derived(from: seed, Int(truncatingIfNeeded: Self.hash(name)))
    return Shaking(policy, seed: .derived(from: own, run))
  }

  /// FNV-1a: the same in every process.
  private static func hash(_ name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
