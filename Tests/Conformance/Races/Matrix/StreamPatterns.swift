import Dispatch
import Foundation

let streamPatterns: [Pattern] = [
  .stream("async-stream", "AsyncStream, for await") { write, consume in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    write { end in if end { continuation.finish() } else { continuation.yield(1) } }
    for await _ in stream { consume() }
  },

  .stream("async-stream-next", "AsyncStream.Iterator.next") { write, consume in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    write { end in if end { continuation.finish() } else { continuation.yield(1) } }
    var iterator = stream.makeAsyncIterator()
    while await iterator.next() != nil { consume() }
  },

  .stream("async-stream-newest", "AsyncStream, bufferingNewest") { write, consume in
    let (stream, continuation) = AsyncStream.makeStream(
      of: Int.self, bufferingPolicy: .bufferingNewest(1))
    write { end in if end { continuation.finish() } else { continuation.yield(1) } }
    for await _ in stream { consume() }
  },

  .stream("async-throwing-stream", "AsyncThrowingStream, for await") { write, consume in
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
    write { end in if end { continuation.finish() } else { continuation.yield(1) } }
    do { for try await _ in stream { consume() } } catch {}
  },

  .stream("async-throwing-stream-next", "AsyncThrowingStream.Iterator.next") { write, consume in
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
    write { end in if end { continuation.finish() } else { continuation.yield(1) } }
    var iterator = stream.makeAsyncIterator()
    while (try? await iterator.next()) != nil { consume() }
  },

  .stream("async-stream-mapped", "AsyncStream.map, for await") { write, consume in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    write { end in if end { continuation.finish() } else { continuation.yield(1) } }
    for await _ in stream.map({ $0 + 1 }) { consume() }
  },

  .stream("async-stream-generic", "any AsyncSequence") { write, consume in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    write { end in if end { continuation.finish() } else { continuation.yield(1) } }
    await drain(stream, consume)
  },

  .tasks("async-stream-finish", "AsyncStream.Continuation.finish") { trial in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    Thread.detachNewThread {
      if trial.isCorrect { trial.write() }
      continuation.finish()
      if !trial.isCorrect { trial.write() }
      trial.end()
    }
    for await _ in stream {}
    trial.write()
    trial.wait()
  },

  .tasks("async-stream-terminated", "onTermination") { trial in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    if trial.isCorrect { trial.write() }
    continuation.onTermination = { _ in
      trial.write()
      trial.end()
    }
    if !trial.isCorrect {
      Thread.detachNewThread {
        trial.write()
        trial.end()
      }
    }
    continuation.finish()
    for await _ in stream {}
    trial.wait(for: trial.isCorrect ? 1 : 2)
  },
]

@inline(never) private func drain<S: AsyncSequence>(_ sequence: S, _ body: () -> Void) async {
  var iterator = sequence.makeAsyncIterator()
  while (try? await iterator.next()) != nil { body() }
}

extension Pattern {
  /// Gives the producer a way to send one element (`false`), or the end (`true`).
  fileprivate typealias Produce = (@escaping @Sendable (_ end: Bool) -> Void) -> Void

  /// A thread writes and sends; the consumer reads. Half: it sends and writes.
  fileprivate static func stream(
    _ id: String, _ uses: String,
    _ run: @escaping @Sendable (_ produce: Produce, _ consume: () -> Void) async -> Void
  ) -> Pattern {
    .tasks(id, uses) { trial in
      let cells = (0..<(trial.isCorrect ? 10 : 1)).map { _ in Cell() }
      var index = 0
      await run({ send in produce(cells, for: trial, send) }) {
        if trial.isCorrect { cells[index].store(2) } else { trial.write() }
        index += 1
      }
      trial.wait()
    }
  }
}

private func produce(
  _ cells: [Cell], for trial: Trial, _ send: @escaping @Sendable (_ end: Bool) -> Void
) {
  Thread.detachNewThread {
    for cell in cells {
      if trial.isCorrect { cell.store(1) }
      send(false)
      if !trial.isCorrect { trial.write() }
    }
    send(true)
    trial.end()
  }
}
