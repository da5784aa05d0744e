import ThreadmillModel

/// Gives each strand of a long schedule a turn from time to time.
///
/// A strategy may let one strand go on for ever that waits in a loop for another one, which could
/// go on as well. No machine keeps to such an order, so a schedule that has no end for this reason
/// alone is no failure. One that has no end although each strand has its turns is a livelock.
package struct Fairness: Sendable {
  /// The steps of others that a strand waits through before it has a turn.
  private static let longestWait = 100
  /// The steps that it may then make in a row.
  private static let turn = 100

  /// The steps of a schedule that a strategy orders as it likes.
  private let free: Int
  /// The step, plus 1, before which a strand was last seen to wait for its turn to begin.
  private var waitsSince = PerStrand(0)
  private var guest: UInt32 = 0
  private var left = 0

  /// - Parameter steps: the most that a schedule may have.
  package init(steps: Int) { free = Self.free(of: steps) }

  /// Returns the number of steps after which no strategy orders a schedule alone any more.
  package static func free(of steps: Int) -> Int { steps / 4 }

  /// A schedule begins.
  package mutating func begin() {
    waitsSince.reset()
    left = 0
  }

  /// Returns the index of the strand that has to make the next step; `nil` if the strategy chooses.
  ///
  /// - Parameter made: the number of steps before it.
  @inline(__always)
  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, made: Int) -> Int? {
    made < free ? nil : due(enabled, made)
  }

  /// Learns who makes the step.
  @inline(__always)
  package mutating func goes(_ strand: UInt32, made: Int) {
    if made >= free { waitsSince[strand] = made + 1 }
  }

  private mutating func due(_ enabled: UnsafeBufferPointer<Offer>, _ made: Int) -> Int? {
    var longest: (index: Int, wait: Int)?
    for (index, offer) in enabled.enumerated() {
      if left > 0, offer.strand == guest {
        left -= 1
        return index
      }
      if waitsSince[offer.strand] == 0 { waitsSince[offer.strand] = made + 1 }
      let wait = made + 1 - waitsSince[offer.strand]
      if wait > longest?.wait ?? 0 { longest = (index, wait) }
    }
    left = 0
    guard let longest, longest.wait > Self.longestWait else { return nil }
    (guest, left) = (enabled[longest.index].strand, Self.turn - 1)
    return longest.index
  }
}
