import Foundation

extension Case {
  /// Between a thread and whoever started it.
  static let threads: [Case] = [
    Case("thread-create") { isOrdered in
      let (pair, done) = (Pair(), Flag())
      if isOrdered { pair.forward() }
      let thread = JoinableThread {
        if !isOrdered { done.wait() }
        pair.backward()
      }
      if !isOrdered { pair.forward() }
      done.raise()
      thread.join()
    },
    Case("thread-join") { isOrdered in
      let (pair, done) = (Pair(), Flag())
      let thread = JoinableThread {
        pair.forward()
        done.raise()
      }
      if isOrdered { thread.join() } else { done.wait() }
      pair.backward()
      if !isOrdered { thread.join() }
    },
  ]

  /// Between two threads that meet.
  static let hands: [Case] = [
    Case("semaphore") { isOrdered in
      let (pair, done, handed) = (Pair(), Flag(), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        if isOrdered { pair.forward() }
        handed.signal()
        if !isOrdered { pair.forward() }
        done.raise()
      }
      handed.wait()
      done.wait()
      pair.backward()
    },
    Case("condition") { isOrdered in
      Self.condition(isOrdered: isOrdered, comesLate: false)
    },
    Case("condition-late") { isOrdered in
      Self.condition(isOrdered: isOrdered, comesLate: true)
    },
    Case("barrier-of-threads") { isOrdered in
      let (pair, done, barrier) = (Pair(), Flag(), MeetingPoint(count: 2))
      let thread = JoinableThread {
        if isOrdered { pair.forward() }
        barrier.meet()
        if !isOrdered { pair.forward() }
        done.raise()
      }
      barrier.meet()
      done.wait()
      pair.backward()
      thread.join()
    },
  ]

  /// The predicate of a condition variable orders also the one who finds it true at once.
  private static func condition(isOrdered: Bool, comesLate: Bool) {
    let (pair, done, signalled) = (Pair(), Flag(), Flag())
    let mailbox = Mailbox()
    Thread.detachNewThread {
      if isOrdered { pair.forward() }
      if !comesLate { mailbox.isExpected.wait() }
      mailbox.deliver()
      signalled.raise()
      if !isOrdered { pair.forward() }
      done.raise()
    }
    if comesLate { signalled.wait() }
    mailbox.take()
    done.wait()
    pair.backward()
  }
}

/// `condition` protects `isFull`.
private final class Mailbox: @unchecked Sendable {
  /// Raised when somebody is about to wait, still with the lock.
  let isExpected = Flag()
  private let condition = NSCondition()
  private var isFull = false

  func deliver() {
    condition.lock()
    isFull = true
    condition.signal()
    condition.unlock()
  }

  func take() {
    condition.lock()
    isExpected.raise()
    while !isFull { condition.wait() }
    condition.unlock()
  }
}

/// Initialised before, and destroyed after, all threads that use it.
private final class MeetingPoint: @unchecked Sendable {
  private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

  init(count: UInt32) { pthread_barrier_init(barrier, nil, count) }

  deinit {
    pthread_barrier_destroy(barrier)
    barrier.deallocate()
  }

  func meet() { pthread_barrier_wait(barrier) }
}
