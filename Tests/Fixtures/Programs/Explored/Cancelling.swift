import Foundation
import Synchronization

/// Tasks that are cancelled from outside, at any moment.
extension Bodies {
  static let cancellations: [String: Body] = [
    "asked-twice": .task { try await ask(.twice) },
    "asked-twice-repaired": .task { try await ask(.once) },
    "cancelled-at-the-end": .task { try await work(.ends) },
    "cancelled-at-the-end-repaired": .task { try await work(.endsOnce) },
    "handled-results": .task { try await count() },
    "resumed-under-lock": .task { await Gate(ThreadLock()).run(underLock: true) },
    "resumed-under-lock-repaired": .task { await Gate(ThreadLock()).run(underLock: false) },
    "resumed-under-mutex": .task { await Gate(ValueLock()).run(underLock: true) },
    "resumed-under-mutex-repaired": .task { await Gate(ValueLock()).run(underLock: false) },
    "yielded-under-lock": .task { await Sender(ThreadLock()).run(underLock: true) },
    "yielded-under-lock-repaired": .task { await Sender(ThreadLock()).run(underLock: false) },
    "yielded-under-mutex": .task { await Sender(ValueLock()).run(underLock: true) },
    "yielded-under-mutex-repaired": .task { await Sender(ValueLock()).run(underLock: false) },
    "cancelled-between": .task { await Feed(remembers: false).run() },
    "cancelled-between-repaired": .task { await Feed(remembers: true).run() },
  ]

  private enum Asking { case once, twice }

  private enum Handler { case ends, endsOnce }

  /// The handler may come when the operation has ended the work already. It makes no step.
  private static func work(_ handler: Handler) async throws {
    let isOver = Atomic(false)
    let ends = Atomic(0)
    let task = Task {
      await withTaskCancellationHandler {
        await Task.yield()
        if !isOver.exchange(true, ordering: .relaxed) { ends.add(1, ordering: .relaxed) }
      } onCancel: {
        let wasOver = isOver.exchange(true, ordering: .relaxed)
        if handler == .ends || !wasOver { ends.add(1, ordering: .relaxed) }
      }
    }
    task.cancel()
    await task.value
    if ends.load(ordering: .relaxed) != 1 { throw Wrong("ended twice") }
  }

  /// The results and errors of operations go through the handlers.
  private static func count() async throws {
    let counter = Counter()
    for number in 1...4 {
      do {
        let (count, text) = try await counter.next()
        let isRight = count == number && text.hasSuffix(" heap \(number)")
        if !isRight || number.isMultiple(of: 2) { throw Wrong("returned \(count), \(text)") }
      } catch let error as Counter.Passed {
        let isRight = error.number == number && number.isMultiple(of: 2)
        if !isRight { throw Wrong("threw \(error)") }
      }
    }
  }

  /// Whether it is cancelled may change between two questions, whatever lies between them.
  private static func ask(_ asking: Asking) async throws {
    let task = Task {
      let first = Task.isCancelled
      return asking == .once || first == ((try? Task.checkCancellation()) == nil)
    }
    task.cancel()
    if !(await task.value) { throw Wrong("cancelled in between") }
  }
}

private actor Counter {
  struct Passed: Error { let number: Int }
  private var count = 0

  /// Throws every other time; on this actor, in two handlers.
  func next() async throws -> (Int, String) {
    try await withTaskCancellationHandler {
      await Task.yield()
      let text = try await nextText()
      return (count, text)
    } onCancel: {
    }
  }

  private func nextText() async throws -> String {
    try await withTaskCancellationHandler {
      await Task.yield()
      count += 1
      if count.isMultiple(of: 2) { throw Passed(number: count) }
      return "a text that is kept on the heap \(count)"
    } onCancel: {
    }
  }
}

private protocol Section: Sendable {
  func run<Result>(_ section: () -> Result) -> Result
}

private final class ThreadLock: Section {
  private let lock = NSLock()
  func run<Result>(_ section: () -> Result) -> Result { lock.withLock(section) }
}

private final class ValueLock: Section {
  private let lock = Mutex(())
  func run<Result>(_ section: () -> Result) -> Result { lock.withLock { _ in section() } }
}

/// `lock` protects the rest.
private final class Gate: @unchecked Sendable {
  private let lock: any Section
  private var waiter: UnsafeContinuation<Void, Never>?
  private var isOpen = false

  init(_ lock: any Section) { self.lock = lock }

  func run(underLock: Bool) async {
    let visitor = Task { await pass() }
    let porter = Task { underLock ? openUnderLock() : open() }
    visitor.cancel()
    await porter.value
    await visitor.value
  }

  private func pass() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { if !park($0) { $0.resume() } }
    } onCancel: {
      open()
    }
  }

  private func park(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
    lock.run {
      if !isOpen { waiter = continuation }
      return !isOpen
    }
  }

  private func take() -> UnsafeContinuation<Void, Never>? {
    defer { waiter = nil }
    isOpen = true
    return waiter
  }

  private func open() { lock.run { take() }?.resume() }
  private func openUnderLock() { lock.run { take()?.resume() } }
}

/// `lock` protects `sent`.
private final class Sender: @unchecked Sendable {
  private let lock: any Section
  private var sent = 0

  init(_ lock: any Section) { self.lock = lock }

  func run(underLock: Bool) async {
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.onTermination = { _ in self.lock.run { self.sent = 0 } }
    let reader = Task { for await _ in values {} }
    let sender = Task {
      for number in 0..<2 {
        lock.run { count(number, underLock ? continuation : nil) }
        if !underLock { continuation.yield(number) }
      }
    }
    reader.cancel()
    await sender.value
    await reader.value
  }

  private func count(_ number: Int, _ continuation: AsyncStream<Int>.Continuation?) {
    sent += 1
    continuation?.yield(number)
  }
}

/// A reader asks whether it is cancelled, and then waits. Whoever cancels it wakes it, if it waits.
private final class Feed: @unchecked Sendable {
  private let lock = NSLock()
  private let remembers: Bool
  private var reader: UnsafeContinuation<Void, Never>?
  private var isOver = false

  init(remembers: Bool) { self.remembers = remembers }

  func run() async {
    let task = Task {
      await withTaskCancellationHandler {
        await next()
      } onCancel: {
        end()
      }
    }
    task.cancel()
    await task.value
  }

  private func next() async {
    if Task.isCancelled { return }
    await withUnsafeContinuation { continuation in
      let waits = lock.withLock {
        if !isOver { reader = continuation }
        return !isOver
      }
      if !waits { continuation.resume() }
    }
  }

  private func end() {
    let waiting = lock.withLock {
      defer { reader = nil }
      isOver = remembers
      return reader
    }
    waiting?.resume()
  }
}
