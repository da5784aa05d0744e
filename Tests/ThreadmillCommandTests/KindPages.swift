import ThreadmillModel
import ThreadmillReporting
import ThreadmillScenarios

/// The pages of the documentation about the kinds of findings.
enum KindPages {
  static let folder = "Sources/Threadmill/Documentation.docc"

  static func document(of kind: FindingKind) -> String { "\(folder)/Findings/\(kind.rawValue).md" }

  /// For the list of all pages.
  static var index: String {
    FindingKind.allCases.map { "- [\($0.name)](Findings/\($0.rawValue).md)" }
      .joined(separator: "\n")
  }

  static func page(of kind: FindingKind) -> String {
    var blocks = [
      "# \(kind.name)", kind.explanation, "## Repair", kind.repair, "## Names",
      """
      The kind is `\(kind.rawValue)` in reports, baselines and suppressions, and the rule \
      `threadmill/\(kind.rawValue)` in SARIF. `THREADMILL_OPTIONS=without=\(kind.rawValue)` looks \
      for none.
      """,
    ]
    let scenarios = Scenario.all.filter { $0.leads(to: kind) }
    if !scenarios.isEmpty {
      blocks += [
        "## Programs that have it",
        "`threadmill scenarios run` and the name tells the story of each, runs it, and shows its"
          + " repair.",
        scenarios.map { "- `\($0.id)`: \($0.summary)" }.joined(separator: "\n"),
      ]
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }
}

extension Scenario {
  /// Whether the kind has to be found in it.
  fileprivate func leads(to kind: FindingKind) -> Bool {
    [Variant.flawed, .harmful].compactMap { expectations[$0] }.contains { expectation in
      expectation.verdicts.values.contains { $0.required.contains(kind.rawValue) }
    }
  }
}
