import ThreadmillModel

/// The part of a run that this process does, so that several machines share the run.
package enum TestShard {
  /// The environment variables of an engine name no valid part.
  package struct Nonsense: Error, Hashable, Sendable, CustomStringConvertible {
    var variables: [String]
    var values: [String]

    package var description: String {
      let said = zip(variables, values).map { "\($0)=\($1.printable)" }
      return "\(said.joined(separator: " ")) is no part of a run; give --shard I/N, or --shard 1/1"
        + " for the whole"
    }
  }

  /// `2/5`; `nil` for anything else.
  package static func parse(_ text: String) -> Report.Run.Shard? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let total = parts[1] else { return nil }
    return checked(index, total)
  }

  /// The part that the environment of an engine names; `nil` if there is no such engine.
  package static func find(
    in environment: [String: String]
  ) throws(Nonsense) -> Report.Run.Shard? {
    for engine in engines {
      guard engine.condition.map({ environment[$0] == "true" }) ?? true,
        let index = environment[engine.index], let total = environment[engine.total]
      else { continue }
      let first = engine.first.flatMap { environment[$0] } ?? "\(engine.base)"
      let step = engine.step.flatMap { environment[$0] } ?? "1"
      if let shard = shard(index, total, first: first, step: step) { return shard }
      throw Nonsense(variables: [engine.index, engine.total], values: [index, total])
    }
    return nil
  }

  /// The environment variable that names the campaign; recipes for engines set it.
  package static let campaignVariable = "THREADMILL_CAMPAIGN"

  /// The name of the campaign that this part belongs to, from the variable above or else from the
  /// engine; `nil` if neither has one.
  package static func campaign(in environment: [String: String]) -> String? {
    let engines = ["SLURM_ARRAY_JOB_ID", "GITHUB_RUN_ID", "CI_PIPELINE_ID"]
    return ([campaignVariable] + engines).lazy.compactMap { environment[$0] }
      .first(where: isCampaign)
  }

  package static func isCampaign(_ name: String) -> Bool {
    (1...200).contains(name.count) && name == name.printable
  }

  /// The tests of one run of a series that this shard does. All shards together do each test of
  /// each run once: tests go round the shards, and each run begins with another one.
  package static func share(
    of tests: [PackageTest], run number: Int, _ shard: Report.Run.Shard?
  ) -> [PackageTest] {
    guard let shard else { return tests }
    let sorted = tests.sorted { $0.name < $1.name }
    return sorted.indices.filter { ($0 + number - 1) % shard.total == shard.index - 1 }
      .map { sorted[$0] }
  }

  private struct Engine {
    var index: String
    var total: String
    /// The index of the first part, or the variable that has it.
    var base = 0
    var first: String?
    var step: String?
    /// The engine counts only if this variable is "true", because other programs use the same names
    /// for something else.
    var condition: String?
  }

  /// The most specific first.
  private static let engines = [
    Engine(index: "TEST_SHARD_INDEX", total: "TEST_TOTAL_SHARDS"),
    Engine(index: "GTEST_SHARD_INDEX", total: "GTEST_TOTAL_SHARDS"),
    Engine(
      index: "SLURM_ARRAY_TASK_ID", total: "SLURM_ARRAY_TASK_COUNT", first: "SLURM_ARRAY_TASK_MIN",
      step: "SLURM_ARRAY_TASK_STEP"),
    Engine(index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", base: 1, condition: "GITLAB_CI"),
  ]

  private static func shard(
    _ index: String, _ total: String, first: String, step: String
  ) -> Report.Run.Shard? {
    guard let index = Int(index), let total = Int(total), let first = Int(first),
      let step = Int(step), step > 0, (0...1_000_000).contains(index),
      (0...1_000_000).contains(first), (index - first) % step == 0
    else { return nil }
    return checked((index - first) / step + 1, total)
  }

  private static func checked(_ index: Int, _ total: Int) -> Report.Run.Shard? {
    guard (1...100_000).contains(total), (1...total).contains(index) else { return nil }
    return Report.Run.Shard(index: index, total: total)
  }
}
