import Synchronization
import Threadmill

/// Bodies that stand still at an `await`: each waits for something else, or at another place.
extension Bodies {
  static let awaits: [String: Body] = [
    "await-answer": .task { await Post().answer() },
    "await-parcel": .task { await Post().parcel() },
    "await-messenger": .task {
      let post = Post()
      let messenger = Task { await post.parcel() }
      await messenger.value
    },
    "await-letters": .task {
      let post = Post()
      for await letter in post.letters() where letter < 0 { post.close() }
    },
    "await-messengers": .task {
      let post = Post()
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await post.open() }
        group.addTask { await post.answer() }
      }
    },
    // What one task does not do is done by another one, before or after it is asked for.
    "await-answer-repaired": .task {
      let post = Post()
      async let answered: Void = post.answer()
      async let delivered: Void = post.deliver()
      _ = await (answered, delivered)
    },
  ]
}

/// A post office that forgets whoever waits.
private final class Post: Sendable {
  private let waiting = Mutex<(CheckedContinuation<Void, Never>?, isDelivered: Bool)>((nil, false))
  private let parcels = Mutex<[UnsafeContinuation<Void, Never>]>([])
  private let senders = Mutex<[AsyncStream<Int>.Continuation]>([])

  func answer() async {
    await withCheckedContinuation { continuation in
      let isDelivered = waiting.withLock { state in
        state.0 = continuation
        return state.isDelivered
      }
      if isDelivered { resume() }
    }
  }

  func parcel() async {
    await withUnsafeContinuation { continuation in
      parcels.withLock { $0.append(continuation) }
    }
  }

  func letters() -> AsyncStream<Int> {
    let (letters, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.yield(1)
    senders.withLock { $0.append(continuation) }
    return letters
  }

  func close() { senders.withLock { $0 = [] } }

  func open() async { await Task.yield() }

  func deliver() async {
    waiting.withLock { $0.isDelivered = true }
    resume()
  }

  private func resume() {
    let continuation = waiting.withLock { state in
      defer { state.0 = nil }
      return state.0
    }
    continuation?.resume()
  }
}
