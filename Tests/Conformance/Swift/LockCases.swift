import CThreadmillConformance
import Foundation
import Synchronization

/// Foundation's locks and the standard library's.
let lockCases = [
  Case("swift-lock.try", body: lockTry),
  Case("swift-lock.before", body: lockBefore),
  Case("swift-lock.recursive", body: recursiveLock),
  Case("swift-lock.condition", body: condition),
  Case("swift-lock.condition-timeout", body: conditionTimeout),
  Case("swift-lock.condition-lock", body: conditionLock),
  Case("swift-lock.contended", body: contended),
  Case("swift-lock.many", body: manyLocks),
  Case("swift-lock.mutex", body: mutex),
  Case("swift-lock.mutex-contended", body: mutexContended),
  Case("swift-lock.reader-writer", body: readerWriter),
  Case("swift-lock.lazy-reference", body: lazyReference),
]

/// Runs `body` on a new thread and returns what it returned.
private func elsewhere<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
  let result = Box<Value?>(nil)
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    result.value = body()
    done.signal()
  }
  done.wait()
  guard let value = result.value else { preconditionFailure("the thread stored no value") }
  return value
}

private final class Settings: Sendable {
  let limit: Int
  let ends: Count

  init(limit: Int, ends: Count) { (self.limit, self.ends) = (limit, ends) }
  deinit { ends.increment() }
}

private final class Registry: Sendable { let settings = AtomicLazyReference<Settings>() }

private func lazyReference() {
  let ends = Count()
  do {
    let registry = Registry()
    expect("empty", registry.settings.load() == nil)
    let first = registry.settings.storeIfNil(Settings(limit: 7, ends: ends))
    expect("kept", first.limit == 7)
    let other = elsewhere {
      registry.settings.storeIfNil(Settings(limit: 8, ends: ends)) === registry.settings.load()
    }
    expect("the first one stays", other)
    expect("loaded", registry.settings.load() === first)
    expect("the second one has ended", ends.value == 1)
  }
  // The thread above may still have the registry for a moment.
  ends.await(2)
  expect("both have ended", ends.value == 2)
}

private func lockTry() {
  let lock = NSLock()
  expect("free", lock.try())
  expect("held, same thread", lock.try(), false)
  expect("held", elsewhere { lock.try() }, false)
  lock.unlock()
  expect("free again", elsewhere { lock.withLock { true } })
}

private func lockBefore() {
  let lock = NSLock()
  expect("free", lock.lock(before: .distantPast))
  let deadline = Date(timeIntervalSinceNow: 0.01)
  let (gotIt, end) = elsewhere { (lock.lock(before: deadline), Date()) }
  expect("held", gotIt, false)
  expect("not early", end >= deadline)
  lock.unlock()
  expect("free again", lock.lock(before: .distantFuture))
  lock.unlock()
}

private func recursiveLock() {
  let lock = NSRecursiveLock()
  for _ in 0..<1_000 { lock.lock() }
  for _ in 1..<1_000 { lock.unlock() }
  expect("still held", elsewhere { lock.try() }, false)
  lock.unlock()
  let free = elsewhere {
    let free = lock.try()
    if free { lock.unlock() }
    return free
  }
  expect("free", free)
}

private func condition() {
  let condition = NSCondition()
  let items = Box(0)
  let done = Count()
  for _ in 0..<4 {
    Thread.detachNewThread {
      condition.lock()
      while items.value == 0 { condition.wait() }
      items.value -= 1
      condition.unlock()
      done.increment()
    }
  }
  condition.withLock {
    items.value = 1
    condition.signal()
  }
  done.await(1)
  expect("left", condition.withLock { items.value }, 0)
  condition.withLock {
    items.value = 3
    condition.broadcast()
  }
  done.await(4)
  expect("left at the end", condition.withLock { items.value }, 0)
}

private func conditionTimeout() {
  let condition = NSCondition()
  condition.lock()
  let deadline = Date(timeIntervalSinceNow: 0.01)
  while condition.wait(until: deadline) {}
  expect("not early", Date() >= deadline)
  condition.unlock()
  expect("usable", condition.withLock { true })
}

/// With deadlines, because this Foundation traps in a wait without one.
private func conditionLock() {
  let late = Date(timeIntervalSinceNow: 1_000_000)
  let lock = NSConditionLock(condition: 0)
  let order = Box<[Int]>([])
  Thread.detachNewThread {
    expect("second", lock.lock(whenCondition: 1, before: late))
    order.value.append(1)
    lock.unlock(withCondition: 2)
  }
  expect("not yet", lock.tryLock(whenCondition: 7), false)
  lock.lock()
  order.value.append(0)
  lock.unlock(withCondition: 1)
  expect("third", lock.lock(whenCondition: 2, before: late))
  order.value.append(2)
  lock.unlock()
  expect("order", order.value, [0, 1, 2])
}

private func contended() {
  let lock = NSLock()
  let total = Box(0)
  DispatchQueue.concurrentPerform(iterations: 4) { _ in
    for _ in 0..<5_000 { lock.withLock { total.value += 1 } }
  }
  expect("total", total.value, 20_000)
}

private func manyLocks() {
  let locks = (0..<300).map { _ in NSLock() }
  for lock in locks { lock.lock() }
  expect("all held", elsewhere { locks.allSatisfy { !$0.try() } })
  for lock in locks { lock.unlock() }
  expect("all free", elsewhere { locks.allSatisfy { $0.withLock { true } } })
}

private func mutex() {
  let values = Mutex([1])
  expect(
    "result",
    values.withLock {
      $0.append(2)
      return $0.count
    }, 2)
  do {
    try values.withLock { _ in throw Failure(code: 8) }
  } catch {
    expect("error", error as? Failure, Failure(code: 8))
  }
  expect("available", values.withLockIfAvailable { $0.count }, 2)
}

private final class Tally: Sendable {
  let count = Mutex(0)
}

private func mutexContended() {
  let tally = Tally()
  DispatchQueue.concurrentPerform(iterations: 4) { _ in
    for _ in 0..<5_000 { tally.count.withLock { $0 += 1 } }
  }
  expect("total", tally.count.withLock { $0 }, 20_000)
  let held = Count()
  let release = Count()
  Thread.detachNewThread {
    tally.count.withLock { _ in
      held.increment()
      release.await(1)
    }
  }
  held.await(1)
  expect("unavailable", tally.count.withLockIfAvailable { $0 }, nil)
  release.increment()
  expect("in the end", tally.count.withLock { $0 }, 20_000)
}

private func readerWriter() {
  let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  expect("init", pthread_rwlock_init(lock, nil), 0)
  let shared = Box(lock)
  let total = Box((first: 0, second: 0))
  let torn = Count()
  DispatchQueue.concurrentPerform(iterations: 4) { side in
    for _ in 0..<2_000 {
      if side < 2 {
        pthread_rwlock_wrlock(shared.value)
        total.value = (total.value.first + 1, total.value.second + 1)
      } else {
        pthread_rwlock_rdlock(shared.value)
        if total.value.first != total.value.second { torn.increment() }
      }
      pthread_rwlock_unlock(shared.value)
    }
  }
  expect("torn", torn.value, 0)
  expect("total", total.value.first, 4_000)
  expect("destroy", pthread_rwlock_destroy(lock), 0)
  lock.deallocate()
}
