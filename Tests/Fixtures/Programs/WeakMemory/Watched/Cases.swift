import CThreadmillWeakOrders
import Foundation
import Synchronization
import Threadmill

/// An algorithm that is right with the orders that it should have, and wrong with weaker ones; the
/// variables are zero at first. Throws if it went wrong.
struct Case: Sendable {
  let name: String
  /// - Parameter isRepaired: whether the orders are right.
  let run: @Sendable (_ isRepaired: Bool) throws -> Void
}

struct Wrong: Error, CustomStringConvertible {
  let description: String
}

/// One variable that threads share.
final class Word: Sendable {
  private let value: Atomic<Int>

  init(_ value: Int = 0) { self.value = Atomic(value) }

  var relaxed: Int {
    get { value.load(ordering: .relaxed) }
    set { value.store(newValue, ordering: .relaxed) }
  }
  var paired: Int {
    get { value.load(ordering: .acquiring) }
    set { value.store(newValue, ordering: .releasing) }
  }
  var sequential: Int {
    get { value.load(ordering: .sequentiallyConsistent) }
    set { value.store(newValue, ordering: .sequentiallyConsistent) }
  }

  func publish(_ new: Int, _ isRepaired: Bool) {
    if isRepaired { paired = new } else { relaxed = new }
  }

  /// Releases, and is sequentially consistent where that is needed.
  func announce(_ new: Int, _ isRepaired: Bool) {
    if isRepaired { sequential = new } else { paired = new }
  }

  func look(_ isRepaired: Bool) -> Int { isRepaired ? sequential : paired }

  /// Returns what is left.
  func decrement(_ isRepaired: Bool) -> Int {
    isRepaired
      ? value.subtract(1, ordering: .acquiringAndReleasing).newValue
      : value.subtract(1, ordering: .relaxed).newValue
  }

  func take(_ expected: Int, _ desired: Int) -> Bool {
    value.compareExchange(
      expected: expected, desired: desired, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  func takeSurely(_ expected: Int, _ desired: Int) -> Bool {
    value.compareExchange(
      expected: expected, desired: desired, ordering: .sequentiallyConsistent
    ).exchanged
  }
}

/// Runs the bodies on a thread each, and waits for all.
func onThreads(_ bodies: (@Sendable () -> Void)...) {
  let group = DispatchGroup()
  for body in bodies {
    group.enter()
    Thread.detachNewThread {
      body()
      group.leave()
    }
  }
  group.wait()
}

func expect(_ condition: Bool, _ words: String) throws {
  if !condition { throw Wrong(description: words) }
}

extension Case {
  static let all = [
    message, dekker, peterson, pointer, ring, sequence, count, spinLock, deque, doubleChecked,
    inC,
  ]

  static let message = Case(name: "message") { isRepaired in
    let (payload, flag, seen) = (Word(), Word(), Word(42))
    onThreads(
      {
        payload.relaxed = 42
        flag.publish(1, isRepaired)
      },
      {
        if flag.paired == 1 { seen.relaxed = payload.relaxed }
      })
    try expect(seen.relaxed == 42, "the flag is there, and the payload is \(seen.relaxed)")
  }

  /// The message in C, with narrow variables in one word, and a fence that releases.
  static let inC = Case(name: "in-c") { isRepaired in
    nonisolated(unsafe) let pair = weak_pair_make()
    defer { weak_pair_free(pair) }
    let seen = Word()
    onThreads({ weak_send(pair, isRepaired) }, { seen.relaxed = Int(weak_receive(pair)) })
    try expect(seen.relaxed == 42, "the flag is there, and the payload is \(seen.relaxed)")
  }

  static let dekker = Case(name: "dekker") { isRepaired in
    let flags = [Word(), Word()]
    let inside = [Word(), Word()]
    @Sendable func enter(_ me: Int) {
      flags[me].announce(1, isRepaired)
      if flags[1 - me].look(isRepaired) == 0 { inside[me].relaxed = 1 }
    }
    onThreads({ enter(0) }, { enter(1) })
    try expect(inside[0].relaxed + inside[1].relaxed < 2, "both are inside")
  }

  static let peterson = Case(name: "peterson") { isRepaired in
    let (flags, turn, counter) = ([Word(), Word()], Word(), Word())
    @Sendable func enter(_ me: Int) {
      flags[me].announce(1, isRepaired)
      turn.announce(1 - me, isRepaired)
      while flags[1 - me].look(isRepaired) == 1, turn.look(isRepaired) == 1 - me {}
      counter.relaxed = counter.relaxed + 1
      flags[me].paired = 0
    }
    onThreads({ enter(0) }, { enter(1) })
    try expect(counter.relaxed == 2, "the counter is \(counter.relaxed)")
  }

  static let pointer = Case(name: "pointer") { isRepaired in
    final class Settings: Sendable { let limit = Word() }
    let (shared, seen) = (Word(), Word(7))
    let settings = Settings()
    onThreads(
      {
        settings.limit.relaxed = 7
        shared.publish(Int(bitPattern: Unmanaged.passUnretained(settings).toOpaque()), isRepaired)
      },
      {
        guard let found = UnsafeRawPointer(bitPattern: shared.paired) else { return }
        seen.relaxed = Unmanaged<Settings>.fromOpaque(found).takeUnretainedValue().limit.relaxed
      })
    try expect(seen.relaxed == 7, "the settings are there, and the limit is \(seen.relaxed)")
  }

  static let ring = Case(name: "ring") { isRepaired in
    let (slots, tail, wrong) = ([Word(), Word()], Word(), Word())
    onThreads(
      {
        for index in 0..<2 {
          slots[index].relaxed = index + 1
          tail.publish(index + 1, isRepaired)
        }
      },
      {
        for index in 0..<tail.paired where slots[index].relaxed != index + 1 {
          wrong.relaxed = index + 1
        }
      })
    try expect(wrong.relaxed == 0, "slot \(wrong.relaxed) is empty")
  }

  static let sequence = Case(name: "sequence") { isRepaired in
    let (number, left, right, torn) = (Word(), Word(), Word(), Word())
    onThreads(
      {
        number.relaxed = 1
        if isRepaired { atomicMemoryFence(ordering: .releasing) }
        left.relaxed = 1
        right.relaxed = 1
        number.paired = 2
      },
      {
        let before = number.paired
        let (one, other) = (left.relaxed, right.relaxed)
        if isRepaired { atomicMemoryFence(ordering: .acquiring) }
        if before % 2 == 0, number.relaxed == before, one != other { torn.relaxed = 1 }
      })
    try expect(torn.relaxed == 0, "the two halves are of different times")
  }

  static let count = Case(name: "count") { isRepaired in
    let (owners, fields, missing) = (Word(2), [Word(), Word()], Word())
    @Sendable func letGo(_ me: Int) {
      fields[me].relaxed = 1
      guard owners.decrement(isRepaired) == 0 else { return }
      if fields[0].relaxed + fields[1].relaxed != 2 { missing.relaxed = 1 }
    }
    onThreads({ letGo(0) }, { letGo(1) })
    try expect(missing.relaxed == 0, "the last owner misses what the other one has written")
  }

  static let spinLock = Case(name: "spin-lock") { isRepaired in
    let (lock, counter) = (Word(), Word())
    @Sendable func increment() {
      while !lock.take(0, 1) {}
      counter.relaxed = counter.relaxed + 1
      lock.publish(0, isRepaired)
    }
    onThreads({ increment() }, { increment() })
    try expect(counter.relaxed == 2, "the counter is \(counter.relaxed)")
  }

  /// The deque of Chase and Lev with two elements: the owner takes the last one, two thieves take
  /// from the first one on.
  static let deque = Case(name: "deque") { isRepaired in
    let (top, bottom, taken) = (Word(), Word(2), [Word(), Word()])
    let twice = Word()
    @Sendable func note(_ element: Int) {
      if !taken[element].takeSurely(0, 1) { twice.relaxed = 1 }
    }
    @Sendable func take() {
      bottom.relaxed = 1
      if isRepaired { atomicMemoryFence(ordering: .sequentiallyConsistent) }
      let first = top.relaxed
      if first < 1 || first == 1 && top.takeSurely(1, 2) { note(1) }
    }
    @Sendable func steal() {
      let first = top.paired
      if isRepaired { atomicMemoryFence(ordering: .sequentiallyConsistent) }
      if first < bottom.paired, top.takeSurely(first, first + 1) { note(first) }
    }
    onThreads(
      { take() },
      {
        steal()
        steal()
      })
    try expect(twice.relaxed == 0, "one element was taken twice")
  }

  static let doubleChecked = Case(name: "double-checked") { isRepaired in
    let (isLoaded, value, lock, wrong) = (Word(), Word(), NSLock(), Word())
    @Sendable func load() {
      lock.lock()
      defer { lock.unlock() }
      guard isLoaded.relaxed == 0 else { return }
      value.relaxed = 9
      isLoaded.publish(1, isRepaired)
    }
    @Sendable func use() {
      if (isRepaired ? isLoaded.paired : isLoaded.relaxed) == 0 { load() }
      if value.relaxed != 9 { wrong.relaxed = 1 }
    }
    onThreads({ use() }, { use() })
    try expect(wrong.relaxed == 0, "it is loaded, and the value is missing")
  }
}
