/// What the doctor says about one thing: a line, and what to type if it is not well.
package struct Diagnosis: Hashable, Sendable {
  package enum Verdict: String, CaseIterable, Sendable {
    case ok
    /// It works, and less of it than could.
    case warning
    /// It does not work, or not as anybody would expect.
    case wrong
  }

  /// The name of the check; each has one of its own, and they stay.
  package let check: String
  package let verdict: Verdict
  /// One line, without a full stop.
  package let sentence: String
  /// What to type or do, a line each; empty for what is ok.
  package let cure: [String]

  package init(_ check: String, _ verdict: Verdict, _ sentence: String, cure: [String] = []) {
    self.check = check
    self.verdict = verdict
    self.sentence = sentence
    self.cure = cure
  }
}

extension MachineFacts {
  /// All checks, in the order in which one thing rests on another; without those that do not apply.
  package var diagnoses: [Diagnosis] {
    let checks = [
      platformCheck, toolchainCheck, librariesCheck, layoutsCheck, buildSystemCheck, sanitizerCheck,
      unwinderCheck, symbolsCheck, processorsCheck, threadmillOptionsCheck, sanitizerOptionsCheck,
      executableCheck,
      executableSymbolsCheck,
    ]
    return checks.compactMap(\.self)
  }
}
