import Foundation
import Synchronization

/// Two locks, and the two orders in which this program takes them.
final class Pair: Sendable {
  private let hammer = NSLock()
  private let saw = NSLock()

  @inline(never) func forward() {
    hammer.lock()
    saw.lock()
    saw.unlock()
    hammer.unlock()
  }

  @inline(never) func backward() {
    saw.lock()
    hammer.lock()
    hammer.unlock()
    saw.unlock()
  }
}

/// Puts one thing after another in this run, and promises nothing for the next.
///
/// It is one atomic number: whoever watches locks, queues, joins and tasks learns nothing from it.
final class Flag: Sendable {
  private let isUp = Atomic(false)

  func raise() { isUp.store(true, ordering: .sequentiallyConsistent) }

  var isRaised: Bool { isUp.load(ordering: .sequentiallyConsistent) }

  func wait() {
    while !isRaised { sched_yield() }
  }

  /// The same without keeping a thread from other tasks.
  func yield() async {
    while !isRaised { await Task.yield() }
  }
}

/// A POSIX thread that can be joined, which Foundation's cannot.
struct JoinableThread {
  private let handle: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    var handle = pthread_t()
    let status = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(run: body)).toOpaque())
    precondition(status == 0)
    self.handle = handle
  }

  func join() { pthread_join(handle, nil) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
