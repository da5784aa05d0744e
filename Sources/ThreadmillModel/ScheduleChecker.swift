/// Compares a run with a schedule while it goes on, as closely as the schedule's text allows.
package struct ScheduleChecker: Sendable {
  private let schedule: Schedule
  private let steps: Int
  /// So many steps are compared at a time; 1 in schedules that are short.
  package let stride: Int
  private var sum = StepDigest()
  private var all = StepDigest()

  package init(_ schedule: Schedule) {
    self.schedule = schedule
    steps = schedule.steps
    stride = Schedule.stride(for: steps)
  }

  /// Takes the next step of the run, which is not behind the schedule's end.
  ///
  /// - Returns: the steps among which is one that was another in the schedule, if that shows here.
  package mutating func differs(_ step: Offer, at index: Int) -> ClosedRange<Int>? {
    all.add(step)
    if stride == 1 {
      if schedule.checks[index] != Schedule.check(of: step) { return index...index }
    } else {
      sum.add(step)
      if (index + 1).isMultiple(of: stride) || index + 1 == steps {
        let check = sum.check
        sum = StepDigest()
        if schedule.checks[index / stride] != check { return index / stride * stride...index }
      }
    }
    // A check of a few bits may agree by chance; then the sum of all steps does not.
    return index + 1 == steps && all.value != schedule.digest ? 0...index : nil
  }

  /// What the strand did there, where the schedule tells.
  package func operation(at index: Int) -> OperationKind? {
    stride == 1 && index < steps ? Schedule.operation(of: schedule.checks[index]) : nil
  }
}
