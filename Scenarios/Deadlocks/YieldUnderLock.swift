import Foundation

extension Scenario {
  /// A thermometer sends its readings into a stream under its lock; the end of the stream takes the
  /// same lock.
  ///
  /// **What people write.** `measure` counts a reading and yields it in one critical section, again
  /// and again. `onTermination` takes the lock to note that nobody reads any more. A view cancels
  /// the reader's task when it goes away.
  ///
  /// **Why it breaks.** `yield` resumes the reader, which needs the status lock of the reader's
  /// task. `cancel()` runs the stream's handler, and so `onTermination`, under that lock. Measure:
  /// own lock, then status lock. Cancel: status lock, then own lock.
  ///
  /// **How it shows.** A view that goes away at the moment of a reading freezes, and the
  /// thermometer with it. The lock is taken in two short functions, neither of which waits for
  /// anything.
  ///
  /// **Repair.** Count under the lock, and yield after leaving it.
  static let yieldUnderLock = Scenario(
    id: "yield-under-lock", fault: .deadlocks,
    summary: "A loop yields into a stream under a lock that the stream's onTermination takes.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed,
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .harmful: .init(
        .hangs, observe: .finds("deadlock", allowing: "lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let thermometer = Thermometer()
      let reader = StreamReader(thermometer.readings)
      let measured = Arrivals()
      reader.settle()
      onThreads(
        {
          for _ in 0..<2 { thermometer.measureUnderLock() }
          measured.announce()
        },
        {
          measured.waitAWhile()
          reader.task.cancel()
        })
      awaitEnd(of: reader.task)
    },
    harmful: {
      let thermometer = Thermometer()
      let reader = StreamReader(thermometer.readings)
      let measuring = Arrivals()
      onThreads(
        {
          reader.settle()
          thermometer.measureUnderLock {
            measuring.announce()
            thermometer.ending.wait()
          }
        },
        {
          measuring.wait()
          reader.task.cancel()
        })
      awaitEnd(of: reader.task)
    },
    repaired: {
      let thermometer = Thermometer()
      let reader = StreamReader(thermometer.readings)
      let measuring = Arrivals()
      reader.settle()
      onThreads(
        {
          for _ in 0..<2 { thermometer.measure { measuring.meet(2, limit: 0.1) } }
        },
        {
          measuring.meet(2, limit: 0.1)
          reader.task.cancel()
        })
      awaitEnd(of: reader.task)
    })
}

/// `lock` protects `count` and `isRead`.
private final class Thermometer: @unchecked Sendable {
  let readings: AsyncStream<Int>
  let ending = Arrivals()
  private let output: AsyncStream<Int>.Continuation
  private let lock = NSLock()
  private var count = 0
  private var isRead = true

  init() {
    (readings, output) = AsyncStream.makeStream()
    output.onTermination = { [weak self] _ in self?.stop() }
  }

  /// `meanwhile` stands for the measuring.
  func measureUnderLock(meanwhile: () -> Void = {}) {
    lock.lock()
    meanwhile()
    count += 1
    if isRead { output.yield(count) }
    lock.unlock()
  }

  /// `meanwhile` stands for the measuring.
  func measure(meanwhile: () -> Void) {
    lock.lock()
    meanwhile()
    count += 1
    let (reading, isRead) = (count, isRead)
    lock.unlock()
    if isRead { output.yield(reading) }
  }

  private func stop() {
    ending.announce()
    lock.lock()
    isRead = false
    lock.unlock()
  }
}
