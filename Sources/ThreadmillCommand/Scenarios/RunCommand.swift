import Synchronization
import ThreadmillModel
import ThreadmillScenarios

extension Command {
  private static let variants = Scenario.Variant.allCases.map(\.rawValue)

  static let scenariosRun = Command(
    name: "scenarios run",
    sentence: "Explain scenarios, run each of them under watch, and show its repair.",
    switches: [
      Switch(
        "--variant",
        takes: Switch.Value(
          placeholder: "VARIANT", allowed: variants.joined(separator: ", "),
          accepts: variants.contains),
        "Run this variant: flawed (the default), harmful (if the scenario has one) or repaired.")
    ],
    operands: .some(placeholder: "ID")
  ) { arguments, console in
    let name = "scenarios run"
    let variant =
      arguments.values["--variant"].flatMap(Scenario.Variant.init(rawValue:)) ?? .flawed
    let scenarios = try arguments.operands.map {
      try Scenario.chosen($0, variant, command: name)
    }
    var hosts: [ScenarioHost.Build: ScenarioHost] = [:]
    var found = false
    for (index, scenario) in scenarios.enumerated() {
      let build = ScenarioWatch.wantsSanitizer(scenario) ? ScenarioHost.Build.sanitized : .plain
      let host = try hosts[build] ?? ScenarioHost.find(build, console: console)
      hosts[build] = host
      if index > 0 { console.say("\n\n") }
      let run = try show(scenario, variant, in: host, console)
      found = found || !run.kinds.isEmpty
    }
    return found ? .findings : .nothingFound
  }

  private static func show(
    _ scenario: Scenario, _ variant: Scenario.Variant, in host: ScenarioHost, _ console: Console
  ) throws -> WatchedRun {
    let telling = ScenarioTelling(
      scenario, try scenario.story(), variant: variant, isSanitized: host.isSanitized,
      ink: Ink(isColoured: console.isColoured))
    console.say(telling.beginning)
    let output = Mutex(SetOffText())
    let run = try Interruption.heeding {
      try await ScenarioWatch(host: host).run(scenario, variant) { piece in
        console.say(output.withLock { $0.next(piece) })
      }
    }
    console.say(output.withLock { $0.end } + telling.end(after: run))
    return run
  }
}

extension Scenario {
  /// The scenario that was asked for, if it has the variant.
  fileprivate static func chosen(
    _ id: String, _ variant: Variant, command: String
  ) throws(UsageError) -> Scenario {
    guard let scenario = named(id) else {
      throw .unknownScenario(id, command: command, nearest: near(id))
    }
    guard scenario.variants.contains(variant) else {
      throw .missingVariant(
        variant.rawValue, scenario: id, command: command,
        allowed: scenario.variants.map(\.rawValue))
    }
    return scenario
  }

  /// Up to three that somebody may have meant, the likeliest first.
  static func near(_ word: String) -> [String] {
    let ranked = all.map { scenario in
      let hasPart = word.count > 2 && scenario.id.contains(word)
      return (id: scenario.id, distance: hasPart ? 0 : Options.editDistance(word, scenario.id))
    }
    let sorted = ranked.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
    let likely = sorted.filter { $0.distance <= max(2, word.count / 3) }
    return (likely.isEmpty ? sorted.prefix(1) : likely.prefix(3)).map(\.id)
  }
}
