/// One call whose price is measured, bare and observed, and what watching may add to it.
package struct PricedCase: Sendable {
  /// What watching a call may cost.
  package enum Limit: Sendable {
    /// So many nanoseconds more than bare.
    case added(nanoseconds: Double)
    /// So many times bare.
    case factor(Double)
    /// Measured for information.
    case none
  }

  /// Which of many samples stands for all of them.
  package enum Statistic: String, Codable, Sendable {
    /// For a single thread, where everything but the code itself only adds.
    case minimum
    /// For several threads, where a lucky sample is one in which they did not meet.
    case median
  }

  /// Short and without spaces: an argument, and a key in JSON.
  package let name: String
  /// What the table calls it.
  package let title: String
  package let limit: Limit
  package let statistic: Statistic
  /// Whether it must neither allocate nor make a system call once it is warm.
  package let isFastPath: Bool
  /// How often the call is made for one sample.
  let rounds: UInt64
  /// Makes the call so many times, and returns nanoseconds for each; 0 if this machine cannot.
  let sample: @Sendable (UInt64) -> Double
}

extension PricedCase {
  /// The case with this name.
  package static func named(_ name: String) -> PricedCase? { all.first { $0.name == name } }

  /// Every case, in the order of the table.
  package static let all = fastPaths + otherCases

  private static let otherCases = [
    PricedCase(
      name: "contended", title: "one mutex, 2 threads", limit: .factor(1.5), statistic: .median,
      isFastPath: false, rounds: 5_000_000, sample: Loops.contended),
    PricedCase(
      name: "dispatch-async", title: "dispatch_async, until run", limit: .none, statistic: .median,
      isFastPath: false, rounds: 10_000, sample: Loops.dispatchAsync),
    PricedCase(
      name: "async-storm", title: "the same over 64 queues, processor time", limit: .factor(1.5),
      statistic: .median, isFastPath: false, rounds: 20_000, sample: Loops.asyncStorm),
    PricedCase(
      name: "fresh-nesting", title: "16,384 fresh locks, nested at random", limit: .factor(3),
      statistic: .minimum, isFastPath: false, rounds: 16_384, sample: Loops.freshNesting),
    PricedCase(
      name: "mutex-lifetime", title: "pthread_mutex_init, destroy", limit: .none,
      statistic: .minimum, isFastPath: false, rounds: 50_000, sample: Loops.mutexLifetime),
  ]

  private static let fastPaths = [
    fastPath("mutex", "pthread mutex", adds: 15, rounds: 50_000, Loops.mutex),
    fastPath("nslock", "NSLock", adds: 15, rounds: 50_000, Loops.nsLock),
    fastPath(
      "swift-mutex", "Synchronization.Mutex", adds: 25, rounds: 50_000, Loops.swiftMutex),
    fastPath(
      "optimised-mutex", "the same, optimised", adds: 35, rounds: 50_000, Loops.optimisedMutex),
    fastPath("nested-pair", "mutex A, B, unlock both", adds: 35, rounds: 25_000, Loops.nestedPair),
    fastPath(
      "rotating-pairs", "the same over 16 locks", adds: 40, rounds: 25_000, Loops.rotatingPairs),
    fastPath(
      "all-pairs-of-16", "120 pairs of 16 locks", adds: 40, rounds: 25_000, Loops.allPairsOf16),
    fastPath(
      "all-pairs-of-64", "2,016 pairs of 64 locks", adds: 60, rounds: 25_000, Loops.allPairsOf64),
    fastPath(
      "dispatch-sync", "dispatch_sync, idle queue", adds: 60, rounds: 25_000, Loops.dispatchSync),
  ]

  private static func fastPath(
    _ name: String, _ title: String, adds nanoseconds: Double, rounds: UInt64,
    _ sample: @escaping @Sendable (UInt64) -> Double
  ) -> PricedCase {
    PricedCase(
      name: name, title: title, limit: .added(nanoseconds: nanoseconds), statistic: .minimum,
      isFastPath: true, rounds: rounds, sample: sample)
  }
}
