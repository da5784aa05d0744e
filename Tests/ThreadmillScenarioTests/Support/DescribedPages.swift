import Foundation
import ThreadmillCommand
import ThreadmillTestSupport

/// A type of the catalogue that a description of its operations checks, flawed and repaired. Its
/// page is made of its source and of its description.
struct DescribedType: Sendable {
  /// As the program `harness-described` calls it.
  let name: String
  /// Of the source.
  let file: String

  static let all: [DescribedType] = [
    .init(name: "counter", file: "Counters"), .init(name: "stack", file: "Stacks"),
    .init(name: "queue", file: "Queues"), .init(name: "cache", file: "Caches"),
    .init(name: "semaphore", file: "Semaphores"), .init(name: "once", file: "Onces"),
    .init(name: "limiter", file: "Limiters"), .init(name: "bank", file: "Banks"),
    .init(name: "channel", file: "Channels"), .init(name: "observers", file: "Observers"),
  ]

  var document: String { "Scenarios/Pages/described-\(name).md" }

  var page: String {
    get throws {
      let source = try DescribedSource(self)
      let description = try description(source.flawed.name)
      let hasModel = description.contains("model:")
      let teacher = hasModel ? "A plain value, the model," : "One thread that uses the type"
      return [
        "# described-\(name)", source.meaning,
        "[Described types](../README.md#described-types) · "
          + "[source](../Described/\(file).swift)",
        "## What people write", source.flawed.words, fenced(source.flawed.code, as: "swift"),
        "## Say what is right",
        "\(teacher) shows what is right. The description names the operations:",
        fenced(description, as: "swift"),
        "## What Threadmill says",
        "`linearizable` finds the flaw with each of 100 seeds within its default budget, and "
          + "repeats it in other processes. The repaired type holds under 10,000 schedules. "
          + "`scripts/campaigns/described` measures both.",
        "## Repair", source.repaired.words,
        fenced(repair(source), as: "diff"),
      ].joined(separator: "\n\n") + "\n"
    }
  }

  /// What stands in the index.
  var row: [String] {
    get throws {
      ["[described-\(name)](Pages/described-\(name).md)", try DescribedSource(self).flawed.words]
    }
  }

  private func repair(_ source: DescribedSource) -> String {
    let flawed = source.flawed.code.replacing(source.flawed.name, with: source.repaired.name)
    return UnifiedDiff(from: flawed.lines, to: source.repaired.code.lines)
      .text(from: "flawed", to: "repaired").joined(separator: "\n")
  }

  /// The description that the harness has, of this type alone.
  private func description(_ type: String) throws -> String {
    let text = try Checkout.text(of: "Tests/Fixtures/Programs/Described/Descriptions.swift")
    guard let head = text.range(of: "func \(name)<"),
      let begin = text.range(of: "  try linearizable(", range: head.upperBound..<text.endIndex),
      let end = text.range(of: "\n}\n", range: begin.upperBound..<text.endIndex)
    else { throw CocoaError(.fileReadCorruptFile) }
    return text[begin.lowerBound..<end.lowerBound].lines
      .map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : $0 }.joined(separator: "\n")
      .replacing(#/,\s*scenarios: scenarios,\s*schedules:[^)]*\) \{/#, with: ") {")
      .replacing(#/linearizable\(\s*\{ T\(\) \}/#, with: "linearizable({ \(type)() }")
  }

  private func fenced(_ text: String, as language: String) -> String {
    "```\(language)\n\(text)\n```"
  }
}

/// The source of a described type, taken apart.
private struct DescribedSource {
  struct Declaration {
    /// Of its comment.
    let words: String
    let name: String
    let code: String
  }

  /// What the type is for.
  let meaning: String
  let flawed: Declaration
  let repaired: Declaration

  init(_ type: DescribedType) throws {
    let text = try Checkout.text(of: "Scenarios/Described/\(type.file).swift")
    let declarations = text.matches(
      of: #/((?:/{3} .*\n)+)((?:package |final )*(?:protocol|class|actor) (\w+)(?s:.*?)\n}\n)/#
    ).map { match in
      Declaration(
        words: match.1.replacing("/// ", with: "").split(separator: "\n").joined(separator: " "),
        name: String(match.3), code: String(match.2.dropLast()).replacing("package ", with: ""))
    }
    guard declarations.count == 3 else { throw CocoaError(.fileReadCorruptFile) }
    (meaning, flawed, repaired) = (declarations[0].words, declarations[1], declarations[2])
  }
}

extension Checkout {
  fileprivate static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}

extension StringProtocol {
  fileprivate var lines: [String] {
    split(separator: "\n" as Character, omittingEmptySubsequences: false).map { String($0) }
  }
}
