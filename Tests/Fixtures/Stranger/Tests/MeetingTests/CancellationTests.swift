import Dispatch
import Foundation
import Synchronization
import Testing

/// A value for one reader, who is resumed under the lock.
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

/// A newspaper that yields to its subscribers under the lock.
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

  private func rest(_ milliseconds: Int) async {
    try? await Task.sleep(for: .milliseconds(milliseconds))
  }

  /// The parcel arrives before the reader is cancelled, or after that.
  @Test func collectsParcels() async {
    for round in 0..<Self.rounds {
      let parcel = Parcel()
      let reader = Task { await parcel.collect() }
      let carrier = Task {
        await rest(round.isMultiple(of: 2) ? 5 : 35)
        parcel.arrive()
      }
      await rest(20)
      reader.cancel()
      await reader.value
      await carrier.value
    }
  }

  /// The reader is cancelled between two issues.
  @Test func readsNewspapers() async {
    for round in 0..<Self.rounds {
      let newspaper = Newspaper()
      let subscription = newspaper.subscription(round)
      let reader = Task { for await _ in subscription {} }
      let printer = Task {
        for issue in 0..<3 {
          newspaper.print(issue)
          await rest(30)
        }
      }
      await rest(15)
      reader.cancel()
      await reader.value
      await printer.value
    }
  }

  /// The reader is cancelled between two letters.
  @Test func readsLetters() async {
    for _ in 0..<Self.rounds {
      let box = LetterBox()
      let reader = Task { while await box.next() != nil {} }
      let postman = Task {
        await rest(5)
        box.put(1)
        await rest(30)
        box.put(2)
      }
      await rest(20)
      reader.cancel()
      await reader.value
      await postman.value
    }
  }
}
