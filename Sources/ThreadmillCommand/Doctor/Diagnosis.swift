/// The result of one check of the doctor: a line, and what to type if it is not `ok`.
package struct Diagnosis: Hashable, Sendable {
  package enum Verdict: String, CaseIterable, Sendable {
    case ok
    /// It works, but a part is missing.
    case warning
    /// It does not work, or not as expected.
    case wrong
  }

  /// The unique name of the check, which does not change between versions.
  package let check: String
  package let verdict: Verdict
  /// One line, without a full stop.
  package let sentence: String
  /// What to type or do, one line each; empty if the verdict is `ok`.
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
      executableCheck, executableAccessesCheck, executableSymbolsCheck,
    ]
    return checks.compactMap(\.self)
  }
}
