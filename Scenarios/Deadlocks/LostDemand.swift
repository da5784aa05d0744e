import Synchronization

extension Scenario {
  /// A decoder hands frames to a display without a buffer: whoever comes first waits for the other.
  ///
  /// **What people write.** The decoder looks whether the display waits; if not, it leaves its
  /// frame and suspends. The display looks whether there is a frame; if not, it leaves its
  /// continuation and suspends. The shared state is guarded by a mutex.
  ///
  /// **Why it breaks.** To look and to park are two sections. Both look before either has parked,
  /// each finds nobody, and both park. Nobody looks again.
  ///
  /// **How it shows.** Playback stands still once in some thousand starts. No thread is blocked and
  /// no lock is held; two continuations lie side by side that were made for each other.
  ///
  /// **Repair.** Look and park in one section, with the continuation at hand.
  static let lostDemand = Scenario(
    id: "lost-demand", fault: .deadlocks,
    summary: "A hand-over between two tasks looks for a partner and parks, in two steps.",
    expectations: [
      .flawed: .init(
        .mayHang, observe: .perhaps("hang"), explore: .finds("hang"), options: "hang=1"),
      .harmful: .init(
        .hangs, observe: .finds("hang"), explore: .finds("hang"), options: "hang=1"),
      .repaired: .init(.ends, observe: .silent, options: "hang=1"),
    ],
    flawed: {
      let player = Player()
      onTasks(
        { await player.offerInTwoSteps("frame 1") },
        { demand(await player.nextInTwoSteps(), equals: "frame 1") })
    },
    harmful: {
      let player = Player()
      let both = Meeting(of: 2)
      onTasks(
        { await player.offerInTwoSteps("frame 1") { await both.meet() } },
        { demand(await player.nextInTwoSteps { await both.meet() }, equals: "frame 1") })
    },
    repaired: {
      let player = Player()
      let both = Meeting(of: 2)
      onTasks(
        { await player.offer("frame 1") { await both.meet() } },
        { demand(await player.next { await both.meet() }, equals: "frame 1") })
    })
}

/// `desk` is its own lock; continuations are resumed after it was left.
private final class Player: Sendable {
  /// At most one of the two is there.
  private struct Desk {
    var offer: Offer?
    var demand: CheckedContinuation<String, Never>?
  }

  private struct Offer {
    var frame: String
    var taken: CheckedContinuation<Void, Never>
  }

  private let desk = Mutex(Desk())

  /// `meanwhile` stands for what a busy machine does between looking and parking.
  func offerInTwoSteps(
    _ frame: String, meanwhile: @Sendable () async -> Void = {}
  ) async {
    if let demand = desk.withLock({ $0.demand.take() }) { return demand.resume(returning: frame) }
    await meanwhile()
    await withCheckedContinuation { taken in
      desk.withLock { $0.offer = Offer(frame: frame, taken: taken) }
    }
  }

  func nextInTwoSteps(meanwhile: @Sendable () async -> Void = {}) async -> String {
    if let offer = desk.withLock({ $0.offer.take() }) {
      offer.taken.resume()
      return offer.frame
    }
    await meanwhile()
    return await withCheckedContinuation { demand in
      desk.withLock { $0.demand = demand }
    }
  }

  func offer(_ frame: String, before: @Sendable () async -> Void) async {
    await before()
    await withCheckedContinuation { taken in
      let demand = desk.withLock { desk in
        if desk.demand == nil { desk.offer = Offer(frame: frame, taken: taken) }
        return desk.demand.take()
      }
      guard let demand else { return }
      demand.resume(returning: frame)
      taken.resume()
    }
  }

  func next(before: @Sendable () async -> Void) async -> String {
    await before()
    return await withCheckedContinuation { demand in
      let offer = desk.withLock { desk in
        if desk.offer == nil { desk.demand = demand }
        return desk.offer.take()
      }
      guard let offer else { return }
      offer.taken.resume()
      demand.resume(returning: offer.frame)
    }
  }
}
