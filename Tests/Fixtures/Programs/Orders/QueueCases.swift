import Foundation

extension Case {
  /// Between work on queues and whoever gave it there.
  static let queues: [Case] = [
    Case("async") { isOrdered in
      let (pair, done, group) = (Pair(), Flag(), DispatchGroup())
      if isOrdered { pair.forward() }
      DispatchQueue.global().async(group: group) {
        if !isOrdered { done.wait() }
        pair.backward()
      }
      if !isOrdered { pair.forward() }
      done.raise()
      group.wait()
    },
    Case("async-after") { isOrdered in
      let (pair, done, group) = (Pair(), Flag(), DispatchGroup())
      group.enter()
      if isOrdered { pair.forward() }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
        if !isOrdered { done.wait() }
        pair.backward()
        group.leave()
      }
      if !isOrdered { pair.forward() }
      done.raise()
      group.wait()
    },
    Case("serial-queue-async-sync") { isOrdered in
      let (pair, done) = (Pair(), Flag())
      let queue = Self.queue(isSerial: isOrdered)
      queue.async {
        pair.forward()
        done.raise()
      }
      if !isOrdered { done.wait() }
      queue.sync { pair.backward() }
    },
    Case("serial-queue-async-async") { isOrdered in
      let (pair, done, group) = (Pair(), Flag(), DispatchGroup())
      let queue = Self.queue(isSerial: isOrdered)
      queue.async(group: group) {
        pair.forward()
        done.raise()
      }
      queue.async(group: group) {
        if !isOrdered { done.wait() }
        pair.backward()
      }
      group.wait()
    },
    Case("barrier-after-async") { isOrdered in
      let (pair, done, group) = (Pair(), Flag(), DispatchGroup())
      let queue = Self.queue(isSerial: false)
      queue.async(group: group) {
        pair.forward()
        done.raise()
      }
      group.enter()
      queue.async(flags: isOrdered ? .barrier : []) {
        done.wait()
        pair.backward()
        group.leave()
      }
      group.wait()
    },
    Case("async-after-barrier") { isOrdered in
      let (pair, done, group) = (Pair(), Flag(), DispatchGroup())
      let queue = Self.queue(isSerial: false)
      group.enter()
      queue.async(flags: isOrdered ? .barrier : []) {
        pair.forward()
        done.raise()
        group.leave()
      }
      queue.async(group: group) {
        done.wait()
        pair.backward()
      }
      group.wait()
    },
    Case("concurrent-perform") { isOrdered in
      let (pair, done, group) = (Pair(), Flag(), DispatchGroup())
      DispatchQueue.global().async(group: group) {
        done.wait()
        if !isOrdered { pair.backward() }
      }
      DispatchQueue.concurrentPerform(iterations: 4) { _ in pair.forward() }
      if isOrdered { pair.backward() }
      done.raise()
      group.wait()
    },
  ]

  private static func queue(isSerial: Bool) -> DispatchQueue {
    DispatchQueue(label: "work", attributes: isSerial ? [] : .concurrent)
  }
}
