import ThreadmillReporting
import ThreadmillScenarios

/// A verification for machines.
///
/// `version`, `without`, `ok`, and `rows`: `id`, `variant`, `mode`; `expected`, the kinds that
/// every run must find, `allowed`, those that it may find, `seen`, those that some run has found;
/// `ok`. Beside these `outcome`, what must become of the program, `runs` with how often which end
/// and which kinds came together, `problems` in words, `rate` in percent where finding is up to
/// chance, and `jitter` and `seed` of the first run that was wrong while its threads were
/// disturbed.
package struct VerificationJSON {
  /// The version of the form of ``json``.
  package static let version = 1

  private let verification: Verification

  package init(_ verification: Verification) { self.verification = verification }

  package var json: JSON {
    .object([
      JSON.Member("version", .integer(Self.version)),
      JSON.Member("without", verification.detector.map(JSON.string) ?? .null),
      JSON.Member("ok", .boolean(verification.wrong.isEmpty)),
      JSON.Member("rows", .array(verification.rows.map(Self.json))),
    ])
  }

  private static func json(_ row: Verification.Row) -> JSON {
    let trial = row.trial
    let members = [
      JSON.Member("id", .string(trial.scenario.id)),
      JSON.Member("variant", .string(trial.variant.rawValue)),
      JSON.Member("mode", .string(trial.mode.rawValue)),
      JSON.Member("expected", .names(trial.verdict?.required ?? [])),
      JSON.Member("allowed", .names(trial.verdict?.allowed ?? [])),
      JSON.Member("seen", .names(row.seen)),
      JSON.Member("ok", .boolean(row.isRight)),
      JSON.Member("outcome", .string(trial.expectation.outcome.rawValue)),
      JSON.Member("runs", .array(row.sorts.map(json))),
      JSON.Member("problems", .array(row.problems.map { .string($0.text) })),
    ]
    let rate = trial.verdict?.percentage.map { [JSON.Member("rate", .integer($0))] } ?? []
    let shaking = row.problems.compactMap(\.shaking).first.map { shaking in
      [
        JSON.Member("jitter", .string(shaking.policy.rawValue)),
        JSON.Member("seed", .integer(shaking.seed.rawValue)),
      ]
    }
    return .object(members + rate + (shaking ?? []))
  }

  private static func json(_ sort: Verification.Row.Sort) -> JSON {
    .object([
      JSON.Member("ending", .string(sort.ending)), JSON.Member("seen", .names(sort.kinds)),
      JSON.Member("times", .integer(sort.times)),
    ])
  }
}

extension Verification.Row {
  /// Runs that came to the same.
  struct Sort: Hashable {
    var ending: String
    var kinds: Set<String>
    var times: Int
  }

  /// What came how often, the most frequent first.
  fileprivate var sorts: [Sort] {
    var sorts: [Sort] = []
    for seen in sightings {
      let kinds = seen.kinds ?? []
      let same = sorts.firstIndex { $0.ending == seen.ending.words && $0.kinds == kinds }
      if let same {
        sorts[same].times += 1
      } else {
        sorts.append(Sort(ending: seen.ending.words, kinds: kinds, times: 1))
      }
    }
    return sorts.sorted { $0.times > $1.times }
  }
}
