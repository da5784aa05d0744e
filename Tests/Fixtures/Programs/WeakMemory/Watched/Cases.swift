import CThreadmillWeakOrders
import Foundation
import Synchronization
import Threadmill

/// What the catalogue of scenarios does not have. Throws if it went wrong.
struct Case: Sendable {
  let name: String
  /// - Parameter isRepaired: whether the orders are right.
  let run: @Sendable (_ isRepaired: Bool) async throws -> Void
}

struct Wrong: Error, CustomStringConvertible {
  let description: String
}

/// One variable that threads share, without order.
final class Word: Sendable {
  private let value = Atomic(0)

  var relaxed: Int {
    get { value.load(ordering: .relaxed) }
    set { value.store(newValue, ordering: .relaxed) }
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
    inC, inAPair, lazyReference, allocating, awaited, asyncLet, grouped, resumed, lastRelease,
  ]

  /// The message in C, with narrow variables in one word, and a fence that releases.
  static let inC = Case(name: "in-c") { isRepaired in
    nonisolated(unsafe) let pair = weak_pair_make()
    defer { weak_pair_free(pair) }
    let seen = Word()
    onThreads({ weak_send(pair, isRepaired) }, { seen.relaxed = Int(weak_receive(pair)) })
    try expect(seen.relaxed == 42, "the flag is there, and the payload is \(seen.relaxed)")
  }

  /// The message with a flag of 16 bytes.
  private static let inAPair = Case(name: "in-a-pair") { isRepaired in
    final class Flag: Sendable { let pair = Atomic(WordPair(first: 0, second: 0)) }
    let (payload, flag, seen) = (Word(), Flag(), Word())
    seen.relaxed = 42
    let full = WordPair(first: 1, second: .max)
    onThreads(
      {
        payload.relaxed = 42
        if isRepaired {
          flag.pair.store(full, ordering: .releasing)
        } else {
          flag.pair.store(full, ordering: .relaxed)
        }
      },
      {
        let found = flag.pair.load(ordering: .acquiring)
        if found.first == 1, found.second == .max { seen.relaxed = payload.relaxed }
      })
    try expect(seen.relaxed == 42, "the flag is there, and the payload is \(seen.relaxed)")
  }

  /// Right in both forms. Between two atomic accesses, so many plain ones look as if they began new
  /// objects that the gate does not keep them in mind one by one.
  private static let allocating = Case(name: "allocating") { _ in
    let words = (0..<300).map { _ in Word() }
    for word in words { word.relaxed = 1 }
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 4_000)
    defer { memory.deallocate() }
    for index in 0..<4_000 { memory[index] = index }
    let sum = words.map(\.relaxed).reduce(0, +)
    try expect(sum == 300, "the sum is \(sum)")
  }

  /// Right in both forms.
  private static let lazyReference = Case(name: "lazy-reference") { _ in
    final class Settings: Sendable {
      let limit = Word()
      init() { limit.relaxed = 7 }
    }
    final class Registry: Sendable { let settings = AtomicLazyReference<Settings>() }
    let (registry, seen) = (Registry(), Word())
    seen.relaxed = 7
    onThreads(
      { _ = registry.settings.storeIfNil(Settings()) },
      { if let settings = registry.settings.load() { seen.relaxed = settings.limit.relaxed } })
    try expect(seen.relaxed == 7, "the settings are there, and the limit is \(seen.relaxed)")
  }

  /// Others may come before and after it.
  private static func look(at word: Word) { _ = word.relaxed }

  // Programs that are right in both forms, since the runtime orders what they do.

  /// The reader has started no task itself, and the writer may have ended.
  private static let awaited = Case(name: "awaited") { _ in
    let payload = Word()
    let writer = Task { payload.relaxed = 42 }
    let reader = Task {
      look(at: payload)
      await writer.value
      return payload.relaxed
    }
    let seen = await reader.value
    try expect(seen == 42, "the writer has ended, and the payload is \(seen)")
  }

  private static let asyncLet = Case(name: "async-let") { _ in
    let payload = Word()
    async let written: Void = { payload.relaxed = 42 }()
    look(at: payload)
    await written
    let seen = payload.relaxed
    try expect(seen == 42, "the writer has ended, and the payload is \(seen)")
  }

  private static let grouped = Case(name: "grouped") { _ in
    let payload = Word()
    let seen = await withTaskGroup { group in
      group.addTask { payload.relaxed = 42 }
      look(at: payload)
      await group.next()
      return payload.relaxed
    }
    try expect(seen == 42, "the writer has ended, and the payload is \(seen)")
  }

  /// A thread resumes the task before it waits, or after.
  private static let resumed = Case(name: "resumed") { _ in
    let payload = Word()
    let reader = Task {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          payload.relaxed = 42
          continuation.resume()
        }
        look(at: payload)
      }
      return payload.relaxed
    }
    let seen = await reader.value
    try expect(seen == 42, "the task is resumed, and the payload is \(seen)")
  }

  /// Whichever thread is the last owner, the other one has written before.
  private static let lastRelease = Case(name: "last-release") { _ in
    final class Box: Sendable {
      private let (value, end): (Word, Word)
      init(end: Word) { (value, self.end) = (Word(), end) }
      func fill() { value.relaxed = 42 }
      deinit { end.relaxed = value.relaxed }
    }
    let end = Word()
    let box = Unmanaged.passRetained(Box(end: end)).retain()
    onThreads(
      {
        box.takeUnretainedValue().fill()
        box.release()
      },
      {
        look(at: end)
        box.release()
      })
    try expect(end.relaxed == 42, "at the end, the value is \(end.relaxed)")
  }
}
