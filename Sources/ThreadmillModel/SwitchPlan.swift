/// The switches of a schedule by themselves: each by how far the strand has come that is left.
///
/// Unlike a schedule it says nothing about the steps between them, and still means something when
/// a switch is taken out, put in or moved.
package struct SwitchPlan: Hashable, Sendable {
  package struct Switch: Hashable, Sendable {
    package var from: UInt32
    /// The steps that `from` has made before.
    package var after: Int
    package var to: UInt32
    /// To be made even if `from` could go on.
    package var isForced: Bool

    package init(from: UInt32, after: Int, to: UInt32, isForced: Bool = true) {
      (self.from, self.after, self.to, self.isForced) = (from, after, to, isForced)
    }
  }

  /// A choice of the memory model's; see ``Schedule/Pick``.
  package struct Pick: Hashable, Sendable {
    package var strand: UInt32
    /// The steps that the strand has made then, with that of the access.
    package var after: Int
    package var choice: Int

    package init(strand: UInt32, after: Int, choice: Int) {
      (self.strand, self.after, self.choice) = (strand, after, choice)
    }
  }

  /// Who makes the first step; `nil` for anybody.
  package var first: UInt32?
  /// In the order of the schedule that they come from. One that leads back to the strand it leaves
  /// only says that the strand keeps its turn up to there.
  package var switches: [Switch]
  package var picks: [Pick]

  package init(first: UInt32? = nil, switches: [Switch] = [], picks: [Pick] = []) {
    (self.first, self.switches, self.picks) = (first, switches, picks)
  }

  /// The plan that makes a deterministic program run like this.
  package init(_ schedule: Schedule) {
    var made: [UInt32: Int] = [:]
    self.init(first: schedule.turns.first?.strand, picks: Self.picks(of: schedule))
    for (turn, next) in zip(schedule.turns, schedule.turns.dropFirst()) {
      made[turn.strand, default: 0] += turn.length
      switches.append(
        Switch(
          from: turn.strand, after: made[turn.strand, default: 0], to: next.strand,
          isForced: next.isForced))
    }
    if let last = schedule.turns.last {
      let after = made[last.strand, default: 0] + last.length
      switches.append(
        Switch(from: last.strand, after: after, to: last.strand, isForced: false))
    }
  }

  private static func picks(of schedule: Schedule) -> [Pick] {
    var (made, step, rest): ([UInt32: Int], Int, ArraySlice<Schedule.Pick>) =
      ([:], 0, schedule.picks[...])
    var picks: [Pick] = []
    for turn in schedule.turns {
      let before = made[turn.strand, default: 0]
      while let pick = rest.first, pick.step < step + turn.length {
        rest.removeFirst()
        picks.append(
          Pick(strand: turn.strand, after: before + pick.step - step + 1, choice: pick.choice))
      }
      made[turn.strand] = before + turn.length
      step += turn.length
    }
    return picks
  }

  package var forcedSwitches: Int { switches.count { $0.isForced } }
}
