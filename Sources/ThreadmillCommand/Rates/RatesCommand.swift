import Foundation
import ThreadmillModel
import ThreadmillReporting
import ThreadmillScenarios

extension Command {
  static let scenariosRates = Command(
    name: "scenarios rates",
    sentence:
      "Measure how often Thread Sanitizer finds bugs that show by chance, without jitter and under"
      + " each policy.",
    switches: [
      Switch("--json", takes: .output, "Write it as JSON as well."),
      Switch(
        "--policy", takes: .treatment, isRepeatable: true,
        """
        Measure only this policy; plain is no jitter, threads is plain with strands=false (as \
        Thread Sanitizer alone), load is plain beside busy processes.
        """),
      Switch(
        "--runs", takes: .count, "Runs of each scenario under each policy; the default is 100."),
      Switch(
        "--scenario", takes: .scenario, isRepeatable: true,
        "Measure only this scenario; the default is every one that shows by chance."),
      Switch(
        "--seed", takes: .seed,
        "Derive the seeds of all runs from this number; the default is random."),
      Switch("--skip-build", "Do not build scenario-host; use the one beside the tool."),
    ]
  ) { arguments, console in
    try RatesCommand(arguments, console).run()
  }
}

/// One call of `threadmill scenarios rates`.
private struct RatesCommand {
  private static let name = "scenarios rates"
  private static let runs = 100

  private let plan: RatePlan
  private let console: Console
  private let json: String?
  private let skipsBuild: Bool
  /// The command line that repeats the measurement.
  private let command: String

  init(_ arguments: Arguments, _ console: Console) throws(UsageError) {
    let scenarios = try Self.scenarios(arguments.lists["--scenario"] ?? [])
    let treatments = (arguments.lists["--policy"] ?? []).compactMap(Treatment.init(named:)).distinct
    let seed = arguments.values["--seed"].flatMap(Seed.init(text:)) ?? .random
    plan = RatePlan(
      scenarios: scenarios.isEmpty ? RatePlan.probabilistic : scenarios,
      treatments: treatments.isEmpty ? Treatment.all : treatments,
      runs: arguments.values["--runs"].flatMap { Int($0) } ?? Self.runs, seed: seed)
    self.console = console
    json = arguments.values["--json"]
    skipsBuild = arguments.has("--skip-build")
    let words =
      scenarios.map { "--scenario \($0.id)" } + treatments.map { "--policy \($0.name)" }
      + ["--runs \(plan.runs)", "--seed \(seed.rawValue)"]
    command = "threadmill \(Self.name) \(words.joined(separator: " "))"
  }

  private static func scenarios(_ ids: [String]) throws(UsageError) -> [Scenario] {
    var scenarios: [Scenario] = []
    for id in ids.distinct {
      guard let scenario = Scenario.named(id) else {
        throw .unknownScenario(id, command: name, nearest: Scenario.near(id))
      }
      guard scenario.fault != .silent else {
        throw .badValue(
          name: "--scenario", value: id, command: name,
          allowed: "a scenario in which there is something to find")
      }
      scenarios.append(scenario)
    }
    return scenarios
  }

  func run() throws -> ExitStatus {
    let host = try ScenarioHost.find(.sanitized, isRebuilt: !skipsBuild, console: console)
    let rates = try measure(in: host)
    console.say(RatesText(rates, command: command).text)
    if let json {
      try Data(RatesJSON(rates).json.bytes).write(
        to: URL(fileURLWithPath: json), options: .atomic)
    }
    return rates.status
  }

  private func measure(in host: ScenarioHost) throws -> Rates {
    let meter = RateMeter(host: host, cores: MachineFacts.Processors.current.usable)
    let progress = Progress("rates", total: plan.rows.count * plan.runs, console: console)
    defer { progress.end() }
    return try Interruption.heeding { [plan] in
      try await meter.measure(plan) { row in
        progress.advance(past: "\(row.trial.scenario.id), \(row.treatment.name)")
      }
    }
  }
}

extension Switch.Value {
  fileprivate static let treatment = Switch.Value(
    placeholder: "POLICY", allowed: Treatment.all.map(\.name).joined(separator: ", ")
  ) { Treatment(named: $0) != nil }

  /// Which there are is looked at later, so that the nearest can be named.
  fileprivate static let scenario = Switch.Value(
    placeholder: "ID", allowed: "an ID of 'threadmill scenarios list'"
  ) { !$0.isEmpty }
}
