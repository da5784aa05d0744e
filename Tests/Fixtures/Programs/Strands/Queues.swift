import Foundation
import Synchronization

private final class Lazily: @unchecked Sendable {
  static let shared = Lazily()
  let box = Box()
}

private func deep(_ n: Int, _ body: (UnsafeMutablePointer<Int>) -> Void) -> Int {
  var here = n
  withUnsafeMutablePointer(to: &here, body)
  return n == 0 ? here : here + deep(n - 1, body)
}

private func wide(_ body: (UnsafeMutableBufferPointer<Int>) -> Void) {
  withUnsafeTemporaryAllocation(of: Int.self, capacity: 30_000) { memory in
    memory.initialize(repeating: 1)
    body(memory)
  }
}

let queueCases: [String: @Sendable () -> Void] = [
  "lazyGlobal": {
    let group = DispatchGroup()
    for i in 0..<4 {
      DispatchQueue.global().async(group: group) { _ = Lazily.shared.box.n + i }
    }
    group.wait()
  },
  "stack": {
    let group = DispatchGroup()
    for _ in 0..<40 {
      DispatchQueue.global().async(group: group) {
        _ = deep(300) { $0.pointee += 1 }
        wide { memory in _ = deep(3) { memory[0] += $0.pointee } }
      }
    }
    group.wait()
    DispatchQueue.concurrentPerform(iterations: 20) { _ in _ = deep(100) { $0.pointee += 1 } }
    _ = deep(200) { $0.pointee += 1 }
  },
  "serial": {
    let box = Box()
    let queue = DispatchQueue(label: "serial")
    for _ in 0..<50 { queue.async { box.touch() } }
    queue.sync { box.touch() }
    box.touch()
    queue.sync(execute: DispatchWorkItem { box.touch() })
    box.touch()
  },
  "targets": {
    let box = Box()
    let target = DispatchQueue(label: "target")
    let queues = (0..<3).map {
      DispatchQueue(label: "\($0)", attributes: .concurrent, target: target)
    }
    let group = DispatchGroup()
    for i in 0..<60 { queues[i % 3].async(group: group) { box.touch() } }
    for i in 0..<30 { queues[i % 3].sync { box.touch() } }
    group.wait()
    box.touch()
  },
  "barriers": {
    let box = Box()
    let queue = DispatchQueue(label: "barriers", attributes: .concurrent)
    for i in 0..<60 {
      if i % 4 == 0 {
        queue.async(flags: .barrier) { box.touch() }
      } else {
        queue.async { _ = box.n }
      }
      if i % 10 == 0 { queue.sync(flags: .barrier) { box.touch() } }
      if i % 11 == 0 { _ = queue.sync { box.n } }
    }
    queue.async(execute: DispatchWorkItem(flags: .barrier) { box.touch() })
    queue.sync(flags: .barrier) { box.touch() }
  },
  "groups": {
    let box = Box()
    let group = DispatchGroup()
    let parts = (0..<8).map { _ in Box() }
    for part in parts { DispatchQueue.global().async(group: group) { part.touch() } }
    group.enter()
    DispatchQueue.global().async {
      box.touch()
      group.leave()
    }
    let done = DispatchSemaphore(value: 0)
    group.notify(queue: .global()) {
      for part in parts { part.touch() }
      box.touch()
      done.signal()
    }
    done.wait()
    for part in parts { part.touch() }
    box.touch()
  },
  "items": {
    let box = Box()
    let item = DispatchWorkItem { box.touch() }
    DispatchQueue.global().async(execute: item)
    item.wait()
    box.touch()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group, execute: DispatchWorkItem { Box().touch() })
    group.wait()
  },
  "notified": {
    let box = Box()
    let next = DispatchWorkItem { box.touch() }
    let last = DispatchWorkItem { box.touch() }
    next.notify(queue: .global(), execute: last)
    DispatchQueue.global().async(execute: next)
    last.wait()
    box.touch()
  },
  "performed": {
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    let performed = DispatchWorkItem { box.touch() }
    performed.perform()
    performed.notify(queue: .global()) {
      box.touch()
      done.signal()
    }
    done.wait()
    box.touch()
  },
  "delays": {
    let box = Box()
    let queue = DispatchQueue(label: "delays")
    let group = DispatchGroup()
    for delay in 1...5 {
      group.enter()
      queue.asyncAfter(deadline: .now() + .milliseconds(delay)) {
        box.touch()
        group.leave()
      }
    }
    group.wait()
    box.touch()
  },
  "iterations": {
    var sums = [Int](repeating: 0, count: 64)
    sums[0] = 1
    sums.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let buffer = buffer
      DispatchQueue.concurrentPerform(iterations: 64) { i in
        buffer[i] += i
        DispatchQueue.concurrentPerform(iterations: 3) { _ in _ = deep(10) { $0.pointee += 1 } }
      }
    }
    sums[3] += 1
  },
  "locks": {
    let box = Box()
    let lock = NSLock()
    let mutex = Mutex(0)
    let recursive = NSRecursiveLock()
    let condition = NSCondition()
    let flag = Atomic(false)
    let group = DispatchGroup()
    for i in 0..<20 {
      DispatchQueue.global().async(group: group) {
        lock.withLock { box.touch() }
        mutex.withLock { $0 += i }
        recursive.withLock { recursive.withLock { _ = i } }
        condition.lock()
        condition.broadcast()
        condition.unlock()
      }
    }
    group.wait()
    let other = Box()
    DispatchQueue.global().async(group: group) {
      other.touch()
      flag.store(true, ordering: .releasing)
    }
    while !flag.load(ordering: .acquiring) { usleep(100) }
    other.touch()
    group.wait()
  },
  "sources": {
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    let timer = DispatchSource.makeTimerSource(queue: .global())
    box.touch()
    timer.setEventHandler {
      box.touch()
      if box.n > 4 { timer.cancel() }
    }
    timer.setCancelHandler {
      box.touch()
      done.signal()
    }
    timer.schedule(deadline: .now(), repeating: .milliseconds(1))
    timer.activate()
    done.wait()
    box.touch()
    let adder = DispatchSource.makeUserDataAddSource(queue: .global())
    let sent = Box()
    adder.setEventHandler {
      sent.touch()
      done.signal()
    }
    adder.resume()
    sent.touch()
    adder.add(data: 1)
    done.wait()
    sent.touch()
    adder.cancel()
  },
  "threadLocal": {
    // A cache that each thread has for itself.
    let group = DispatchGroup()
    for _ in 0..<40 {
      DispatchQueue.global().async(group: group) {
        let dictionary = Thread.current.threadDictionary
        let box = dictionary["box"] as? Box ?? Box()
        dictionary["box"] = box
        box.touch()
      }
    }
    group.wait()
  },
  "specific": {
    var key = pthread_key_t()
    pthread_key_create(&key) { Unmanaged<Box>.fromOpaque($0!).release() }
    let own = key
    let group = DispatchGroup()
    for _ in 0..<40 {
      DispatchQueue.global().async(group: group) {
        if pthread_getspecific(own) == nil {
          pthread_setspecific(own, Unmanaged.passRetained(Box()).toOpaque())
        }
        Unmanaged<Box>.fromOpaque(pthread_getspecific(own)!).takeUnretainedValue().touch()
      }
    }
    group.wait()
  },
  // More keys than the gate looks at. Those beyond come first, because TSan tells races with the
  // same stacks only once.
  "specificMany": {
    let keys = (0..<160).map { _ in
      var key = pthread_key_t()
      pthread_key_create(&key) { Unmanaged<Box>.fromOpaque($0!).release() }
      return key
    }.reversed()
    let group = DispatchGroup()
    for _ in 0..<10 {
      DispatchQueue.global().async(group: group) {
        for key in keys {
          if pthread_getspecific(key) == nil {
            pthread_setspecific(key, Unmanaged.passRetained(Box()).toOpaque())
          }
          Unmanaged<Box>.fromOpaque(pthread_getspecific(key)!).takeUnretainedValue().touch()
        }
      }
    }
    group.wait()
    for key in keys { pthread_key_delete(key) }
  },
  // A block that the allocator maps on its own.
  "specificLarge": {
    var key = pthread_key_t()
    pthread_key_create(&key) { free($0) }
    let own = key
    let group = DispatchGroup()
    for _ in 0..<40 {
      DispatchQueue.global().async(group: group) {
        if pthread_getspecific(own) == nil { pthread_setspecific(own, calloc(1, 4 << 20)) }
        pthread_getspecific(own)!.assumingMemoryBound(to: Int.self)[300_000] += 1
      }
    }
    group.wait()
  },
  "ends": {
    final class Owner: @unchecked Sendable {
      var box = Box()
      init() { box.touch() }
      deinit { box.touch() }
    }
    let group = DispatchGroup()
    for _ in 0..<20 {
      let owner = Owner()
      DispatchQueue.global().async(group: group) { owner.box.touch() }
      let item = DispatchWorkItem { [owner = Owner()] in owner.box.touch() }
      DispatchQueue.global().async(group: group, execute: item)
    }
    group.wait()
  },
  // The end of an item's block tells another thread that the item has run.
  "endsThatTell": {
    final class Teller: Sendable {
      let done = DispatchSemaphore(value: 0)
      deinit { done.signal() }
    }
    func item(_ box: Box) -> (told: DispatchSemaphore, item: DispatchWorkItem) {
      let teller = Teller()
      return (teller.done, DispatchWorkItem { withExtendedLifetime(teller) { box.touch() } })
    }
    for waits in [false, true] {
      let box = Box()
      let told: DispatchSemaphore
      do {
        let made = item(box)
        told = made.told
        DispatchQueue.global().async(execute: made.item)
        if waits { usleep(10_000) }
      }
      told.wait()
      box.touch()
    }
  },
  "suspension": {
    let box = Box()
    let queue = DispatchQueue(label: "suspended", attributes: [.initiallyInactive])
    queue.async { box.touch() }
    box.n += 0
    let other = DispatchQueue(label: "resumed")
    let sent = Box()
    other.suspend()
    other.async { sent.touch() }
    sent.touch()
    other.resume()
    queue.activate()
    queue.sync { box.touch() }
    other.sync { sent.touch() }
  },
  "onMain": {
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    box.touch()
    DispatchQueue.global().async {
      for _ in 0..<5 { DispatchQueue.main.async { box.touch() } }
      DispatchQueue.main.sync { box.touch() }
      DispatchQueue.main.async { done.signal() }
    }
    while done.wait(timeout: .now()) == .timedOut {
      RunLoop.main.run(until: Date() + 0.001)
      box.touch()
    }
  },
]
