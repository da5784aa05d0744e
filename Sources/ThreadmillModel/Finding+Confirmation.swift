extension Finding {
  /// A potential cycle, now that another run of the same program deadlocked there.
  ///
  /// The run numbered its locks by itself, so they are named here as the cycle names them, and
  /// other locks that its threads held are left out.
  ///
  /// - Parameter threads: those of the deadlock, in the order of the cycle's participants.
  package func confirmed(
    by threads: [Participant], tries: Int, of test: String? = nil, seed: UInt64?
  ) -> Finding {
    var names: [LockID: LockID] = [:]
    for (own, others) in zip(participants, threads) {
      if let wanted = others.wants { names[wanted] = own.wants }
    }
    let kinds = Dictionary(objects.map { ($0.id, $0) }) { first, _ in first }
    var confirmed = self
    confirmed.status = .confirmed
    confirmed.seed = seed
    confirmed.confirmation = Confirmation(
      tries: tries, test: test, deadlock: threads.map { $0.renamed(names, among: kinds) })
    return confirmed
  }
}

extension Finding.Participant {
  fileprivate func renamed(
    _ names: [LockID: LockID], among objects: [LockID: SharedObject]
  ) -> Self {
    func known(_ lock: LockID) -> SharedObject {
      objects[lock] ?? SharedObject(id: lock, kind: .mutex)
    }
    var renamed = self
    renamed.runs = nil
    renamed.wants = wants.flatMap { names[$0] }
    renamed.holds = holds.compactMap { hold in
      names[hold.object].map {
        Finding.HeldObject(object: $0, mode: hold.mode, frames: hold.frames)
      }
    }
    let holding = renamed.holds.map { known($0.object).holding($0.mode) }
    let waiting = renamed.wants.map { ["waits for \(known($0).displayName)"] } ?? []
    renamed.role = (holding + waiting).joined(separator: " and ")
    return renamed
  }
}
