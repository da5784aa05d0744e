import ThreadmillModel

/// The repetition that a test's own code asks for.
package struct RepetitionWish: Hashable, Sendable {
  /// `nil` leaves it to the options.
  package var policy: JitterPolicy?
  /// `nil` leaves it to the options.
  package var count: Int?
  /// `nil` leaves it to the options.
  package var seed: UInt64?

  package init(policy: JitterPolicy? = nil, count: Int? = nil, seed: UInt64? = nil) {
    self.policy = policy
    self.count = count
    self.seed = seed
  }

  /// Over it, what holds for the whole process.
  func plan(over options: Options) -> RepetitionPlan {
    // With nothing but a time, that alone is the limit.
    let count = count ?? options.repetitions ?? (options.time == nil ? 1 : nil)
    return RepetitionPlan(
      policy: policy ?? options.jitter, count: count, seconds: options.time,
      seed: seed.map(Seed.init(rawValue:)) ?? options.seed ?? .random,
      stopsAtFailure: options.until == .failure)
  }
}

/// How one test is repeated.
struct RepetitionPlan: Hashable, Sendable {
  var policy: JitterPolicy
  /// `nil` for as many as there is time for.
  var count: Int?
  /// After which none begins; `nil` for no limit.
  var seconds: Int?
  var seed: Seed
  var stopsAtFailure: Bool

  /// The first one's seed is the one that was given, so that a single one can be run again.
  func seed(ofNumber number: Int) -> Seed {
    number == 1 ? seed : Seed.derived(from: seed, number)
  }
}
