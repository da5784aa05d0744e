import Dispatch
import Foundation
import Synchronization
import Testing

/// A value for one reader, who is resumed under the lock. `lock` protects the rest.
private final class Parcel: @unchecked Sendable {
  private let lock = NSLock()
  private var reader: CheckedContinuation<Void, Never>?
  private var isHere = false

  func arrive() {
    lock.lock()
    isHere = true
    reader?.resume()
    reader = nil
    lock.unlock()
  }

  func collect() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0) }
    } onCancel: {
      arrive()
    }
  }

  private func wait(_ continuation: CheckedContinuation<Void, Never>) {
    lock.withLock {
      if isHere { continuation.resume() } else { reader = continuation }
    }
  }
}

/// A newspaper that yields to its subscribers under the lock, which protects the rest.
private final class Newspaper: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var subscribers: [Int: AsyncStream<Int>.Continuation] = [:]

  func subscription(_ number: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
      continuation.onTermination = { [self] _ in
        lock.withLock { subscribers[number] = nil }
      }
      lock.withLock { subscribers[number] = continuation }
    }
  }

  func print(_ issue: Int) {
    lock.withLock { for each in subscribers.values { each.yield(issue) } }
  }
}

/// Letters for one reader, who is resumed inside of the Mutex.
private final class LetterBox: Sendable {
  private struct Box {
    var letters: [Int] = []
    var reader: CheckedContinuation<Int?, Never>?
    var isClosed = false
  }
  private let box = Mutex(Box())

  func put(_ letter: Int) {
    box.withLock { box in
      guard let reader = box.reader.take() else { return box.letters.append(letter) }
      reader.resume(returning: letter)
    }
  }

  func next() async -> Int? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0) }
    } onCancel: {
      box.withLock { box in
        box.isClosed = true
        box.reader.take()?.resume(returning: nil)
      }
    }
  }

  private func wait(_ continuation: CheckedContinuation<Int?, Never>) {
    box.withLock { box in
      if let letter = box.letters.popLast() {
        continuation.resume(returning: letter)
      } else if box.isClosed {
        continuation.resume(returning: nil)
      } else {
        box.reader = continuation
      }
    }
  }
}

/// A task is cancelled while another one resumes it under the lock of its cancellation handler. The
/// sleeps keep the two apart in real time.
@Suite(.serialized) struct Cancellations {
  private static let rounds = 10

  private func rest(_ milliseconds: Int) async throws {
    try await Task.sleep(for: .milliseconds(milliseconds))
  }

  /// Cancels the reader between two actions of the sender.
  private func cancel(
    _ reader: Task<Void, Never>, beside sender: Task<Void, any Error>
  ) async throws {
    try await rest(80)
    reader.cancel()
    await reader.value
    try await sender.value
  }

  /// The parcel arrives before the reader is cancelled, or after that.
  @Test func collectsParcels() async throws {
    for round in 0..<Self.rounds {
      let parcel = Parcel()
      let reader = Task { await parcel.collect() }
      let carrier = Task {
        try await rest(round.isMultiple(of: 2) ? 20 : 140)
        parcel.arrive()
      }
      try await cancel(reader, beside: carrier)
    }
  }

  @Test func readsNewspapers() async throws {
    for round in 0..<Self.rounds {
      let newspaper = Newspaper()
      let subscription = newspaper.subscription(round)
      let reader = Task { for await _ in subscription {} }
      let printer = Task {
        try await rest(20)
        newspaper.print(1)
        try await rest(120)
        newspaper.print(2)
      }
      try await cancel(reader, beside: printer)
    }
  }

  @Test func readsLetters() async throws {
    for _ in 0..<Self.rounds {
      let box = LetterBox()
      let reader = Task { while await box.next() != nil {} }
      let postman = Task {
        try await rest(20)
        box.put(1)
        try await rest(120)
        box.put(2)
      }
      try await cancel(reader, beside: postman)
    }
  }
}
