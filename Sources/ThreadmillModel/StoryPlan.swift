/// Which steps of a schedule are told: all near a switch; of a long turn its beginning and its end;
/// of a long schedule its beginning and, more of it, its end.
package struct StoryPlan: Hashable, Sendable {
  /// So many steps of a turn are told on either side of its middle.
  package static let besideASwitch = 3
  /// So many at the beginning, and at the end, of a schedule of which more would be told.
  package static let (first, last) = (40, 120)
  /// A schedule of so many steps may be one without end: of that the last ones are told, whoever
  /// made them.
  package static let long = 10_000

  /// Numbers of steps, from 0, in ascending order.
  package let steps: [Int]

  package init(_ schedule: Schedule) {
    var steps: [Int] = []
    var start = 0
    for turn in schedule.turns {
      let end = start + turn.length
      if turn.length <= 2 * Self.besideASwitch + 1 {
        steps += start..<end
      } else {
        steps += start..<(start + Self.besideASwitch)
        steps += (end - Self.besideASwitch)..<end
      }
      start = end
    }
    // Accesses that see an old store are told.
    let picks = schedule.picks.map(\.step)
    if !picks.isEmpty { steps = Set(steps + picks).sorted() }
    if start >= Self.long {
      let end = (start - Self.last)..<start
      steps = steps.prefix(Self.first).filter { $0 < end.lowerBound } + end
    }
    let isLong = steps.count > Self.first + Self.last
    self.steps = isLong ? Array(steps.prefix(Self.first) + steps.suffix(Self.last)) : steps
  }
}
