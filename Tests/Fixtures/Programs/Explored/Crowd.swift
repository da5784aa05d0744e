import Dispatch
import Foundation

/// Many threads that wait at one time, each for another object.
enum Crowd {
  private static let count = 70

  /// A thread that sleeps goes on when all other threads wait.
  private static func untilAllWait() { sleep(1) }

  private static func inThreads(_ body: @escaping @Sendable (Int) -> Void) -> DispatchGroup {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread {
        body(number)
        group.leave()
      }
    }
    return group
  }

  static func atBarriers() {
    nonisolated(unsafe) let barriers = UnsafeMutablePointer<pthread_barrier_t>
      .allocate(capacity: count)
    defer { barriers.deallocate() }
    for number in 0..<count { pthread_barrier_init(barriers + number, nil, 2) }
    let group = inThreads { pthread_barrier_wait(barriers + $0) }
    untilAllWait()
    for number in 0..<count { pthread_barrier_wait(barriers + number) }
    group.wait()
    for number in 0..<count { pthread_barrier_destroy(barriers + number) }
  }

  /// First each `dispatch_once` is under way, then a second thread comes to each of them.
  static func atOnces() {
    nonisolated(unsafe) let tokens = UnsafeMutablePointer<Int>.allocate(capacity: count)
    tokens.initialize(repeating: 0, count: count)
    defer { tokens.deallocate() }
    let gate = DispatchSemaphore(value: 0)
    let first = inThreads { number in
      once(tokens + number, Unmanaged.passUnretained(gate).toOpaque()) { gate in
        gate.map { Unmanaged<DispatchSemaphore>.fromOpaque($0).takeUnretainedValue().wait() }
      }
    }
    untilAllWait()
    let second = inThreads { number in once(tokens + number, nil) { _ in } }
    untilAllWait()
    for _ in 0..<count { gate.signal() }
    first.wait()
    second.wait()
  }

  private typealias Work = @convention(c) (UnsafeMutableRawPointer?) -> Void
  private typealias Once =
    @convention(c) (
      UnsafeMutablePointer<Int>, UnsafeMutableRawPointer?, Work
    ) -> Void

  /// Swift has no `dispatch_once_f`.
  private static func once(
    _ token: UnsafeMutablePointer<Int>, _ context: UnsafeMutableRawPointer?, _ work: Work
  ) {
    unsafeBitCast(dlsym(nil, "dispatch_once_f"), to: Once.self)(token, context, work)
  }
}
