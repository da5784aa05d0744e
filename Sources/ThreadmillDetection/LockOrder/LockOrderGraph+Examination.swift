import ThreadmillModel
import ThreadmillOrders

extension LockOrderGraph {
  /// Adds an edge or one more reason for it, and looks for what that closes.
  mutating func add(_ dependency: Dependency) -> [Verdict] {
    let edge = dependency.edge
    order.insert(edge)
    let isWithinClass = self.isWithinClass(edge)
    let frames = limits.callPathFrames
    let insertion = dependencies[edge, default: DependencyList()].insert(
      dependency, limit: limits.dependenciesPerEdge
    ) { isWithinClass && $0.place(frames: frames) != $1.place(frames: frames) }
    if insertion == .displaced { count(.lockDependenciesForgotten) }
    return insertion == .known ? [] : examine(dependency)
  }

  /// Looks at every cycle that a dependency, new or changed, lies on.
  mutating func examine(_ dependency: Dependency) -> [Verdict] {
    guard order.mayCloseCycle(dependency.edge) else { return [] }
    var search = CycleSearch(
      order: order, dependencies: dependencies, cycleLength: limits.cycleLength)
    defer { searchSteps += search.steps }
    var verdicts = findings(through: dependency, &search).compactMap { report($0) }
    if let warning = warning(about: dependency) { verdicts.append(.finding(warning)) }
    for chain in nearMisses(through: dependency, &search) {
      let best = search.leastSeparated(chain, steps: limits.dropSearchSteps)
      verdicts += drop(best)
    }
    return verdicts
  }

  private mutating func findings(
    through dependency: Dependency, _ search: inout CycleSearch
  ) -> [[Dependency]] {
    guard candidates.reportedCount < limits.findings else { return [] }
    let chains = search.chains(
      through: dependency, tolerating: .nothing, steps: limits.searchSteps,
      count: limits.findingsPerDependency
    ) { [candidates] in !candidates.isReported($0) }
    if search.isLengthHit { count(.lockCyclesTooLong) }
    if search.isCutShort { count(.lockSearchesCutShort) }
    return chains
  }

  private mutating func nearMisses(
    through dependency: Dependency, _ search: inout CycleSearch
  ) -> [[Dependency]] {
    guard candidates.droppedCount < limits.droppedCandidates else {
      count(.lockCandidatesForgotten)
      return []
    }
    let chains = search.chains(
      through: dependency, tolerating: .gate, steps: limits.dropSearchSteps,
      count: limits.dropsPerDependency
    ) { [candidates] in !candidates.isReported($0) }
    if search.isCutShort { count(.lockCandidatesForgotten) }
    return chains
  }

  private mutating func report(_ chain: [Dependency]) -> Verdict? {
    guard let (cycle, chain) = Cycle.closed(by: chain) else { return nil }
    guard candidates.reportedCount < limits.findings else {
      count(.lockFindingsNotReported)
      return nil
    }
    let finding = potentialDeadlock(chain)
    candidates.set(.init(separation: .nothing, finding: finding), for: cycle)
    dropped.remove(cycle)
    toldClasses.insert(
      Set(cycle.locks.compactMap { lock in objects[lock].map { LockClass($0, lock) } }))
    _ = oneThreadCycles.insert(chain, frames: limits.callPathFrames)
    return .finding(finding)
  }

  private mutating func drop(_ chain: [Dependency]) -> [Verdict] {
    guard let (cycle, chain) = Cycle.closed(by: chain) else { return [] }
    guard let reason = DropReason(chain) else { return [report(chain)].compactMap(\.self) }
    let known = candidates[cycle]
    guard known != nil || candidates.droppedCount < limits.droppedCandidates else {
      count(.lockCandidatesForgotten)
      return []
    }
    var verdicts: [Verdict] = []
    if known.map({ reason.separation < $0.separation }) ?? true {
      let finding = filtered(potentialDeadlock(chain), because: reason)
      let watches = known?.watches ?? 0
      candidates.set(
        .init(separation: reason.separation, finding: finding, watches: watches), for: cycle)
      keepFiltered(finding, for: cycle)
      if [.oneThread, .mainThread].contains(reason), let note = note(about: chain) {
        verdicts.append(.note(note))
      }
    }
    if reason.separation < .mainThread, let verdict = watch(cycle) { verdicts.append(verdict) }
    return verdicts
  }

  private mutating func watch(_ cycle: Cycle) -> Verdict? {
    guard let candidate = candidates[cycle], candidate.watches < limits.watchesPerCandidate else {
      count(.lockWatchesExhausted)
      return nil
    }
    candidates.countWatch(of: cycle)
    return .watch(cycle.locks)
  }

  func filtered(_ finding: Finding, because reason: DropReason) -> Finding {
    var finding = finding
    finding.status = .filtered
    finding.reason = self.reason(reason)
    return finding
  }

  mutating func keepFiltered(_ finding: Finding, for cycle: Cycle) {
    if !dropped.keep(finding, for: cycle) { count(.lockFilteredNotKept) }
  }
}
