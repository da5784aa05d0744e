import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// The generated parts of README.md and of the documentation are what the program really prints.
///
/// `THREADMILL_README=write` brings them up to date, and fails on purpose.
@Suite(.serialized, .disabled(if: isThreadSanitized, "stacks differ under the sanitizer"))
struct ReadmeTests {
  @Test func optionsAreThoseOfTheTable() throws {
    try check("options", of: "Options", "```\n\(Options.help)\n```")
  }

  @Test func exampleIsWhatTheScenarioSays() async throws {
    let child = ChildProcess(
      executable: try Program.named("threadmill").path,
      arguments: ["scenarios", "run", "hammer-and-saw"],
      environment: Program.environment(options: nil),
      folder: Checkout.root.path, limit: Program.limit)
    let run = try await Slots.children.occupy { try await child.run() }
    #expect(run.outcome == .exited(1))
    #expect(run.standardError == "")
    let text = run.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    try check(
      "example", of: "ReadingAReport",
      "```\n$ threadmill scenarios run hammer-and-saw\n\n\(ThreadNumbers.fromOne(text))\n```")
    try check("finding", in: "README.md", "```\n\(Self.short(ThreadNumbers.fromOne(text)))\n```")
  }

  /// The title, what each thread does with its innermost frames, and the repair.
  private static func short(_ text: String) -> String {
    let finding = text.split(separator: "\n").drop { !$0.hasPrefix("error: ") }
      .prefix { !$0.hasPrefix("  fingerprint") }
    let kept = finding.filter { line in
      ["error: ", "took ", "waits for ", "repair "].contains {
        line.drop(while: \.isWhitespace).hasPrefix($0)
      } || line.contains(#/^ +T\d+ holds /#)
    }
    return kept.map { line in
      let begins = line.contains(#/^ +(T\d+ holds|repair) /#)
      return begins ? "\n\(line)" : String(line)
    }.joined(separator: "\n")
  }

  /// The head of a confirmed cycle's finding. The number of tries is chance, so it is replaced.
  @Test func theConfirmedCycleIsThatOfTheScenario() async throws {
    let child = ChildProcess(
      executable: try Program.named("scenario-host").path,
      arguments: ["run", "hammer-and-saw", "flawed"],
      environment: Program.environment(options: "confirm=true seed=7"),
      folder: Checkout.root.path, limit: Program.limit)
    let run = try await Slots.children.occupy { try await child.run() }
    let lines = run.standardError.split(separator: "\n", omittingEmptySubsequences: false)
    let title = try #require(lines.first { $0.hasPrefix("error: ") })
    let rest = lines.drop { !$0.hasPrefix("  Confirmed: ") }.prefix { !$0.hasPrefix("  repair ") }
    try #require(!rest.isEmpty)
    let text = ([title, "…"] + rest).joined(separator: "\n")
      .replacing(#/in \d+ tr(y|ies)/#, with: "in 4 tries")
    try check("confirmed", of: "Confirming", "```\n\(ThreadNumbers.fromOne(text))\n```")
  }

  /// The page shows a part of a program, and then the output of that program.
  @Test func theExplorationIsThatOfTheExample() async throws {
    let file = Checkout.root.appending(path: "Tests/Fixtures/Programs/Explored/Example.swift")
    let code = try String(contentsOf: file, encoding: .utf8)
    try check("exploring", of: "ExploringInterleavings", "```swift\n\(code)```")
    let child = ChildProcess(
      executable: try Program.named("harness-explored").path, arguments: ["example"],
      environment: Program.environment(options: nil),
      folder: Checkout.root.path, limit: Program.limit)
    let run = try await Slots.children.occupy { try await child.run() }
    #expect(run.outcome == .exited(0))
    let text = run.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    try check("explored", of: "ExploringInterleavings", "```\n\(ObjectNumbers.fromOne(text))\n```")
  }

  private func check(_ name: String, of page: String, _ wanted: String) throws {
    try check(name, in: "Sources/Threadmill/Documentation.docc/\(page).md", wanted)
  }

  private func check(_ name: String, in document: String, _ wanted: String) throws {
    let found = try GeneratedBlock.text(name, in: document, wanted: wanted)
    #expect(found == wanted, "\(document): \(GeneratedBlock.advice)")
  }
}

/// Numbers objects from 1 in the order of the text, not in that of the process; keeps the columns
/// in line.
private enum ObjectNumbers {
  static func fromOne(_ text: String) -> String {
    var numbers: [Substring: Int] = [:]
    return text.replacing(#/\bL\d+\b/#) { match in
      let number = numbers[match.output] ?? numbers.count + 1
      numbers[match.output] = number
      return "L\(number)".padding(toLength: match.output.count, withPad: " ", startingAt: 0)
    }
  }
}

/// Numbers threads from 1 in the order of the text; in the process their order is chance.
private enum ThreadNumbers {
  static func fromOne(_ text: String) -> String {
    var numbers: [Substring: Int] = [:]
    return text.replacing(#/\bT\d+\b/#) { match in
      let number = numbers[match.output] ?? numbers.count + 1
      numbers[match.output] = number
      return "T\(number)"
    }
  }
}
