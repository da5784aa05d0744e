#if os(Linux)
  import CThreadmillGate
  import ThreadmillDetection
  import ThreadmillModel

  // Inside up-calls, like everything that reads or writes the detectors.
  extension Session {
    func retired(_ object: LockID) {
      graph.retire(object)
      detectors.operationCycles.retire(object)
    }

    func depends(_ dependency: tm_dependency) -> Bool {
      guard detects else { return false }
      return detectors.operationCycles.depends(
        OperationDependency(
          from: LockID(dependency.from), to: LockID(dependency.to),
          address: dependency.from_address, place: dependency.place,
          thread: ThreadID(dependency.thread), tests: tests(scope: dependency.scope)))
    }

    /// Writes the way's steps; returns how many, 0 for none.
    func way(
      from: LockID, to: LockID, _ steps: UnsafeMutablePointer<tm_dependency>, limit: Int
    ) -> UInt32 {
      let way = detectors.operationCycles.way(from: from, to: to, limit: limit)
      for (index, step) in way.enumerated() {
        steps[index] = tm_dependency(
          from: step.from.rawValue, to: step.to.rawValue, from_address: step.address,
          place: step.place, thread: step.thread.rawValue, scope: 0)
      }
      return UInt32(way.count)
    }
  }
#endif
