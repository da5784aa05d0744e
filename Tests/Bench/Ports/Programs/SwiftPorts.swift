import Foundation
import Synchronization

/// A buffer each of whose calls is locked. It is sendable because of its lock.
private final class Buffer: @unchecked Sendable {
  private var characters: [UInt8]
  private let lock = NSLock()

  init(_ text: String) { characters = Array(text.utf8) }

  var length: Int { lock.withLock { characters.count } }

  /// The first characters; `nil` if there are not so many any more.
  func prefix(_ count: Int) -> [UInt8]? {
    lock.withLock { count > characters.count ? nil : Array(characters[..<count]) }
  }

  func erase() { lock.withLock { characters.removeAll() } }
}

/// An account without a lock of its own. The programs leave its accesses to chance on purpose.
private final class Account: @unchecked Sendable {
  let lock = NSLock()
  var balance: Int

  init(_ balance: Int) { self.balance = balance }
}

/// A value that is made when it is first asked for. It is flawed: two may make it.
private final class Lazily: @unchecked Sendable {
  var value: Int?
  var makings = 0

  func get() -> Int {
    if let value { return value }
    makings += 1
    value = 42
    return 42
  }
}

/// A door that opens when all have come. It is flawed: the count is read outside of the lock.
private final class Door: @unchecked Sendable {
  let lock = NSLock()
  var come = 0
  var openings = 0
}

/// What is published before it is ready.
private final class Message: @unchecked Sendable {
  var isReady = false
  var text = 0
}

/// A number that is read and written atomically, but not changed atomically.
private final class Cell: Sendable {
  let value = Atomic(0)
  let other = Atomic(0)
}

extension Port {
  static let inSwift: [Port] = [
    Port("string-buffer") {
      let buffer = Buffer("abc")
      let wrong = Atomic(false)
      onThreads([
        {
          let count = buffer.length
          if buffer.prefix(count) == nil { wrong.store(true, ordering: .relaxed) }
        }, { buffer.erase() },
      ])
      if wrong.load(ordering: .relaxed) { throw Wrong() }
    },
    Port("transfer") {
      let (here, there) = (Account(10), Account(0))
      let move: @Sendable () -> Void = {
        guard here.lock.withLock({ here.balance >= 10 }) else { return }
        here.lock.withLock { here.balance -= 10 }
        there.lock.withLock { there.balance += 10 }
      }
      onThreads([move, move])
      if here.balance < 0 { throw Wrong() }
    },
    Port("opposite-transfer") {
      let (here, there) = (Account(10), Account(10))
      onThreads([
        { here.lock.withLock { there.lock.withLock { there.balance += 1 } } },
        { there.lock.withLock { here.lock.withLock { here.balance += 1 } } },
      ])
    },
    Port("made-twice") {
      let lazily = Lazily()
      onThreads([{ _ = lazily.get() }, { _ = lazily.get() }])
      if lazily.makings != 1 { throw Wrong() }
    },
    Port("door") {
      let door = Door()
      let come: @Sendable () -> Void = {
        door.lock.withLock { door.come += 1 }
        if door.come == 3 { door.lock.withLock { door.openings += 1 } }
      }
      onThreads([come, come, come])
      if door.openings != 1 { throw Wrong() }
    },
    Port("early-message") {
      let message = Message()
      let wrong = Atomic(false)
      onThreads([
        {
          message.isReady = true
          message.text = 7
        },
        {
          if message.isReady && message.text != 7 { wrong.store(true, ordering: .relaxed) }
        },
      ])
      if wrong.load(ordering: .relaxed) { throw Wrong() }
    },
    Port("lost-count") {
      let cell = Cell()
      let add: @Sendable () -> Void = {
        for _ in 0..<3 {
          let before = cell.value.load(ordering: .sequentiallyConsistent)
          cell.value.store(before + 1, ordering: .sequentiallyConsistent)
        }
      }
      onThreads([add, add])
      if cell.value.load(ordering: .relaxed) < 4 { throw Wrong() }
    },
    Port("two-cells") {
      let cell = Cell()
      let wrong = Atomic(false)
      let raise: @Sendable () -> Void = {
        for number in 1...3 {
          cell.value.store(number, ordering: .sequentiallyConsistent)
          cell.other.store(number, ordering: .sequentiallyConsistent)
        }
      }
      onThreads([
        raise,
        {
          let first = cell.value.load(ordering: .sequentiallyConsistent)
          let second = cell.other.load(ordering: .sequentiallyConsistent)
          if second > first + 1 { wrong.store(true, ordering: .relaxed) }
        },
      ])
      if wrong.load(ordering: .relaxed) { throw Wrong() }
    },
  ]
}
