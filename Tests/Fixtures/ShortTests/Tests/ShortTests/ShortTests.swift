import Dispatch
import Foundation
import Testing

/// A thousand short tests that do little but use Dispatch.
///
/// None blocks a thread of the pool on work that needs one: the pool would wait a second before it
/// adds another, and the benchmark would measure that.
@Suite struct ShortTests {
  @Test(arguments: 0..<250) func countsOnASerialQueue(seed: Int) {
    let counter = Counter()
    let queue = DispatchQueue(label: "counter \(seed)")
    for _ in 0..<100 { queue.async { counter.work() } }
    for _ in 0..<20 { queue.sync { counter.work() } }
    #expect(queue.sync { counter.value } == 120)
  }

  @Test(arguments: 0..<250) func writesBehindBarriers(seed: Int) async {
    let counter = Counter()
    let queue = DispatchQueue(label: "cache \(seed)", attributes: .concurrent)
    for index in 0..<60 {
      if index % 4 == 0 {
        queue.async(flags: .barrier) { counter.work() }
      } else {
        queue.async { counter.look() }
      }
    }
    let count = await withCheckedContinuation { continuation in
      queue.async(flags: .barrier) { continuation.resume(returning: counter.value) }
    }
    #expect(count == 15)
  }

  @Test(arguments: 0..<250) func gathersInAGroup(seed: Int) async {
    let (counter, lock, group) = (Counter(), NSLock(), DispatchGroup())
    for _ in 0..<50 {
      DispatchQueue.global().async(group: group) { lock.withLock { counter.work() } }
    }
    let count = await withCheckedContinuation { continuation in
      group.notify(queue: .global()) {
        continuation.resume(returning: lock.withLock { counter.value })
      }
    }
    #expect(count == 50)
  }

  @Test(arguments: 0..<250) func performsAtTheSameTime(seed: Int) {
    let (counter, lock) = (Counter(), NSLock())
    for _ in 0..<5 {
      DispatchQueue.concurrentPerform(iterations: 20) { _ in lock.withLock { counter.work() } }
    }
    #expect(lock.withLock { counter.value } == 100)
  }
}

/// Guarded by whoever uses it.
private final class Counter: @unchecked Sendable {
  private(set) var value = 0
  private var lines: [String] = []

  /// What a short block does: some arithmetic, a string, an array.
  func work() {
    value += 1
    lines.append("line \(value)")
    if lines.count > 20 { lines.removeAll(keepingCapacity: true) }
  }

  func look() { _ = lines.reduce(0) { $0 + $1.utf8.count } }
}
