import ThreadmillModel

// The races of a schedule lead to further schedules.
extension SourceSets {
  /// The first and the last place in a row at which a strand could make its next step.
  private struct Standing {
    var since = -1
    var last = -1
  }

  /// Notes, for each race of the schedule, a strand that leads to the other order.
  mutating func reverseRaces() {
    let ends = isLost ? [] : waiting
    let strands = (nodes.flatMap(\.enabled) + ends).map(\.strand).max().map { Int($0) + 1 } ?? 0
    precedence.reset(strands: strands)
    var standing = Array(repeating: Standing(), count: strands)
    for index in nodes.indices {
      for offer in nodes[index].enabled {
        let strand = Int(offer.strand)
        if standing[strand].last != index - 1 { standing[strand].since = index }
        standing[strand].last = index
      }
      let step = nodes[index].step
      let since = standing[Int(step.strand)].since
      let isCaused = step.isLetGoOn && since > Int(precedence.last[Int(step.strand)])
      let before = precedence.before(step.strand, cause: isCaused ? since - 1 : nil)
      if index >= fresh { reverse(racesOf: step, at: index, before) }
      precedence.append(step, after: before)
      standing[Int(step.strand)] = Standing()
    }
    for step in ends {
      reverse(racesOf: step, at: nodes.count, precedence.before(step.strand, cause: nil))
    }
  }

  private mutating func reverse(
    racesOf step: Offer, at index: Int, _ before: Precedence.Clock
  ) {
    var known = before
    for other in precedence.dependencies(of: step, beyond: before) {
      if precedence.comes(other, before: known) { continue }
      if step.wasKept(by: precedence.steps[other]) { continue }
      let isKept =
        precedence.last[Int(step.strand)] <= other && !nodes[other].canGoOn(step.strand)
      reverse(other, and: step, before, isKept: isKept)
      if !isKept { precedence.merge(other, into: &known) }
    }
  }

  /// Notes a strand that leads to a schedule in which the second step comes before the first one,
  /// unless one is noted already.
  ///
  /// - Parameter isKept: whether the second one could not be made when the first one was.
  private mutating func reverse(
    _ first: Int, and second: Offer, _ before: Precedence.Clock, isKept: Bool
  ) {
    // The steps that do not come after the first one, and the strands that can begin them.
    let rest = (first + 1..<precedence.steps.count).filter { !precedence.comes(first, before: $0) }
    if isKept && rest.isEmpty { return }
    var begun: Set<UInt32> = []
    var beginners: [UInt32] = []
    for (place, step) in rest.enumerated()
    where begun.insert(precedence.steps[step].strand).inserted {
      if rest[..<place].contains(where: { precedence.comes($0, before: step) }) { continue }
      beginners.append(precedence.steps[step].strand)
    }
    if !begun.contains(second.strand),
      !rest.contains(where: {
        precedence.comes($0, before: before) || precedence.steps[$0].depends(on: second)
      })
    {
      beginners.append(second.strand)
    }
    let node = nodes[first]
    if beginners.contains(where: { node.wanted.contains($0) || node.isSleeping($0) }) { return }
    if let strand = beginners.last(where: node.canGoOn) {
      nodes[first].wanted.insert(strand)
    } else {
      nodes[first].wanted.formUnion(node.enabled.map(\.strand))
    }
  }
}
