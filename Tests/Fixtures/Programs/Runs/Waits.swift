import Dispatch
import Foundation

extension Case {
  /// Told by another thread than the one that runs the code.
  static let waits: [Case] = [
    // Both blocks wait for ever; whoever looks at it ends the program.
    Case("deadlock") {
      let (hammer, saw) = (NSLock(), NSLock())
      let (hasHammer, hasSaw) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let group = DispatchGroup()
      DispatchQueue.thumbnails().async(group: group) {
        hammer.lock()
        hasHammer.signal()
        hasSaw.wait()
        saw.lock()
      }
      DispatchQueue(label: "covers", qos: .utility).async(group: group) {
        saw.lock()
        hasSaw.signal()
        hasHammer.wait()
        hammer.lock()
      }
      group.wait()
    },
    // Both tasks do.
    Case("deadlocked-tasks") {
      let (hammer, saw) = (NSLock(), NSLock())
      let (hasHammer, hasSaw) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Task.detached(priority: .utility) { Self.take(hammer, hasHammer, hasSaw, saw) }
      Task.detached(priority: .utility) { Self.take(saw, hasSaw, hasHammer, hammer) }
      DispatchSemaphore(value: 0).wait()
    },
    // Work at a higher quality waits for a lock that a block on the chain has.
    Case("inversion") {
      let (lock, group) = (NSLock(), DispatchGroup())
      let taken = DispatchSemaphore(value: 0)
      DispatchQueue.thumbnails().async(group: group) {
        lock.withLock {
          taken.signal()
          Thread.sleep(forTimeInterval: 0.2)
        }
      }
      taken.wait()
      DispatchQueue(label: "screen", qos: .userInitiated).async(group: group) { lock.withLock {} }
      group.wait()
    },
  ]

  private static func take(
    _ first: NSLock, _ has: DispatchSemaphore, _ others: DispatchSemaphore, _ second: NSLock
  ) {
    first.lock()
    has.signal()
    others.wait()
    second.lock()
  }
}
