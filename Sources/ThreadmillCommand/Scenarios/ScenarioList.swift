import ThreadmillReporting
import ThreadmillScenarios

/// The catalogue of scenarios as people and as machines read it.
package struct ScenarioList {
  /// The version of the form of ``json``.
  package static let version = 1

  package let scenarios: [Scenario]

  package init(_ scenarios: [Scenario]) { self.scenarios = scenarios }

  /// A block for each kind of fault; in it, for each scenario, the kinds of findings and the modes
  /// that have to find it, and below them what people write.
  package var text: String {
    let width = scenarios.map(\.id.count).max() ?? 0
    return scenarios.map(\.fault).distinct.map { fault in
      let rows = scenarios.filter { $0.fault == fault }.map { Self.text(of: $0, width) }
      return "\(fault.title)\n\(rows.joined())"
    }.joined(separator: "\n")
  }

  private static func text(of scenario: Scenario, _ width: Int) -> String {
    let padding = String(repeating: " ", count: width - scenario.id.count)
    let kinds = scenario.kinds.sorted().joined(separator: ", ")
    let modes = scenario.findingModes.map(\.rawValue).joined(separator: ", ")
    let found = kinds.isEmpty ? "nothing may be found" : "\(kinds) (\(modes))"
    return "  \(scenario.id)\(padding)  \(found)\n      \(scenario.summary)\n"
  }

  /// `version`, and `scenarios` with `id`, `fault`, `summary` and what is expected of each variant
  /// in each mode.
  package var json: JSON {
    .object([
      JSON.Member("version", .integer(Self.version)),
      JSON.Member("scenarios", .array(scenarios.map(Self.json))),
    ])
  }

  private static func json(_ scenario: Scenario) -> JSON {
    let rows = scenario.variants.flatMap { variant -> [JSON] in
      guard let expectation = scenario.expectations[variant] else { return [] }
      return Scenario.Mode.allCases.compactMap { mode in
        expectation.verdicts[mode].map { json(variant, expectation.outcome, mode, $0) }
      }
    }
    return .object([
      JSON.Member("id", .string(scenario.id)),
      JSON.Member("fault", .string(scenario.fault.rawValue)),
      JSON.Member("summary", .string(scenario.summary)),
      JSON.Member("expectations", .array(rows)),
    ])
  }

  private static func json(
    _ variant: Scenario.Variant, _ outcome: Scenario.Outcome, _ mode: Scenario.Mode,
    _ verdict: Scenario.Verdict
  ) -> JSON {
    .object([
      JSON.Member("variant", .string(variant.rawValue)),
      JSON.Member("outcome", .string(outcome.rawValue)),
      JSON.Member("mode", .string(mode.rawValue)),
      JSON.Member("required", .names(verdict.required)),
      JSON.Member("allowed", .names(verdict.allowed)),
      JSON.Member("rate", verdict.percentage.map { .integer($0) } ?? .null),
    ])
  }
}

extension JSON {
  /// Names in an order that does not depend on chance.
  static func names(_ names: Set<String>) -> JSON { .array(names.sorted().map(JSON.string)) }
}

extension Scenario {
  /// The kinds that some mode has to find, or may find, in a variant.
  fileprivate var kinds: Set<String> {
    expectations.values.flatMap(\.verdicts.values).reduce(into: []) { kinds, verdict in
      switch verdict {
      case .silent, .missed: break
      case .perhaps(let allowed, _): kinds.formUnion(allowed)
      case .finds(let required, _): kinds.formUnion(required)
      }
    }
  }

  /// The modes that have to find something, at least in a share of the runs.
  fileprivate var findingModes: [Mode] {
    Mode.allCases.filter { mode in
      expectations.values.contains { expectation in
        switch expectation.verdicts[mode] {
        case .finds: true
        case .perhaps(_, let rate): rate > 0
        case .silent, .missed, nil: false
        }
      }
    }
  }
}

extension Scenario.Verdict {
  /// The share of runs, in percent, that must find it where chance has a say.
  var percentage: Int? {
    if case .perhaps(_, let rate) = self { Int((rate * 100).rounded()) } else { nil }
  }
}

extension Scenario.Fault {
  /// For headings.
  package var title: String {
    switch self {
    case .dataRaces: "Data races"
    case .atomicity: "Atomicity and order"
    case .memory: "Memory order"
    case .deadlocks: "Deadlocks and hangs"
    case .priority: "Priority"
    case .misuse: "Misuse"
    case .silent: "What must stay silent"
    }
  }
}
