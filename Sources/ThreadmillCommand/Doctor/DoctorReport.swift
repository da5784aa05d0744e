import ThreadmillModel
import ThreadmillReporting

/// The diagnoses as people and as machines read them.
package struct DoctorReport: Hashable, Sendable {
  /// The version of the form of ``json``.
  package static let version = 1

  package let diagnoses: [Diagnosis]

  package init(_ diagnoses: [Diagnosis]) { self.diagnoses = diagnoses }

  /// A warning leaves everything working.
  package var status: ExitStatus {
    diagnoses.contains { $0.verdict == .wrong } ? .findings : .nothingFound
  }

  /// A line for each check, below it what to type, and a last line that sums up.
  package func text(isColoured: Bool = false) -> String {
    let width = diagnoses.map(\.check.count).max() ?? 0
    let indent = String(repeating: " ", count: Self.verdictWidth + width + 4)
    var lines: [String] = []
    for diagnosis in diagnoses {
      let verdict = Self.padded(diagnosis.verdict.rawValue, Self.verdictWidth)
      let shown = isColoured ? diagnosis.verdict.coloured(verdict) : verdict
      let check = Self.padded(diagnosis.check, width)
      lines.append("\(shown)  \(check)  \(diagnosis.sentence.printable)")
      lines += diagnosis.cure.map { "\(indent)→ \($0.printable)" }
    }
    return lines.joined(separator: "\n") + "\n\n\(summary)\n"
  }

  private static let verdictWidth = Diagnosis.Verdict.allCases.map(\.rawValue.count).max() ?? 0

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: width - text.count)
  }

  private var summary: String {
    let wrong = diagnoses.count { $0.verdict == .wrong }
    let warnings = diagnoses.count { $0.verdict == .warning }
    let parts = [
      wrong > 0 ? "\(wrong) wrong" : nil,
      warnings > 0 ? "\(warnings) warning\(warnings == 1 ? "" : "s")" : nil,
    ].compactMap(\.self)
    return "threadmill doctor: \(parts.isEmpty ? "all is well" : parts.joined(separator: ", "))"
  }

  /// `version`, `threadmill`, `ok`, and in `checks` what each line of the text says.
  package var json: JSON {
    .object([
      JSON.Member("version", .integer(Self.version)),
      JSON.Member("threadmill", .string(Tool.version)),
      JSON.Member("ok", .boolean(status == .nothingFound)),
      JSON.Member("checks", .array(diagnoses.map(Self.json))),
    ])
  }

  private static func json(_ diagnosis: Diagnosis) -> JSON {
    .object([
      JSON.Member("check", .string(diagnosis.check)),
      JSON.Member("verdict", .string(diagnosis.verdict.rawValue)),
      JSON.Member("sentence", .string(diagnosis.sentence)),
      JSON.Member("cure", .array(diagnosis.cure.map(JSON.string))),
    ])
  }
}

extension Diagnosis.Verdict {
  /// In green, yellow or red.
  fileprivate func coloured(_ text: String) -> String {
    let code =
      switch self {
      case .ok: 32
      case .warning: 33
      case .wrong: 31
      }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
