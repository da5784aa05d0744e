#if os(Linux)
  import CThreadmillGate
  import ThreadmillDetection
  import ThreadmillModel

  // What becomes of a finding, from the detector that makes it to whoever wants to know.
  extension Session {
    func take(_ verdicts: [LockOrderGraph.Verdict]) {
      for verdict in verdicts {
        switch verdict {
        case .finding(let finding): promise(finding)
        case .note(var note):
          guard blamesOneThread else {
            keep(note)
            continue
          }
          note.severity = .error
          promise(note)
        case .watch(let locks): watchAgain(locks)
        }
      }
    }

    private func watchAgain(_ locks: [LockID]) {
      for object in locks.compactMap(graph.object) { tm_watch_again(object.address) }
    }

    func take(_ disqualification: LockOrderGraph.Disqualification) {
      unsettled.removeAll(where: disqualification.withdrawn.contains)
      take(disqualification.verdicts)
    }

    /// Has the finding delivered as soon as the thread has left the detectors.
    func promise(_ finding: Finding) {
      keep(finding)
      tm_promise()
    }

    /// Has the finding delivered with the next one that is promised, or at the end.
    ///
    /// Names are looked up when it is delivered. That makes so many calls that Thread Sanitizer
    /// would forget what the thread did before, and a race with it.
    private func keep(_ finding: Finding) {
      if let complete = completed(finding) { unsettled.append(complete) }
    }

    /// Every object that somebody holds or works for is listed, not only those that the finding is
    /// about. `nil` where nobody looks for its kind.
    func completed(_ finding: Finding) -> Finding? {
      guard detectors.looksFor(finding.kind) else { return nil }
      detectors.found(finding)
      if records { noteMoment(of: finding) }
      var complete = finding
      var listed = Set(finding.objects.map(\.id))
      let others = finding.participants.flatMap { part in
        part.holds.map(\.object) + [part.runs?.group, part.runs?.actor].compactMap(\.self)
      }
      for id in others where listed.insert(id).inserted {
        if let object = graph.object(id) { complete.objects.append(object) }
      }
      return complete
    }

    /// Delivers what was promised, with no lock of the detectors held.
    ///
    /// The thread may hold any lock of the program, even the dynamic linker's, which looking up
    /// names takes: so it waits for another delivery only for a while, and leaves the rest to the
    /// next one.
    func settle() {
      guard tm_delivery_lock_within(Self.patience) else { return tm_promise() }
      defer { tm_delivery_unlock() }
      settleAll()
    }

    private static let patience: UInt32 = 2_000

    private func settleAll() {
      tm_runtime_lock()
      let findings = unsettled
      unsettled = []
      let races = tm_races_told()
      tm_runtime_unlock()
      var accuses = false
      for finding in findings {
        let named = symbolicator?.symbolicated(finding) ?? finding
        if named.isLibraryBusiness { continue }
        deliver(named.toldByItsFunctions.graded)
        accuses = accuses || named.kind == .dataRace && named.severity == .error
      }
      tm_races_settled(races, accuses)
    }

    /// What is still promised at the end; called inside `Gate.delivering`.
    package static func settleRest() {
      tm_runtime_lock()
      tm_races_tell()
      tm_runtime_unlock()
      current?.settleAll()
    }

    /// The races of the schedule that has just ended; called inside `Gate.delivering`.
    package static func takeExploredRaces() -> [Finding] {
      settleRaces()
      guard let session = current else { return [] }
      tm_runtime_lock()
      let races = session.exploredRaces
      session.exploredRaces = []
      tm_runtime_unlock()
      return races.map { session.symbolicator?.symbolicated($0) ?? $0 }
        .filter { !$0.isLibraryBusiness }
    }

    /// The races that Thread Sanitizer has reported so far, those included that another thread is
    /// about to deliver; called inside `Gate.delivering`.
    package static func settleRaces() {
      if tm_races_wait() { settleRest() }
    }
  }

  extension Finding {
    /// The finding with what only the names of its functions tell.
    fileprivate var toldByItsFunctions: Finding {
      SuspensionMisuse.seenFromHolder(Crash.withCause(self))
    }
  }
#endif
