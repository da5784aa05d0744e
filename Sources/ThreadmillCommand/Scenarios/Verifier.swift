import Foundation
import ThreadmillChildren

/// Runs trials in child processes, as many at a time as there are cores.
package struct Verifier: Sendable {
  /// Those that the trials need.
  package let hosts: [ScenarioHost.Build: ScenarioHost]
  package let detector: String?
  /// How often each trial is run.
  package let count: Int
  /// How often each process does what its program does.
  package let times: Int
  /// What the seed of each run in the mode `jitter` is derived from.
  package let shaking: Shaking
  package let slots: Slots

  package init(
    hosts: [ScenarioHost.Build: ScenarioHost], without detector: String? = nil, count: Int = 1,
    times: Int = 1,
    shaking: Shaking = Shaking(.portfolio, seed: .random), slots: Slots
  ) {
    self.hosts = hosts
    self.detector = detector
    self.count = count
    self.times = times
    self.shaking = shaking
    self.slots = slots
  }

  /// Returns the rows in the order of the trials; throws when the task is cancelled, after the last
  /// child has ended.
  ///
  /// - Parameter progress: told of every run that has ended, one at a time.
  package func verify(
    _ trials: [Trial], progress: @Sendable (Trial, Sighting) -> Void = { _, _ in }
  ) async throws -> Verification {
    let start = ContinuousClock.now
    var sightings = [[Sighting]](repeating: [], count: trials.count)
    try await withThrowingTaskGroup(of: (Int, Sighting).self) { group in
      for run in 0..<count * trials.count {
        let (number, index) = run.quotientAndRemainder(dividingBy: trials.count)
        group.addTask { (index, try await see(trials[index], number)) }
      }
      for try await (index, seen) in group {
        try Task.checkCancellation()
        sightings[index].append(seen)
        progress(trials[index], seen)
      }
    }
    let rows = zip(trials, sightings).map { trial, seen in
      Verification.Row(
        trial, seen, isSanitized: trial.build.isSanitized)
    }
    let seconds = (ContinuousClock.now - start).components.seconds
    return Verification(rows: rows, without: detector, seconds: Int(seconds))
  }

  /// Runs one trial as soon as a slot is free.
  private func see(_ trial: Trial, _ number: Int) async throws -> Sighting {
    guard let host = hosts[trial.build] else {
      throw ScenarioHost.Missing(description: "there is no host for \(trial.mode.rawValue)")
    }
    return try await slots.occupy {
      try Task.checkCancellation()
      return try await trial.run(
        in: host, without: detector,
        shaking: trial.mode.isSeeded ? shaking.derived(for: trial.name, run: number) : nil,
        times: times)
    }
  }
}
