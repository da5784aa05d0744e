import ThreadmillChildren

/// Does what a plan says, as many runs at a time as there are cores.
package struct RateMeter: Sendable {
  /// Built with Thread Sanitizer.
  package let host: ScenarioHost
  package let cores: Int

  package init(host: ScenarioHost, cores: Int) {
    self.host = host
    self.cores = cores
  }

  /// Throws when the task is cancelled, after the last child has ended.
  ///
  /// - Parameter progress: told of the row of every run that has ended, one at a time.
  package func measure(
    _ plan: RatePlan, progress: @escaping @Sendable (RatePlan.Row) -> Void = { _ in }
  ) async throws -> Rates {
    let start = ContinuousClock.now
    var samples = [[Rates.Sample]](repeating: [], count: plan.rows.count)
    for round in plan.rounds {
      var seen = try await see(round.calm, of: plan, progress)
      if !round.loaded.isEmpty {
        seen += try await BusyProcesses(count: cores).run {
          try await see(round.loaded, of: plan, progress)
        }
      }
      for (row, sample) in seen { samples[row].append(sample) }
    }
    return Rates(
      rows: zip(plan.rows, samples).map(Rates.Row.init), runs: plan.runs, seed: plan.seed,
      seconds: Int((ContinuousClock.now - start).components.seconds))
  }

  private func see(
    _ runs: [RatePlan.Run], of plan: RatePlan, _ progress: @Sendable (RatePlan.Row) -> Void
  ) async throws -> [(Int, Rates.Sample)] {
    let slots = Slots(cores)
    return try await withThrowingTaskGroup(of: (Int, Rates.Sample).self) { group in
      for run in runs {
        group.addTask { (run.row, try await sample(run, of: plan, slots)) }
      }
      var seen: [(Int, Rates.Sample)] = []
      for try await (row, sample) in group {
        try Task.checkCancellation()
        seen.append((row, sample))
        progress(plan.rows[row])
      }
      return seen
    }
  }

  private func sample(
    _ run: RatePlan.Run, of plan: RatePlan, _ slots: Slots
  ) async throws -> Rates.Sample {
    try await slots.occupy {
      try Task.checkCancellation()
      let trial = plan.rows[run.row].trial
      let start = ContinuousClock.now
      let seen = try await trial.run(
        in: host, options: plan.rows[run.row].treatment.options, shaking: plan.shaking(of: run),
        namesFrames: trial.isKnownByNames)
      return Rates.Sample(
        number: run.number, isDetected: trial.isDetected(seen.kinds ?? []),
        seconds: (ContinuousClock.now - start) / .seconds(1), isReported: seen.kinds != nil)
    }
  }
}
