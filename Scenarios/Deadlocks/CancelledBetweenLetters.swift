import Foundation

extension Scenario {
  /// A reader of a letter box is cancelled between two letters, and waits for the next one for
  /// ever.
  ///
  /// **What people write.** `next` returns at once if the task is cancelled; if not, it keeps its
  /// continuation under a lock. The cancellation handler takes the continuation out and resumes it.
  ///
  /// **Why it breaks.** The task is cancelled after the question and before the continuation is
  /// kept. The handler finds no continuation, and nobody calls it again.
  ///
  /// **How it shows.** One in some thousand connections that are closed is never freed. No thread
  /// is blocked; a suspended task waits for a letter that nobody sends any more.
  ///
  /// **Repair.** The handler notes under the lock that the box is closed, and whoever keeps a
  /// continuation looks there first.
  static let cancelledBetweenLetters = Scenario(
    id: "cancelled-between-letters", fault: .deadlocks,
    summary: "A task asks whether it is cancelled, and parks, in two steps, guarded by a lock.",
    expectations: [
      .flawed: .init(
        .mayHang, observe: .perhaps("hang"), explore: .finds("hang"), options: "hang=1"),
      .harmful: .init(
        .hangs, observe: .finds("hang"), explore: .finds("hang"), options: "hang=1"),
      .repaired: .init(.ends, observe: .silent, options: "hang=1"),
    ],
    flawed: {
      let box = LetterBox()
      box.put("postcard")
      let reader = Task.detached { await box.read { while await box.next() != nil {} } }
      onThreads({ reader.cancel() })
      awaitEnd(of: reader)
    },
    harmful: {
      let box = LetterBox()
      let asked = Arrivals()
      let reader = Task.detached {
        await box.read {
          _ = await box.next()
          _ = await box.next {
            asked.announce()
            box.cancelled.wait()
          }
        }
      }
      box.put("postcard")
      asked.wait()
      reader.cancel()
      awaitEnd(of: reader)
    },
    repaired: {
      let box = LetterBox()
      let asked = Arrivals()
      let reader = Task.detached {
        await box.readToTheEnd {
          while await box.nextUnlessClosed(meanwhile: { asked.meet(2, limit: 0.1) }) != nil {}
        }
      }
      onThreads(
        { box.put("postcard") },
        {
          asked.meet(2, limit: 0.1)
          reader.cancel()
        })
      awaitEnd(of: reader)
    })
}

/// `lock` protects the rest.
private final class LetterBox: @unchecked Sendable {
  let cancelled = Arrivals()
  private let lock = NSLock()
  private var letters: [String] = []
  private var reader: CheckedContinuation<String?, Never>?
  private var isClosed = false

  /// Reads until the task is cancelled.
  func read(_ reading: @Sendable () async -> Void) async {
    await withTaskCancellationHandler {
      await reading()
    } onCancel: {
      lock.withLock { take() }?.resume(returning: nil)
      cancelled.announce()
    }
  }

  func readToTheEnd(_ reading: @Sendable () async -> Void) async {
    await withTaskCancellationHandler {
      await reading()
    } onCancel: {
      let waiting = lock.withLock {
        isClosed = true
        return take()
      }
      waiting?.resume(returning: nil)
    }
  }

  func put(_ letter: String) {
    let waiting = lock.withLock {
      if reader == nil { letters.append(letter) }
      return take()
    }
    waiting?.resume(returning: letter)
  }

  /// `meanwhile` stands for the opening of the last letter.
  func next(meanwhile: @Sendable () -> Void = {}) async -> String? {
    if Task.isCancelled { return nil }
    meanwhile()
    return await withCheckedContinuation { continuation in
      let letter = lock.withLock {
        if letters.isEmpty { reader = continuation }
        return letters.popLast()
      }
      if let letter { continuation.resume(returning: letter) }
    }
  }

  func nextUnlessClosed(meanwhile: @Sendable () -> Void) async -> String? {
    if Task.isCancelled { return nil }
    meanwhile()
    return await withCheckedContinuation { continuation in
      let (letter, waits) = lock.withLock {
        let waits = letters.isEmpty && !isClosed
        if waits { reader = continuation }
        return (letters.popLast(), waits)
      }
      if !waits { continuation.resume(returning: letter) }
    }
  }

  private func take() -> CheckedContinuation<String?, Never>? {
    defer { reader = nil }
    return reader
  }
}
