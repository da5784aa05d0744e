import Dispatch
import Foundation
import Testing

/// A thousand short tests, of about a millisecond of processor time each, that hand out their work
/// by Dispatch.
///
/// None blocks a thread of the pool on work that needs one: the pool would wait a second before it
/// adds another, and the benchmark would measure that.
@Suite struct ShortTests {
  @Test(arguments: 0..<250) func countsOnASerialQueue(seed: Int) {
    let counter = Counter()
    let queue = DispatchQueue(label: "counter \(seed)")
    for step in 0..<60 { queue.async { counter.value += work(seed + step) } }
    for step in 60..<75 { queue.sync { counter.value += work(seed + step) } }
    #expect(queue.sync { counter.value } == 75)
  }

  @Test(arguments: 0..<250) func writesBehindBarriers(seed: Int) async {
    let counter = Counter()
    let queue = DispatchQueue(label: "cache \(seed)", attributes: .concurrent)
    for step in 0..<60 {
      if step % 4 == 0 {
        queue.async(flags: .barrier) { counter.value += work(seed + step) }
      } else {
        queue.async { _ = work(seed + step + counter.value) }
      }
    }
    let count = await withCheckedContinuation { continuation in
      queue.async(flags: .barrier) { continuation.resume(returning: counter.value) }
    }
    #expect(count == 15)
  }

  @Test(arguments: 0..<250) func gathersInAGroup(seed: Int) async {
    let (counter, lock, group) = (Counter(), NSLock(), DispatchGroup())
    for step in 0..<50 {
      DispatchQueue.global().async(group: group) {
        let result = work(seed + step)
        lock.withLock { counter.value += result }
      }
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
      DispatchQueue.concurrentPerform(iterations: 20) { step in
        let result = work(seed + step)
        lock.withLock { counter.value += result }
      }
    }
    #expect(lock.withLock { counter.value } == 100)
  }
}

/// What a short block does, about 13 µs of it; returns 1.
///
/// Each block does it at another depth of the stack, all over a page. Where its frames lie in their
/// page alone changes the time by up to seven percent, and to watch a block shifts them: without
/// this, the benchmark would measure where (Mytkowicz et al., "Producing Wrong Data Without Doing
/// Anything Obviously Wrong!", ASPLOS 2009).
private func work(_ seed: Int) -> Int {
  // An odd factor: neighbours are far apart, and each of the 256 places comes up once.
  shifted(by: 16 * (seed &* 159 % 256), seed)
}

/// Sorts so many bytes further down the stack. Above 1 KiB, a temporary allocation is on the heap.
private func shifted(by bytes: Int, _ seed: Int) -> Int {
  let part = min(bytes, 1_008)
  return withUnsafeTemporaryAllocation(byteCount: part + 1, alignment: 16) { shift in
    shift[0] = 0
    return part < bytes ? shifted(by: bytes - part, seed) : sortNumbers(seed)
  }
}

@inline(never) private func sortNumbers(_ seed: Int) -> Int {
  let numbers = (0..<28).map { ($0 &* 7919 &+ seed) % 1009 }
  return numbers.sorted().isEmpty ? 0 : 1
}

/// Guarded by whoever uses it.
private final class Counter: @unchecked Sendable {
  var value = 0
}
