import ThreadmillModel
import ThreadmillScenarios

/// A verification as people read it: the matrix, then what is not as it must be, and last how to
/// see that again.
package struct MatrixText {
  private let verification: Verification
  private let plan: VerificationPlan

  package init(_ verification: Verification, _ plan: VerificationPlan) {
    self.verification = verification
    self.plan = plan
  }

  package func text(isColoured: Bool = false) -> String {
    let parts =
      [table(isColoured), legend] + (verification.wrong.isEmpty ? [] : [disagreements(isColoured)])
    return parts.joined(separator: "\n") + "\n" + lastLines
  }

  private func table(_ isColoured: Bool) -> String {
    let modes = verification.modes
    let head = [Cell("scenario"), Cell("variant")] + modes.map { Cell($0.rawValue) }
    var lines = [head]
    var last = ""
    for line in MatrixLine.lines(of: verification) {
      let name = line.scenario.id == last ? "" : line.scenario.id
      last = line.scenario.id
      let cells = modes.map { mode in
        line.rows[mode].map { Cell($0.cell, isWrong: !$0.isRight) } ?? Cell("")
      }
      lines.append([Cell(name), Cell(line.variant.rawValue)] + cells)
    }
    let widths = head.indices.map { column in lines.map { $0[column].text.count }.max() ?? 0 }
    return lines.map { line in
      let words = zip(line, widths).map { $0.padded(to: $1, isColoured) }
      return words.joined(separator: "  ").trimmingTrailingSpaces + "\n"
    }.joined()
  }

  private var legend: String {
    var sentences = ["Each cell: what was expected and seen; + what was seen and may be."]
    if !verification.wrong.isEmpty { sentences.append("✗ expected → seen.") }
    return sentences.joined(separator: " ") + "\n"
  }

  private func disagreements(_ isColoured: Bool) -> String {
    verification.wrong.map { row in
      let trial = row.trial
      let name = "\(trial.name), \(trial.mode.rawValue)"
      let head = isColoured ? "\u{1B}[31m✗ \(name)\u{1B}[0m" : "✗ \(name)"
      let lines = row.problems.map { problem in
        let share =
          row.sightings.count > 1 ? " (\(problem.runs) of \(row.sightings.count) runs)" : ""
        return "    \(problem.text)\(share)\n"
          + (row.repetition(of: problem).map { "    again: \($0)\n" } ?? "")
      }
      return "\(head)\n\(lines.joined())\(row.lastWords.map { "    | \($0)\n" }.joined())"
    }.joined()
  }

  private var lastLines: String {
    let wrong = verification.wrong
    let without = verification.detector.map { ", without \($0)" } ?? ""
    let modes = verification.modes.map(plan.words(for:)).joined(separator: ", ")
    let count = "\(verification.rows.count) rows (\(modes)\(without))"
    let time = "\(verification.runs) runs in \(verification.seconds) s"
    guard !wrong.isEmpty else { return "\(count): all as expected, \(time)\n" }
    return """
      \(count): \(wrong.count) not as expected, \(time)
      to see it again: \(plan.command(for: wrong))

      """
  }

  private struct Cell {
    let text: String
    let isWrong: Bool

    init(_ text: String, isWrong: Bool = false) {
      self.text = text
      self.isWrong = isWrong
    }

    func padded(to width: Int, _ isColoured: Bool) -> String {
      let padding = String(repeating: " ", count: width - text.count)
      return (isWrong && isColoured ? "\u{1B}[31m\(text)\u{1B}[0m" : text) + padding
    }
  }
}

/// All rows of one variant.
struct MatrixLine {
  let scenario: Scenario
  let variant: Scenario.Variant
  var rows: [Trial.Mode: Verification.Row]

  /// In the order of the catalogue.
  static func lines(of verification: Verification) -> [MatrixLine] {
    verification.rows.reduce(into: []) { lines, row in
      let trial = row.trial
      if let last = lines.last, last.scenario.id == trial.scenario.id, last.variant == trial.variant
      {
        lines[lines.count - 1].rows[trial.mode] = row
      } else {
        lines.append(
          MatrixLine(scenario: trial.scenario, variant: trial.variant, rows: [trial.mode: row]))
      }
    }
  }
}

extension Scenario.Outcome {
  fileprivate var isCertain: Bool { self != .mayErr && self != .mayHang }
}

extension Verification.Row {
  /// How the runs ended, each way once.
  private var endings: String {
    sightings.map(\.ending.words).distinct.joined(separator: " or ")
  }

  /// The command that runs the program once more as it was shaken in the first run that had this
  /// problem; `nil` if nothing shook it.
  func repetition(of problem: Verification.Problem) -> String? {
    problem.shaking.map { shaking in
      let options = [trial.expectation.options, shaking.options].filter { !$0.isEmpty }
      return
        "THREADMILL_OPTIONS=\"\(options.joined(separator: " "))\" scenario-host run \(trial.name)"
    }
  }

  /// The end of what a program wrote that should have left a report, and did not.
  var lastWords: [String] {
    let mute = trial.verdict == nil ? nil : sightings.first { $0.kinds == nil }
    let lines = mute?.complaint.split(separator: "\n").suffix(3) ?? []
    return lines.map { String($0).printable }
  }

  /// The text of a cell of the matrix.
  var cell: String {
    guard isRight else { return "✗ \(expectedWord) → \(seenWord)" }
    let extra = seen.subtracting(trial.verdict?.required ?? [])
    if trial.verdict == nil, !trial.expectation.outcome.isCertain {
      return "\(expectedWord): \(endings)"
    }
    if let rate { return "\(expectedWord) (\(rate.found) of \(rate.runs))" }
    return extra.isEmpty ? expectedWord : "\(expectedWord) + \(Judge.list(extra))"
  }

  /// The expected result of every run.
  var expectedWord: String {
    switch trial.verdict {
    case nil: trial.expectation.outcome.rawValue
    case .silent: "silent"
    case .missed: "missed"
    case .perhaps(let allowed, _): "perhaps \(Judge.list(allowed))"
    case .finds(let required, _): Judge.list(required)
    }
  }

  /// The results of the runs, with their ends if the ends are wrong.
  var seenWord: String {
    let kinds = seen.isEmpty ? "silent" : Judge.list(seen)
    if trial.verdict == nil { return seen.isEmpty ? endings : "\(endings), \(kinds)" }
    let isKindRight = sightings.allSatisfy { trial.verdict?.agrees(with: $0.kinds ?? []) ?? true }
    return isKindRight ? "\(kinds), \(endings)" : kinds
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
