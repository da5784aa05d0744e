extension Scenario {
  /// What one variant does by itself, and what each mode of checking must say about it.
  package struct Expectation: Sendable, Hashable {
    package let outcome: Outcome
    package let verdicts: [Mode: Verdict]
    /// What a checker has to be told to see it in a short run, such as its patience.
    package let options: String

    static func ends(observe: Verdict, options: String = "") -> Expectation {
      Expectation(outcome: .ends, verdicts: [.observe: observe], options: options)
    }

    static func delays(observe: Verdict, options: String = "") -> Expectation {
      Expectation(outcome: .delays, verdicts: [.observe: observe], options: options)
    }

    static func errs(observe: Verdict, options: String = "") -> Expectation {
      Expectation(outcome: .errs, verdicts: [.observe: observe], options: options)
    }

    static func hangs(observe: Verdict, options: String = "") -> Expectation {
      Expectation(outcome: .hangs, verdicts: [.observe: observe], options: options)
    }

    static func traps(observe: Verdict, options: String = "") -> Expectation {
      Expectation(outcome: .traps, verdicts: [.observe: observe], options: options)
    }
  }

  /// What becomes of the process when nobody interferes.
  package enum Outcome: String, Sendable {
    /// It comes to its end, with status 0.
    case ends
    /// The same, but what is urgent comes late; findings are warnings and leave the status alone.
    case delays
    /// It comes to its end with a wrong result, and says so by ``Scenario/wrongResultStatus``.
    case errs
    /// It never ends.
    case hangs
    /// It is killed by a signal.
    case traps
  }

  /// The status of a program that notices that its result is wrong.
  package static let wrongResultStatus: Int32 = 64

  /// A way of looking at a running program.
  package enum Mode: String, Sendable, CaseIterable {
    /// One ordinary run.
    case observe
  }

  /// What a mode has to say; kinds of findings are named as in reports.
  package enum Verdict: Sendable, Hashable {
    /// Nothing at all.
    case silent
    /// Each kind in `required`, perhaps some in `allowed`, and no other.
    case finds(required: Set<String>, allowed: Set<String>)

    static func finds(_ required: String..., allowing allowed: String...) -> Verdict {
      .finds(required: Set(required), allowed: Set(allowed))
    }

    package var required: Set<String> {
      switch self {
      case .silent: []
      case .finds(let required, _): required
      }
    }

    package var allowed: Set<String> {
      switch self {
      case .silent: []
      case .finds(_, let allowed): allowed
      }
    }

    /// Whether these kinds are what was asked for, with nothing missing and nothing on top.
    package func agrees(with kinds: Set<String>) -> Bool {
      required.isSubset(of: kinds) && kinds.isSubset(of: required.union(allowed))
    }
  }
}
