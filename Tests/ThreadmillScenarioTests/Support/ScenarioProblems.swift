import ThreadmillModel
import ThreadmillScenarios

extension Scenario {
  /// Why it must not say anything about a checker, in words; empty if nothing is wrong with it.
  ///
  /// That there is a repaired twin needs no check: `Scenario.init` wants its program. Neither does
  /// a verdict for `observe` and `tsan`: `Expectation.init` cannot do without.
  ///
  /// - Parameter proofs: what the catalogue demands; `nil` for a scenario that is not in it.
  /// - Parameter available: the modes in which there is somebody who looks.
  func problems(
    proofs: Set<HazardCatalogue.Proof>?, available: [Mode] = Mode.general
  ) -> [String] {
    guard let proofs else { return ["\(id) is not in the catalogue"] }
    var problems = missingData(proofs, available)
    for (variant, expectation) in sortedExpectations {
      problems += verdictProblems(variant, expectation)
    }
    problems += twins
    if fault != .silent { problems += harm + sorted(proofs).compactMap(unproven) }
    return problems
  }

  private var sortedExpectations: [(Variant, Expectation)] {
    Variant.allCases.compactMap { variant in expectations[variant].map { (variant, $0) } }
  }

  private func sorted(_ proofs: Set<HazardCatalogue.Proof>) -> [HazardCatalogue.Proof] {
    proofs.sorted { $0.rawValue < $1.rawValue }
  }

  // MARK: What has to be there

  /// A mode that is still to come has to be told what to find where the catalogue demands it, and
  /// nowhere else; whether it is, is the question of ``unproven(_:)``.
  private func missingData(
    _ proofs: Set<HazardCatalogue.Proof>, _ available: [Mode]
  ) -> [String] {
    let wanted = Set(proofs.compactMap(\.mode)).union(available)
    return Variant.allCases.flatMap { variant -> [String] in
      switch (variants.contains(variant), expectations[variant]) {
      case (true, nil): return ["\(variant) has no expectation"]
      case (false, .some): return ["\(variant) has no program"]
      case (false, nil): return []
      case (true, .some(let expectation)):
        let verdicts = expectation.verdicts
        let missing = available.filter { verdicts[$0] == nil }
        let idle = Mode.allCases.filter {
          !wanted.contains($0) && verdicts[$0] != nil && verdicts[$0] != .silent
        }
        return missing.map { "\(variant) has no verdict for \($0.rawValue)" }
          + idle.map {
            "\(variant) has a verdict for \($0.rawValue), which the catalogue does not ask for"
          }
      }
    }
  }

  // MARK: What a verdict may say

  private func verdictProblems(_ variant: Variant, _ expectation: Expectation) -> [String] {
    Mode.allCases.flatMap { mode -> [String] in
      guard let verdict = expectation.verdicts[mode] else { return [] }
      var problems = verdict.kinds.sorted().compactMap(mode.reason(against:))
      if let fault = verdict.fault { problems.append(fault) }
      // Another schedule may come to another end.
      if mode != .explore {
        problems += verdict.required.sorted().compactMap(expectation.outcome.reason(against:))
      }
      return problems.map { "\(variant), \(mode.rawValue): \($0)" }
    }
  }

  /// What is wrong with the accusations of its findings: every kind that must be found has some,
  /// and no kind that may not be found.
  func culpritProblems(_ accusations: [String: [Accusation]]) -> [String] {
    let verdicts = expectations.values.flatMap(\.verdicts.values)
    let required = verdicts.reduce(into: Set<String>()) { $0.formUnion($1.required) }
    let allowed = verdicts.reduce(into: Set<String>()) { $0.formUnion($1.kinds) }
    let named = Set(accusations.keys)
    let empty = accusations.filter { $0.value.contains([]) }.keys
    return required.subtracting(named).sorted().map { "\($0) names no culprits" }
      + empty.sorted().map { "\($0) accuses nobody" }
      + named.subtracting(allowed).sorted().map { "\($0) has culprits, and is never found" }
  }

  private var twins: [String] {
    guard let flawed = expectations[.flawed], let repaired = expectations[.repaired] else {
      return []
    }
    let isSilent = repaired.verdicts.values.allSatisfy { $0 == .silent }
    let accused = sortedExpectations.filter { variant, _ in variant != .repaired }
    let silenced = accused.filter { $0.1.verdicts.values.contains(.silent) }
    return [
      repaired.outcome == .ends ? nil : "repaired does not come to a good end",
      isSilent ? nil : "repaired is not silent",
      fault != .silent || flawed == repaired ? nil : "the twins of a correct program differ",
    ].compactMap(\.self)
      + (fault == .silent ? [] : silenced.map { "\($0.0) is called correct" })
  }

  /// A flaw does harm in some variant, in every run, unless this machine's processor hides it; and
  /// somebody finds it, be it later.
  private var harm: [String] {
    let flaws = expectations.filter { $0.key != .repaired }.values
    let isFound = flaws.contains { $0.verdicts.values.contains(where: \.isProof) }
    return [
      fault == .memory || flaws.contains { $0.outcome.isHarm }
        ? nil : "no variant does harm in every run",
      isFound ? nil : "no mode finds it",
    ].compactMap(\.self)
  }

  // MARK: What the catalogue demands

  private func unproven(_ proof: HazardCatalogue.Proof) -> String? {
    let flaws = expectations.filter { $0.key != .repaired }.values
    let isProven =
      if let mode = proof.mode {
        flaws.contains { $0.verdicts[mode]?.isProof ?? false }
      } else {
        flaws.contains {
          $0.outcome == .traps && !($0.verdicts[.observe]?.required.isEmpty ?? true)
        }
      }
    return isProven ? nil : "no variant proves \(proof.rawValue)"
  }
}

extension HazardCatalogue.Proof {
  /// The mode that has to find it; `nil` where it is the end of the program that counts.
  var mode: Scenario.Mode? {
    switch self {
    case .tsan: .tsan
    case .jitter: .jitter
    case .observe: .observe
    case .explore: .explore
    case .trap: nil
    }
  }
}

extension Scenario.Mode {
  /// Why the mode cannot come to a finding of this kind; `nil` if it can.
  fileprivate func reason(against kind: String) -> String? {
    guard let known = FindingKind(rawValue: kind) else { return "there is no kind \(kind)" }
    let isOutOfReach =
      switch (known, self) {
      case (.lateWrite, _): true
      case (.dataRace, .observe): true
      case (.assertionFailure, .observe), (.assertionFailure, .tsan), (.assertionFailure, .jitter):
        true
      default: false
      }
    return isOutOfReach ? "\(kind) is out of reach" : nil
  }
}

extension Scenario.Verdict {
  /// All that may be found.
  var kinds: Set<String> { required.union(allowed) }

  /// Whether it demands that something is found, at least in a share of the runs.
  fileprivate var isProof: Bool {
    if case .perhaps(let kinds, let rate) = self {
      !kinds.isEmpty && rate > 0
    } else {
      !required.isEmpty
    }
  }

  /// What makes it mean nothing; `nil` if it means something.
  fileprivate var fault: String? {
    switch self {
    case .silent, .missed: nil
    case .finds(let required, _): required.isEmpty ? "finds nothing that is required" : nil
    case .perhaps(let kinds, let rate):
      if kinds.isEmpty {
        "perhaps finds nothing"
      } else {
        (0...1).contains(rate) ? nil : "a share of \(rate) of the runs"
      }
    }
  }
}

extension Scenario.Outcome {
  /// Why a program with this end cannot be found to have done this; `nil` if it can.
  fileprivate func reason(against kind: String) -> String? {
    switch FindingKind(rawValue: kind) {
    case .crash where self != .traps: "a crash of a program that does not trap"
    case .hang where !canHang: "\(kind) of a program that does not hang"
    // The standard library's `Mutex` ends the program in place of hanging.
    case .deadlock where !canHang && self != .traps, .selfDeadlock where !canHang && self != .traps:
      "\(kind) of a program that does not hang"
    case .assertionFailure where self != .errs && self != .mayErr:
      "a wrong result of a program that has none"
    default: nil
    }
  }
}
