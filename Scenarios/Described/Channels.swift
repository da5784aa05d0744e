import Foundation

/// Hands letters from whoever sends to whoever waits.
package protocol LetterChannel: AnyObject, Sendable {
  init()
  func send(_ letter: Int)
  func receive() async -> Int
}

/// Looks for a letter, and parks in a step of its own: a letter that comes in between lies there
/// for ever.
package final class HastyChannel: LetterChannel, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var letters: [Int] = []
  private var waiting: [CheckedContinuation<Int, Never>] = []

  package init() {}

  package func send(_ letter: Int) {
    let next: CheckedContinuation<Int, Never>? = lock.withLock {
      if waiting.isEmpty {
        letters.append(letter)
        return nil
      }
      return waiting.removeFirst()
    }
    next?.resume(returning: letter)
  }

  package func receive() async -> Int {
    if let letter = first() { return letter }
    return await withCheckedContinuation { continuation in
      lock.withLock { waiting.append(continuation) }
    }
  }

  private func first() -> Int? {
    lock.withLock { letters.isEmpty ? nil : letters.removeFirst() }
  }
}

/// Looks and parks under one lock.
package final class CarefulChannel: LetterChannel, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var letters: [Int] = []
  private var waiting: [CheckedContinuation<Int, Never>] = []

  package init() {}

  package func send(_ letter: Int) {
    let next: CheckedContinuation<Int, Never>? = lock.withLock {
      if waiting.isEmpty {
        letters.append(letter)
        return nil
      }
      return waiting.removeFirst()
    }
    next?.resume(returning: letter)
  }

  package func receive() async -> Int {
    await withCheckedContinuation { continuation in
      let letter: Int? = lock.withLock {
        if letters.isEmpty {
          waiting.append(continuation)
          return nil
        }
        return letters.removeFirst()
      }
      if let letter { continuation.resume(returning: letter) }
    }
  }
}
