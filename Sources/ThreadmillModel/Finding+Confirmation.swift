extension Finding {
  /// A potential cycle, now that another run of the same program deadlocked there.
  ///
  /// The run numbered its locks by itself, so they are named here as the cycle names them, and
  /// other locks that its threads held are left out.
  ///
  /// - Parameter threads: those of the deadlock, in the order of the cycle's participants.
  package func confirmed(
    by threads: [Participant], tries: Int, seed: UInt64?
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
      tries: tries, deadlock: threads.map { $0.renamed(names, among: kinds) })
    return confirmed
  }
}

extension Finding {
  /// How this cycle calls the objects of a deadlock, by how the deadlock calls them.
  ///
  /// - Parameter threads: those of the deadlock, in the order of the cycle's participants.
  func names(of deadlock: Finding, _ threads: [Participant]) -> [String: String] {
    func name(_ lock: LockID?, in finding: Finding) -> String? {
      finding.objects.first { $0.id == lock }?.displayName
    }
    let pairs = zip(participants, threads).compactMap { own, other -> (String, String)? in
      guard let new = name(own.wants, in: self), let old = name(other.wants, in: deadlock) else {
        return nil
      }
      return (old, new)
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension ScheduleStory {
  /// The same with other names for objects. Another object that has one of the new names gets an
  /// old one that has become free, so that each name is still that of one object.
  func named(as names: [String: String]) -> ScheduleStory {
    let taken = Set(names.values)
    let freed = Set(names.keys).subtracting(taken).sorted()
    let displaced = zip(taken.subtracting(names.keys).sorted(), freed).map { ($0, $1) }
    let all = names.merging(displaced) { first, _ in first }
    func named(_ step: Step) -> Step {
      var step = step
      step.object = step.object.map { all[$0] ?? $0 }
      return step
    }
    var story = self
    story.steps = steps.map(named)
    story.waits = waits.map {
      Wait(named($0.step), holder: $0.holder, isHolderOver: $0.isHolderOver)
    }
    return story
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
