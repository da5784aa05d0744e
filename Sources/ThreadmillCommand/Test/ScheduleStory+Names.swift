import ThreadmillModel

extension Finding {
  /// This cycle's names for the objects of a deadlock, by the deadlock's names.
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
  /// The story with other names for objects. Another object that has one of the new names gets an
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
