import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting
import ThreadmillScenarios

extension Command {
  static let scenariosVerify = Command(
    name: "scenarios verify",
    sentence:
      "Run every variant of every scenario, and compare its findings with the expected ones.",
    switches: [
      Switch(
        "--filter", takes: .scenarios, "Run only scenarios whose name, or name and variant, match."),
      Switch("--html", takes: .output, "Write the matrix as a page for a browser as well."),
      Switch(
        "--jitter", takes: .policy,
        "Also run the mode jitter, under this policy; the default policy is portfolio."),
      Switch("--json", takes: .output, "Write it as JSON as well."),
      Switch(
        "--mode", takes: .mode,
        """
        Run only this mode: plain (not watched), observe, tsan, jitter or explore; the default is \
        plain and observe.
        """),
      Switch("--repeat", takes: .count, "Run each of them this many times."),
      Switch(
        "--sanitize", takes: .sanitizer,
        "Also run the modes tsan and jitter, in a build with Thread Sanitizer."),
      Switch(
        "--seed", takes: .seed,
        """
        Derive the seeds of the modes jitter and explore from this number; the default is a random \
        one.
        """),
      Switch("--skip-build", "Do not build scenario-host; use the one beside the tool."),
      Switch(
        "--times", takes: .count,
        "Run only the variants that must stay silent, each this many times in its process."),
      Switch(
        "--without", takes: .kind, "Do not look for findings of this kind; its rows must then fail."
      ),
    ]
  ) { arguments, console in
    try VerifyCommand(arguments, console).run()
  }
}

/// One call of `threadmill scenarios verify`.
private struct VerifyCommand {
  private let plan: VerificationPlan
  private let console: Console
  private let json: String?
  private let html: String?
  private let skipsBuild: Bool

  init(_ arguments: Arguments, _ console: Console) throws(UsageError) {
    plan = try VerificationPlan(arguments)
    self.console = console
    json = arguments.values["--json"]
    html = arguments.values["--html"]
    skipsBuild = arguments.has("--skip-build")
  }

  func run() throws -> ExitStatus {
    let verifier = Verifier(
      hosts: try findHosts(), without: plan.detector, count: plan.count, times: plan.times ?? 1,
      shaking: plan.shaking,
      slots: Slots(MachineFacts.Processors.current.usable))
    let verification = try verify(with: verifier)
    let matrix = MatrixText(verification, plan)
    console.say(matrix.text(isColoured: console.isColoured))
    for id in plan.leftOut {
      console.complain("left out: \(id), which needs more processors to go wrong\n")
    }
    try json.map { try write(VerificationJSON(verification).json.bytes, to: $0) }
    try html.map { try write(Array(MatrixPage(verification, plan).html.text.utf8), to: $0) }
    return verification.status
  }

  /// One for each build, whatever the number of modes that use it.
  private func findHosts() throws -> [ScenarioHost.Build: ScenarioHost] {
    try plan.trials.map(\.build).distinct.reduce(into: [:]) { hosts, build in
      hosts[build] = try ScenarioHost.find(build, isRebuilt: !skipsBuild, console: console)
    }
  }

  private func verify(with verifier: Verifier) throws -> Verification {
    let trials = plan.trials
    let progress = Progress("verify", total: trials.count * plan.count, console: console)
    defer { progress.end() }
    return try Interruption.heeding {
      try await verifier.verify(trials) { trial, seen in
        let isWrong = trial.problem(seen, isSanitized: trial.build.isSanitized) != nil
        progress.advance(past: "\(trial.name), \(trial.mode.rawValue)", isWrong: isWrong)
      }
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}

/// The rows to verify, from the command line.
package struct VerificationPlan: Sendable {
  package let modes: [Trial.Mode]
  package let scenarios: String?
  package let detector: String?
  package let count: Int
  /// How often a process does what its program does; `nil` for once, flawed programs as well.
  package let times: Int?
  /// The number that the seeds of the mode `jitter` are derived from.
  package let shaking: Shaking

  package init(_ arguments: Arguments) throws(UsageError) {
    var modes: Set<Trial.Mode> =
      arguments.values["--mode"].flatMap(Trial.Mode.init(rawValue:)).map { [$0] }
      ?? [.plain, .observe]
    if arguments.has("--sanitize") { modes.formUnion([.tsan, .jitter]) }
    if arguments.has("--jitter") { modes.insert(.jitter) }
    self.modes = Trial.Mode.allCases.filter(modes.contains)
    if let seed = arguments.values["--seed"], !modes.contains(where: \.isSeeded) {
      throw .badValue(
        name: "--seed", value: seed, command: "scenarios verify",
        allowed: "a seed where the mode jitter or explore is among the others")
    }
    shaking = Shaking(
      arguments.values["--jitter"].flatMap(JitterPolicy.init(rawValue:)) ?? .portfolio,
      seed: arguments.values["--seed"].flatMap(Seed.init(text:)) ?? .random)
    scenarios = arguments.values["--filter"]
    detector = arguments.values["--without"]
    count = arguments.values["--repeat"].flatMap { Int($0) } ?? 1
    times = arguments.values["--times"].flatMap { Int($0) }
  }

  package var trials: [Trial] { wanted.filter(\.scenario.isPossibleHere) }

  /// The scenarios that were asked for and cannot go wrong here.
  package var leftOut: [String] {
    wanted.map(\.scenario).filter { !$0.isPossibleHere }.map(\.id).distinct
  }

  private var wanted: [Trial] {
    let all = Trial.all(in: modes).filter { times == nil || $0.mustStaySilent }
    guard let scenarios, let filter = ScenarioFilter(scenarios) else { return all }
    return all.filter(filter.matches)
  }

  /// A mode for people.
  func words(for mode: Trial.Mode) -> String {
    if mode == .explore { return "\(mode.rawValue) with seed \(shaking.seed.rawValue)" }
    guard mode == .jitter else { return mode.rawValue }
    return "\(mode.rawValue) \(shaking.policy.rawValue) with seed \(shaking.seed.rawValue)"
  }

  /// The command line that runs these rows again, as they were run.
  func command(for rows: [Verification.Row]) -> String {
    let ids = rows.map(\.trial.scenario.id).distinct
    let modes = Trial.Mode.allCases.filter { mode in rows.contains { $0.trial.mode == mode } }
    let pattern = ids.count == 1 ? "^\(ids[0])$" : "^(\(ids.joined(separator: "|")))$"
    var words = ["threadmill", "scenarios", "verify"]
    if let mode = modes.first, modes.count == 1 {
      words.append("--mode \(mode.rawValue)")
    } else if modes.contains(where: \.isSanitized) {
      words.append("--sanitize thread")
    }
    if modes == [.explore] { words.append("--seed \(shaking.seed.rawValue)") }
    if modes.contains(.jitter) {
      words.append("--jitter \(shaking.policy.rawValue) --seed \(shaking.seed.rawValue)")
    }
    words.append("--filter '\(pattern)'")
    if count > 1 { words.append("--repeat \(count)") }
    if let times { words.append("--times \(times)") }
    if let detector { words.append("--without \(detector)") }
    return words.joined(separator: " ")
  }
}

/// A regular expression for scenarios.
package struct ScenarioFilter {
  private let expression: Regex<AnyRegexOutput>

  /// `nil` if it is no regular expression.
  package init?(_ text: String) {
    guard let expression = try? Regex(text) else { return nil }
    self.expression = expression
  }

  package func matches(_ trial: Trial) -> Bool {
    trial.scenario.id.contains(expression) || trial.name.contains(expression)
  }
}

extension Switch.Value {
  fileprivate static let scenarios = Switch.Value(
    placeholder: "RE",
    allowed: "a regular expression that matches some of 'threadmill scenarios list'"
  ) { text in
    ScenarioFilter(text).map { Trial.all(in: [.plain]).contains(where: $0.matches) } ?? false
  }

  fileprivate static let mode = Switch.Value(
    placeholder: "MODE", allowed: Trial.Mode.allCases.map(\.rawValue).joined(separator: ", ")
  ) { Trial.Mode(rawValue: $0) != nil }

  static let sanitizer = Switch.Value(placeholder: "thread", allowed: "thread") {
    $0 == "thread"
  }

  fileprivate static let kind = Switch.Value(
    placeholder: "DETECTOR",
    allowed: FindingKind.allCases.map(\.rawValue).joined(separator: ", ")
  ) { FindingKind(rawValue: $0) != nil }
}
