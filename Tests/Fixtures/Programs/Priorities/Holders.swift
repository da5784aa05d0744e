import Dispatch
import Foundation

extension Case {
  /// Urgent work has to wait, and work of lower quality seems to have what it waits for.
  static let hardlyHeld = [
    // The one that took it runs on; another one gave it back, and an urgent one has it now.
    Case("unlocked-by-another") {
      let (meeting, steps, lock) = (Meeting(), Steps(), NSLock())
      meeting.run(at: .utility) { _ in
        lock.lock()
        steps.take(1)
        steps.wait(for: 4)
      }
      meeting.run(at: .userInteractive) { _ in
        steps.wait(for: 1)
        lock.unlock()
        lock.withLock {
          steps.take(2)
          steps.wait(for: 3)
          Thread.sleep(forTimeInterval: Meeting.pause)
        }
        steps.take(4)
      }
      meeting.run(at: .userInteractive) { _ in
        steps.wait(for: 2)
        steps.take(3)
        lock.withLock {}
      }
      meeting.end()
    },
    // The block that took the slot is over; what runs on its thread has nothing to do with it.
    Case("slot-of-earlier-block") {
      let (meeting, slots) = (Meeting(), DispatchSemaphore(value: 1))
      let queue = DispatchQueue(label: "requests", qos: .utility)
      queue.async {
        slots.wait()
        queue.async { meeting.dawdle() }
        queue.async { slots.signal() }
      }
      meeting.run(at: .userInteractive) { meeting in
        meeting.arrive()
        slots.wait()
        slots.signal()
      }
      meeting.end()
    },
    // Two readers do not keep each other out: a writer stands between them.
    Case("reader-behind-writer") {
      let meeting = Meeting()
      let store = DispatchQueue(label: "store", attributes: .concurrent)
      meeting.run(at: .utility) { meeting in store.sync { meeting.dawdle() } }
      meeting.run(at: .userInteractive) { meeting in
        meeting.arrive()
        store.async(flags: .barrier) {}
        store.sync {}
      }
      meeting.end()
    },
  ]

  /// Two have what the urgent one waits for.
  static let crowded = [
    Case("utility-before-background") { twoReaders(.utility, .background) },
    Case("background-before-utility") { twoReaders(.background, .utility) },
  ]

  private static func twoReaders(_ first: DispatchQoS, _ second: DispatchQoS) {
    let (meeting, steps) = (Meeting(), Steps())
    let store = DispatchQueue(label: "store", attributes: .concurrent)
    meeting.run(at: first) { _ in
      store.sync {
        steps.take(1)
        steps.wait(for: 2)
      }
    }
    steps.wait(for: 1)
    meeting.run(at: second) { meeting in
      store.sync { meeting.dawdle() }
      steps.take(2)
    }
    meeting.run(at: .userInteractive) { meeting in
      meeting.arrive()
      store.sync(flags: .barrier) {}
    }
    meeting.end()
  }
}
