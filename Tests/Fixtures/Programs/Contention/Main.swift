import Dispatch
import Foundation
import Synchronization

// Locks that are taken a known number of times. Threadmill is linked and never called.

@main struct Main {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "class": oneClass()
    case "kinds": Kinds().useAll()
    case "condition": waitForCondition()
    case "swift-mutex": contendSwiftMutex()
    default:
      FileHandle.standardError.write(
        Data("usage: contention class | kinds | condition | swift-mutex\n".utf8))
      exit(2)
    }
  }
}

/// A lock of which everybody sees when somebody waits for it.
final class Till: @unchecked Sendable {
  // Only ever given to pthread's functions, but for `hasWaiter`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  /// What glibc writes into the word before it goes to sleep.
  var hasWaiter: Bool { mutex.pointee.__data.__lock == 2 }

  func count() {
    pthread_mutex_lock(mutex)
    pthread_mutex_unlock(mutex)
  }

  /// Keeps it until another thread waits for it, and 50 ms more.
  func dawdle(afterTaking taken: DispatchSemaphore) {
    pthread_mutex_lock(mutex)
    taken.signal()
    while !hasWaiter { sched_yield() }
    Thread.sleep(forTimeInterval: 0.05)
    pthread_mutex_unlock(mutex)
  }
}

/// Two tills from one place: 202 acquisitions, one of which waits for `dawdle`.
func oneClass() {
  let tills = (0..<2).map { _ in Till() }
  let taken = DispatchSemaphore(value: 0)
  let other = Thread.started {
    taken.wait()
    tills[0].count()
    for _ in 0..<100 { tills[1].count() }
  }
  tills[0].dawdle(afterTaking: taken)
  other.wait()
  for _ in 0..<100 { tills[1].count() }
}

/// The waiter's hold is in two parts, before and after the wait; the signaller's is in one.
func waitForCondition() {
  let condition = NSCondition()
  let waits = Atomic(false)
  let other = Thread.started {
    while !waits.load(ordering: .sequentiallyConsistent) { sched_yield() }
    condition.lock()
    condition.signal()
    condition.unlock()
  }
  condition.lock()
  waits.store(true, ordering: .sequentiallyConsistent)
  condition.wait()
  condition.unlock()
  other.wait()
}

/// One thread finds it taken, and sleeps.
func contendSwiftMutex() {
  let shared = Shared()
  let other = Thread.started {
    while !shared.isHeld.load(ordering: .sequentiallyConsistent) { sched_yield() }
    shared.waiter.store(Shared.thisThread, ordering: .sequentiallyConsistent)
    shared.add()
  }
  shared.mutex.withLock { count in
    shared.isHeld.store(true, ordering: .sequentiallyConsistent)
    while !shared.waiterSleeps { sched_yield() }
    count += 1
  }
  other.wait()
}

final class Shared: Sendable {
  let mutex = Mutex(0)
  let isHeld = Atomic(false)
  let waiter = Atomic(0)

  func add() { mutex.withLock { $0 += 1 } }

  /// The kernel's number of the calling thread; 0 if it does not tell.
  static var thisThread: Int {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    return link?.split(separator: "/").last.flatMap { Int($0) } ?? 0
  }

  /// Says the kernel: between the announcement and the lock there is nothing to sleep for.
  var waiterSleeps: Bool {
    let thread = waiter.load(ordering: .sequentiallyConsistent)
    guard thread != 0,
      let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8)
    else { return false }
    return status.contains(") S ")
  }
}

extension Thread {
  /// A thread that runs `body`; the group is empty when it is over.
  static func started(_ body: @escaping @Sendable () -> Void) -> DispatchGroup {
    let end = DispatchGroup()
    end.enter()
    let thread = Thread {
      body()
      end.leave()
    }
    thread.start()
    return end
  }
}
