import Dispatch

extension Scenario {
  /// A settings object writes through a barrier that captures itself `unowned`.
  ///
  /// **What people write.** Readers use `queue.sync`, the setter uses an asynchronous barrier.
  /// Somebody has learnt that closures make retain cycles and writes `[unowned self]`.
  ///
  /// **Why it breaks.** The setter returns at once. If the last reference goes away before the
  /// barrier has its turn, the block finds no owner.
  ///
  /// **How it shows.** A crash in a queue's thread, far from the code that let the object go, and
  /// only where the queue was busy.
  ///
  /// **Repair.** Capture `self`: the block is gone soon, and with it the reference.
  static let unownedSetter = Scenario(
    id: "unowned-setter", fault: .dataRaces,
    summary: "A barrier setter captures its owner unowned and runs after it is gone.",
    expectations: [
      .flawed: .init(.traps, observe: .finds("crash"), explore: .finds("crash")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let busy = DispatchSemaphore(value: 0)
      let queue = DispatchQueue(label: "settings", attributes: .concurrent)
      queue.async { busy.wait() }
      Settings(queue: queue).setVolumeUnowned(11)
      busy.signal()
      queue.sync(flags: .barrier) {}
    },
    repaired: {
      let busy = DispatchSemaphore(value: 0)
      let queue = DispatchQueue(label: "settings", attributes: .concurrent)
      queue.async { busy.wait() }
      Settings(queue: queue).setVolume(11)
      busy.signal()
      queue.sync(flags: .barrier) {}
    })
}

private final class Settings: @unchecked Sendable {
  private let queue: DispatchQueue
  // Read on the queue, written there under a barrier.
  private var volume = 0

  init(queue: DispatchQueue) { self.queue = queue }

  func setVolumeUnowned(_ volume: Int) {
    queue.async(flags: .barrier) { [unowned self] in self.volume = volume }
  }

  func setVolume(_ volume: Int) {
    queue.async(flags: .barrier) { self.volume = volume }
  }
}
