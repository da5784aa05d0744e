#if os(Linux)
  import ThreadmillModel
  import ThreadmillPlanning
  import ThreadmillRuntime
  import ThreadmillScheduling

  // How the schedule of a failure is made simple.
  extension Explorer {
    /// So many of them are left to make one failure simpler.
    private static let mostParkedByShrinking = 100
    /// So often a failure is run again to make it simpler.
    private static let mostAttempts = 200
    /// And again so often where that was not enough.
    private static let mostMoreAttempts = 2_000
    /// So many steps are made at most, one time or the other.
    private static let mostShrinkingSteps = 2_000_000
    /// Processes of a program are run for so long to make its failure simpler.
    private static let longestShrinking = Duration.seconds(30)
    /// With so many forced switches a schedule is easy to read.
    private static let fewForcedSwitches = 2

    /// The failure's schedule, made as simple as a number of attempts allows; a greater one as
    /// long as it has many forced switches.
    func simplified(_ failure: Exploration.Failure) -> Schedule {
      let limit = Gate.parkedThreads + Self.mostParkedByShrinking
      let end = ContinuousClock.now + Self.longestShrinking
      func isInTime() -> Bool { program == nil || ContinuousClock.now < end }
      func shrink(_ schedule: Schedule, _ most: Int) -> Shrinking.Result {
        Shrinking.shrink(schedule, limit: attempts(for: schedule, most)) { plan in
          Gate.parkedThreads < limit && isInTime() ? fails(plan, like: failure) : nil
        }
      }
      let first = shrink(failure.schedule, Self.mostAttempts)
      guard first.isCutShort, first.schedule.forcedSwitches > Self.fewForcedSwitches else {
        return first.schedule
      }
      return shrink(first.schedule, Self.mostMoreAttempts).schedule
    }

    /// What a plan comes to, if that fails in the same way. What cannot be run does not fail: the
    /// schedule stays as long as it is.
    private func fails(_ plan: SwitchPlan, like failure: Exploration.Failure) -> ScheduleRecorder? {
      var failed: ScheduleRecorder?
      _ = try? run(Steered(plan), doubts: false, isWeak: !plan.picks.isEmpty) { run, outcome in
        if Set(outcome.causes.map(\.key)) == failure.keys { failed = run.recorder }
        return false
      }
      return failed
    }

    /// Long schedules are run less often.
    private func attempts(for schedule: Schedule, _ most: Int) -> Int {
      max(10, min(most, Self.mostShrinkingSteps / max(1, schedule.steps)))
    }
  }
#endif
