import Foundation
import Synchronization

final class Shed: Sendable {
  private let hammer = NSLock()
  private let saw = NSLock()
  private let both = Meeting()

  @inline(never) func frameWall() {
    hammer.lock()
    both.come()
    saw.lock()
  }

  @inline(never) func cutRafter() {
    saw.lock()
    both.come()
    hammer.lock()
  }
}

final class Relay: Sendable {
  private let baton = NSLock()
  private let started = Meeting()

  @inline(never) func runAway() {
    baton.lock()
    started.come()
  }

  @inline(never) func takeOver() {
    Thread.detachNewThread { self.runAway() }
    started.come()
    baton.lock()
  }
}

final class Stove: Sendable {
  private let left = NSLock()
  private let middle = NSLock()
  private let right = NSLock()
  private let all = Meeting(of: 3)

  @inline(never) func cookSoup() {
    left.lock()
    all.come()
    middle.lock()
  }

  @inline(never) func cookFish() {
    middle.lock()
    all.come()
    right.lock()
  }

  @inline(never) func cookSauce() {
    right.lock()
    all.come()
    left.lock()
  }
}

/// Its locks are in the user's code: no call is made until somebody has to wait.
final class Couple: Sendable {
  private let left = Mutex(0)
  private let right = Mutex(0)
  private let both = Meeting()

  @inline(never) func greet() {
    left.withLock { _ in
      both.come()
      right.withLock { _ in }
    }
  }

  @inline(never) func wave() {
    right.withLock { _ in
      both.come()
      left.withLock { _ in }
    }
  }
}

/// Initialised once, before the threads that use it, and never destroyed.
final class Atlas: @unchecked Sendable {
  private let pages = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  private let counter = NSLock()
  private let both = Meeting()

  init() { pthread_rwlock_init(pages, nil) }

  @inline(never) func readAndCount() {
    pthread_rwlock_rdlock(pages)
    both.come()
    counter.lock()
  }

  @inline(never) func countAndWrite() {
    counter.lock()
    both.come()
    pthread_rwlock_wrlock(pages)
  }
}
