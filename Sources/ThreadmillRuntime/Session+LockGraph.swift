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

    /// Opposite orders of classes of locks, with symbols. Called inside `Gate.delivering`.
    package static var classCandidates: [Finding] {
      guard let session = current, session.detectors.looksFor(.lockOrderCycle) else { return [] }
      tm_runtime_lock()
      let candidates = session.graph.classCandidates
      tm_runtime_unlock()
      return candidates.map { session.symbolicator?.symbolicated($0) ?? $0 }
        .filter { !$0.isLibraryBusiness }
    }
  }
#endif
