import Dispatch
import Foundation

extension Scenario {
  /// A clean-up in the background holds the lock of a cache that the screen reads.
  ///
  /// **What people write.** A cache with an `NSLock` around its dictionary. The screen looks things
  /// up; a clean-up at background walks over the whole dictionary under the same lock.
  ///
  /// **Why it breaks.** The screen waits until the clean-up is through, and the clean-up gets the
  /// processor last of all.
  ///
  /// **How it shows.** Scrolling stutters now and then, mostly while the device is busy otherwise.
  ///
  /// **Repair.** The dictionary belongs to a queue of the screen's quality; the clean-up hands its
  /// work to that queue in short pieces.
  static let lockInversion = Scenario(
    id: "lock-inversion", fault: .priority,
    summary: "Background work holds a lock that the screen waits for.",
    expectations: [
      .flawed: .init(.delays, observe: .finds("priorityInversion")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let cache = LockedCache()
      inTheMiddleOfCleaning { meanwhile in
        cache.cleanUp(meanwhile: meanwhile)
      } onScreen: {
        cache.image(named: "portrait")
      }
    },
    repaired: {
      let cache = ConfinedCache()
      inTheMiddleOfCleaning { meanwhile in
        cache.cleanUp(meanwhile: meanwhile)
      } onScreen: {
        cache.image(named: "portrait")
      }
    })
}

/// Looks something up on the screen's queue while the background cleans up; `meanwhile` is to be
/// called within that.
private func inTheMiddleOfCleaning(
  _ clean: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
  onScreen show: @escaping @Sendable () -> Int?
) {
  let (cleaning, asked) = (Arrivals(), Arrivals())
  let finished = DispatchGroup()
  DispatchQueue.global(qos: .background).async(group: finished) {
    clean {
      cleaning.announce()
      asked.wait()
      Thread.sleep(forTimeInterval: 0.1)
    }
  }
  DispatchQueue(label: "screen", qos: .userInteractive).async(group: finished) {
    cleaning.wait()
    asked.announce()
    _ = show()
  }
  finished.wait()
}

private final class LockedCache: @unchecked Sendable {
  // Guards `images`.
  private let lock = NSLock()
  private var images = ["portrait": 1]

  func image(named name: String) -> Int? {
    lock.lock()
    defer { lock.unlock() }
    return images[name]
  }

  func cleanUp(meanwhile: () -> Void) {
    lock.lock()
    defer { lock.unlock() }
    images = images.filter { $0.value > 0 }
    meanwhile()
  }
}

private final class ConfinedCache: @unchecked Sendable {
  // Owns `images`.
  private let queue = DispatchQueue(label: "images", qos: .userInteractive)
  private var images = ["portrait": 1]

  func image(named name: String) -> Int? { queue.sync { images[name] } }

  func cleanUp(meanwhile: @escaping @Sendable () -> Void) {
    queue.async { self.images = self.images.filter { $0.value > 0 } }
    meanwhile()
  }
}
