import Synchronization

extension Scenario {
  /// A newsroom sends headlines into a stream inside of a Mutex's `withLock`; the end of the stream
  /// takes the same Mutex.
  ///
  /// **What people write.** The state of the newsroom is in a `Mutex`. `publish` appends a headline
  /// to the archive and yields it in one closure of `withLock`, again and again. `onTermination`
  /// notes by `withLock` that nobody reads any more. A page cancels the reader's task when it is
  /// closed.
  ///
  /// **Why it breaks.** `yield` resumes the reader, which needs the status lock of the reader's
  /// task. `cancel()` runs the stream's handler, and so `onTermination`, under that lock. Publish:
  /// the Mutex, then the status lock. Cancel: the status lock, then the Mutex.
  ///
  /// **How it shows.** A page that is closed at the moment of a headline freezes, and the newsroom
  /// with it. There is one lock in the source.
  ///
  /// **Repair.** Return from `withLock` before the yield.
  static let yieldUnderMutex = Scenario(
    id: "yield-under-mutex", fault: .deadlocks,
    summary: "A loop yields into a stream inside of a withLock that its onTermination calls, too.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed,
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .harmful: .init(
        .hangs, observe: .finds("deadlock", allowing: "lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let newsroom = Newsroom()
      let reader = StreamReader(newsroom.headlines)
      let published = Arrivals()
      reader.settle()
      onThreads(
        {
          for headline in ["rain", "sun"] { newsroom.publishInside(headline) }
          published.announce()
        },
        {
          published.waitAWhile()
          reader.task.cancel()
        })
      awaitEnd(of: reader.task)
    },
    harmful: {
      let newsroom = Newsroom()
      let reader = StreamReader(newsroom.headlines)
      let publishing = Arrivals()
      onThreads(
        {
          reader.settle()
          newsroom.publishInside("rain") {
            publishing.announce()
            newsroom.closing.wait()
          }
        },
        {
          publishing.wait()
          reader.task.cancel()
        })
      awaitEnd(of: reader.task)
    },
    repaired: {
      let newsroom = Newsroom()
      let reader = StreamReader(newsroom.headlines)
      let publishing = Arrivals()
      reader.settle()
      onThreads(
        {
          for headline in ["rain", "sun"] {
            newsroom.publish(headline) { publishing.meet(2, limit: 0.1) }
          }
        },
        {
          publishing.meet(2, limit: 0.1)
          reader.task.cancel()
        })
      awaitEnd(of: reader.task)
    })
}

private final class Newsroom: Sendable {
  private struct State {
    var archive: [String] = []
    var isRead = true
  }

  let headlines: AsyncStream<String>
  let closing = Arrivals()
  private let output: AsyncStream<String>.Continuation
  private let state = Mutex(State())

  init() {
    (headlines, output) = AsyncStream.makeStream()
    output.onTermination = { [weak self] _ in self?.close() }
  }

  /// `meanwhile` stands for the spelling check.
  func publishInside(_ headline: String, meanwhile: () -> Void = {}) {
    state.withLock { state in
      meanwhile()
      state.archive.append(headline)
      if state.isRead { output.yield(headline) }
    }
  }

  /// `meanwhile` stands for the spelling check.
  func publish(_ headline: String, meanwhile: () -> Void) {
    let isRead = state.withLock { state in
      meanwhile()
      state.archive.append(headline)
      return state.isRead
    }
    if isRead { output.yield(headline) }
  }

  private func close() {
    closing.announce()
    state.withLock { $0.isRead = false }
  }
}
