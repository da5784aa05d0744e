import ThreadmillModel

extension MachineFacts {
  /// Read by the parser that every watched program uses.
  var threadmillOptionsCheck: Diagnosis {
    let check = Options.variable
    guard let threadmillOptions else { return Diagnosis(check, .ok, "not set") }
    do {
      let options = try Options(parsing: threadmillOptions)
      if options.detects { return Diagnosis(check, .ok, "understood") }
      return Diagnosis(
        check, .warning, "detect=false: nothing is looked for", cure: ["unset \(Options.variable)"])
    } catch {
      return Diagnosis(
        check, .wrong, Self.sentence(error.errors),
        cure: ["unset \(Options.variable)  # or put it right: watched programs end with status 2"])
    }
  }

  /// The first of them, and how many more there are.
  private static func sentence(_ errors: [OptionError]) -> String {
    let rest = errors.count > 1 ? "; and \(errors.count - 1) more" : ""
    return "\(errors.first?.description ?? "")\(rest)"
  }

  var sanitizerOptionsCheck: Diagnosis {
    let check = "TSAN_OPTIONS"
    guard let sanitizerOptions else { return Diagnosis(check, .ok, "not set") }
    let set = SanitizerOption.read(sanitizerOptions)
    let harmful = SanitizerOption.table.filter { option in
      set[option.name].map(option.isHarmful) ?? false
    }
    guard !harmful.isEmpty else { return Diagnosis(check, .ok, "no flag in it is harmful") }
    let sentences = harmful.map { "\($0.name)=\(set[$0.name] ?? ""): \($0.sentence)" }
    let worst = harmful.contains { $0.verdict == .wrong } ? Diagnosis.Verdict.wrong : .warning
    return Diagnosis(
      check, worst, sentences.joined(separator: "; "),
      cure: ["unset TSAN_OPTIONS  # or leave out \(harmful.map(\.name).joined(separator: ", "))"])
  }
}

/// An option of Thread Sanitizer that changes what Threadmill relies on.
package struct SanitizerOption: Sendable {
  package let name: String
  package let verdict: Diagnosis.Verdict
  /// The consequence of the option.
  package let sentence: String
  /// Whether this value has the consequence.
  let isHarmful: @Sendable (String) -> Bool

  package static let table: [SanitizerOption] = [
    SanitizerOption(
      name: "report_bugs", verdict: .wrong, sentence: "no race is reported", isHarmful: isFalse),
    SanitizerOption(
      name: "exitcode", verdict: .warning, sentence: "a program with a race ends as if it had none",
      isHarmful: { $0 == "0" }),
    SanitizerOption(
      name: "halt_on_error", verdict: .warning, sentence: "the first race ends all tests",
      isHarmful: isTrue),
    SanitizerOption(
      name: "symbolize", verdict: .warning, sentence: "frames get no names", isHarmful: isFalse),
    SanitizerOption(
      name: "enable_annotations", verdict: .warning,
      sentence: "the work of Threadmill itself orders threads, so that some races are not reported",
      isHarmful: isFalse),
    SanitizerOption(
      name: "ignore_noninstrumented_modules", verdict: .warning,
      sentence: "reports from within libraries come back, false ones among them",
      isHarmful: isFalse),
    SanitizerOption(
      name: "ignore_interceptors_accesses", verdict: .warning,
      sentence: "reports from within libraries come back, false ones among them",
      isHarmful: isFalse),
  ]

  private static let isFalse: @Sendable (String) -> Bool = { ["0", "no", "false"].contains($0) }
  private static let isTrue: @Sendable (String) -> Bool = { ["1", "yes", "true"].contains($0) }

  /// The value of each option; of one that is set twice the last, as the sanitizer has it.
  package static func read(_ text: String) -> [String: String] {
    let words = text.split { " ,:\n\t\r".contains($0) }
    return words.reduce(into: [:]) { values, word in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return }
      values[String(parts[0])] = parts[1].trimming { "\"'".contains($0) }
    }
  }
}

extension Substring {
  fileprivate func trimming(where isTrimmed: (Character) -> Bool) -> String {
    let start = drop(while: isTrimmed)
    return String(String(start.reversed().drop(while: isTrimmed)).reversed())
  }
}
