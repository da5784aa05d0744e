import ThreadmillModel
import ThreadmillScenarios

/// One scenario as a person is told about it: what it is about, what its run led to, and how it is
/// repaired.
package struct ScenarioTelling: Sendable {
  /// Columns of a line of prose, its indent included.
  private static let width = 92

  private let scenario: Scenario
  private let story: Story
  private let variant: Scenario.Variant
  private let isSanitized: Bool
  private let ink: Ink

  /// - Parameter isSanitized: whether Thread Sanitizer looks on as well.
  package init(
    _ scenario: Scenario, _ story: Story, variant: Scenario.Variant, isSanitized: Bool, ink: Ink
  ) {
    self.scenario = scenario
    self.story = story
    self.variant = variant
    self.isSanitized = isSanitized
    self.ink = ink
  }

  /// The text before the run: everything but the repair.
  package var beginning: String {
    var lines = [ink(.bold, scenario.id)] + Self.wrapped(story.title) + [""]
    for part in story.parts.dropLast() { lines += told(part) + [""] }
    let build = isSanitized ? ", in a build with Thread Sanitizer" : ""
    lines += [ink(.bold, "The \(name) program, watched\(build)"), ""]
    return Self.text(lines)
  }

  /// The text after the run.
  package func end(after run: WatchedRun) -> String {
    var lines = Self.wrapped(run.sentences) + [""]
    if let last = story.parts.last { lines += told(last) }
    if let repair = story.repair { lines += [""] + repair.text.map(coloured) }
    lines += ["", "source  \(scenario.sourcePath)"]
    if let other = nextVariant {
      lines.append("next    threadmill scenarios run \(scenario.id) --variant \(other.rawValue)")
    }
    return Self.text(lines)
  }

  /// The variant to look at after this one; `nil` after the last.
  private var nextVariant: Scenario.Variant? {
    guard scenario.fault != .silent else { return nil }
    switch variant {
    case .flawed: return scenario.variants.contains(.harmful) ? .harmful : .repaired
    case .harmful: return .repaired
    case .repaired: return nil
    }
  }

  private var name: String { scenario.fault == .silent ? "correct" : variant.rawValue }

  private func told(_ part: Story.Part) -> [String] {
    [ink(.bold, part.heading)] + part.paragraphs.flatMap(Self.wrapped)
  }

  /// A line of a diff.
  private func coloured(_ line: String) -> String {
    if line.hasPrefix("--- ") || line.hasPrefix("+++ ") { return ink(.bold, line) }
    switch line.first {
    case "-": return ink(.red, line)
    case "+": return ink(.green, line)
    case "@": return ink(.cyan, line)
    default: return line
    }
  }

  private static func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

  /// A paragraph, indented, no line wider than ``width`` unless one word is.
  static func wrapped(_ paragraph: String) -> [String] {
    var lines: [String] = []
    for word in paragraph.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append("  \(word)")
      }
    }
    return lines
  }
}

extension Scenario {
  /// Where its source lies in this package.
  package var sourcePath: String {
    "Scenarios/\(fault.rawValue)/\(file.split(separator: "/").last ?? "")"
  }
}

/// Text of others in pieces, set off by one empty line from what comes after it, however it begins
/// and ends.
package struct SetOffText {
  /// Held back until something follows.
  private var lineBreaks = 0
  private var isEmpty = true

  package init() {}

  /// What is to be written now that `piece` has come.
  package mutating func next(_ piece: String) -> String {
    let text = isEmpty ? piece.drop { $0 == "\n" } : piece[...]
    guard let last = text.lastIndex(where: { $0 != "\n" }) else {
      lineBreaks += isEmpty ? 0 : text.count
      return ""
    }
    let before = String(repeating: "\n", count: lineBreaks)
    isEmpty = false
    lineBreaks = text.distance(from: text.index(after: last), to: text.endIndex)
    return before + text[...last]
  }

  /// What is to be written when nothing comes any more.
  package var end: String { isEmpty ? "" : "\n\n" }
}
