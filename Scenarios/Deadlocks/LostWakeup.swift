import Foundation

extension Scenario {
  /// A screen waits with a condition for its photo, and does not look whether it is already there.
  ///
  /// **What people write.** The download stores the photo and signals; the screen waits, and then
  /// shows the photo. Nobody waits for anything else, so what is there to check?
  ///
  /// **Why it breaks.** A signal wakes who waits now, and is forgotten where nobody does. If the
  /// photo is there first, the screen waits for the next signal, and there is none.
  ///
  /// **How it shows.** It hangs when the network is fast or the machine is slow: in the office, on
  /// the build server, with a photo that comes from a cache.
  ///
  /// **Repair.** Wait for the photo, not for the signal: look under the lock, and wait in a loop
  /// while it is not there.
  static let lostWakeup = Scenario(
    id: "lost-wakeup", fault: .deadlocks,
    summary: "A condition is signalled before anybody waits for it, and the wait has no predicate.",
    expectations: [
      .flawed: .init(
        .mayHang, observe: .perhaps("hang"), explore: .finds("hang"), options: "hang=1"),
      .harmful: .init(
        .hangs, observe: .finds("hang"), explore: .finds("hang"), options: "hang=1"),
      .repaired: .init(.ends, observe: .silent, options: "hang=1"),
    ],
    flawed: {
      let photo = Photo()
      onThreads({ demand(photo.waitBlindly(), equals: "beach") }, { photo.arrive("beach") })
    },
    harmful: {
      let photo = Photo()
      let arrived = Arrivals()
      onThreads(
        {
          arrived.wait()
          demand(photo.waitBlindly(), equals: "beach")
        },
        {
          photo.arrive("beach")
          arrived.announce()
        })
    },
    repaired: {
      let photo = Photo()
      let arrived = Arrivals()
      onThreads(
        {
          arrived.wait()
          demand(photo.wait(), equals: "beach")
        },
        {
          photo.arrive("beach")
          arrived.announce()
        })
    })
}

/// `condition` protects `content`.
private final class Photo: @unchecked Sendable {
  private let condition = NSCondition()
  private var content: String?

  func arrive(_ newContent: String) {
    condition.withLock {
      content = newContent
      condition.signal()
    }
  }

  func waitBlindly() -> String? {
    condition.withLock {
      condition.wait()
      return content
    }
  }

  func wait() -> String? {
    condition.withLock {
      while content == nil { condition.wait() }
      return content
    }
  }
}
