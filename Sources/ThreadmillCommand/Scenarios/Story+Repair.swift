import ThreadmillScenarios

extension Story {
  /// The change that repairs a program.
  package struct Repair: Hashable, Sendable {
    /// The variant that it starts from.
    package let flaw: Scenario.Variant
    package let diff: UnifiedDiff

    /// As `patch` reads it.
    package var text: [String] {
      diff.text(from: flaw.rawValue, to: Scenario.Variant.repaired.rawValue)
    }
  }

  /// From the variant that is nearest to the repaired one, so that what only steers the program
  /// does not look like the repair; `nil` if there was nothing to repair.
  package var repair: Repair? {
    guard let repaired = programs[.repaired] else { return nil }
    let repairs = [Scenario.Variant.harmful, .flawed].compactMap { flaw in
      programs[flaw].map {
        Repair(flaw: flaw, diff: UnifiedDiff(from: $0.lines, to: repaired.lines))
      }
    }
    let nearest = repairs.min { $0.diff.changes < $1.diff.changes }
    return nearest.flatMap { $0.diff.changes == 0 ? nil : $0 }
  }
}
