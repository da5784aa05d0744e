#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel

  extension Session {
    func disqualified(_ lock: LockID) {
      orders?.disqualify(lock, describe: graph.object)
      take(graph.disqualify(lock))
    }

    /// The orders of locks that were seen so far, with symbols; `nil` if nobody asked for them.
    /// Called inside `Gate.delivering`.
    package static var lockGraph: LockGraph? {
      guard let session = current else { return nil }
      tm_runtime_lock()
      let graph = session.orders?.graph
      tm_runtime_unlock()
      return graph.map { session.symbolicator?.symbolicated($0) ?? $0 }
    }
  }
#endif
