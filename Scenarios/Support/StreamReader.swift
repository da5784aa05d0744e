/// A task that reads a stream to its end, on an actor of its own.
final class StreamReader<Element: Sendable>: Sendable {
  let task: Task<Void, Never>
  private let begun = Arrivals()
  private let place = Place()

  private actor Place {
    func read(_ stream: AsyncStream<Element>, _ begun: Arrivals) async {
      begun.announce()
      for await _ in stream {}
    }

    /// Runs when the reader has left the actor.
    func pass() {}
  }

  init(_ stream: AsyncStream<Element>) {
    task = Task.detached { [begun, place] in await place.read(stream, begun) }
  }

  /// Returns when the reader has read what was sent so far, and waits for more.
  func settle() {
    begun.wait()
    awaitEnd(of: Task.detached { [place] in await place.pass() })
  }
}
