/// The catalogue as other programs read it: the content of `list --json`.
package struct Listing: Encodable {
  package struct Entry: Encodable {
    package let id: String
    package let fault: String
    package let summary: String
    package let expectations: [Row]
  }

  /// What one variant leads to in one mode; no required kind means that the mode must be silent.
  package struct Row: Encodable {
    package let variant: String
    package let outcome: String
    package let mode: String
    package let required: [String]
    package let allowed: [String]
  }

  package let version = 1
  package let scenarios: [Entry]

  package init(_ scenarios: [Scenario]) {
    self.scenarios = scenarios.map { scenario in
      Entry(
        id: scenario.id, fault: scenario.fault.rawValue, summary: scenario.summary,
        expectations: Self.rows(of: scenario))
    }
  }

  private static func rows(of scenario: Scenario) -> [Row] {
    scenario.variants.flatMap { variant -> [Row] in
      guard let expectation = scenario.expectations[variant] else { return [] }
      return Scenario.Mode.allCases.compactMap { mode in
        guard let verdict = expectation.verdicts[mode] else { return nil }
        return Row(
          variant: variant.rawValue, outcome: expectation.outcome.rawValue, mode: mode.rawValue,
          required: verdict.required.sorted(), allowed: verdict.allowed.sorted())
      }
    }
  }
}
