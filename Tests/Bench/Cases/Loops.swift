import CBenchProbe
import Dispatch
import Foundation
import Synchronization

/// The measured loops; each returns nanoseconds for one round.
enum Loops {
  private static let lock = NSLock()
  private static let count = Mutex(0)
  private static let queue = DispatchQueue(label: "threadmill.bench")
  private static let queues = (0..<64).map { DispatchQueue(label: "threadmill.bench.\($0)") }

  static let mutex: @Sendable (UInt64) -> Double = { timed($0, bench_mutex) }
  static let nestedPair: @Sendable (UInt64) -> Double = { timed($0, bench_nested_pair) }
  static let rotatingPairs: @Sendable (UInt64) -> Double = { timed($0, bench_rotating_pairs) }
  static let allPairsOf16: @Sendable (UInt64) -> Double = { timed($0, bench_all_pairs_of_16) }
  static let allPairsOf64: @Sendable (UInt64) -> Double = { timed($0, bench_all_pairs_of_64) }
  static let freshNesting: @Sendable (UInt64) -> Double = { timed($0, bench_fresh_nesting) }
  static let mutexLifetime: @Sendable (UInt64) -> Double = { timed($0, bench_mutex_lifetime) }

  static let nsLock: @Sendable (UInt64) -> Double = { rounds in
    let lock = lock
    return timed(rounds) { rounds in
      for _ in 0..<rounds {
        lock.lock()
        lock.unlock()
      }
    }
  }

  /// As in an optimised build, where all of lock and unlock is inlined.
  static let optimisedMutex: @Sendable (UInt64) -> Double = { rounds in
    timed(rounds) { rounds in
      for _ in 0..<rounds { count.withLock { $0 &+= 1 } }
    }
  }

  /// As in a debug build, where parts of lock and unlock are functions.
  static let swiftMutex: @Sendable (UInt64) -> Double = { timed($0, useSwiftMutex) }

  @_optimize(none) private static func useSwiftMutex(_ rounds: UInt64) {
    // Here a loop over a range would cost ten times what the lock costs.
    var round: UInt64 = 0
    while round < rounds {
      count.withLock { $0 &+= 1 }
      round &+= 1
    }
  }

  static let dispatchSync: @Sendable (UInt64) -> Double = { rounds in
    let queue = queue
    return timed(rounds) { rounds in
      for _ in 0..<rounds { queue.sync(execute: nothing) }
    }
  }

  /// From the first submission until the last block has run.
  static let dispatchAsync: @Sendable (UInt64) -> Double = { rounds in
    bench_unpin()
    defer { _ = bench_pin(0) }
    let queue = queue
    return timed(rounds) { rounds in
      for _ in 0..<rounds { queue.async(execute: nothing) }
      queue.sync(execute: nothing)
    }
  }

  /// The same over many queues; processor time of all threads together, because who waits for whom
  /// is decided by what else runs on the machine.
  static let asyncStorm: @Sendable (UInt64) -> Double = { rounds in
    bench_unpin()
    defer { _ = bench_pin(0) }
    let queues = queues
    return timed(rounds, by: bench_processor_time) { rounds in
      for round in 0..<rounds { queues[Int(round % 64)].async(execute: nothing) }
      for queue in queues { queue.sync(execute: nothing) }
    }
  }

  /// The rounds are nanoseconds here: how long the two threads may fight.
  static let contended: @Sendable (UInt64) -> Double = { nanoseconds in
    bench_unpin()
    defer { _ = bench_pin(0) }
    return bench_contended(nanoseconds)
  }

  @Sendable private static func nothing() {}

  private static func timed(
    _ rounds: UInt64, by clock: () -> UInt64 = bench_now, _ body: (UInt64) -> Void
  ) -> Double {
    let start = clock()
    body(rounds)
    return Double(clock() - start) / Double(rounds)
  }
}
