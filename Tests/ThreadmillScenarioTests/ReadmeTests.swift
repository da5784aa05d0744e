import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// The generated parts of README.md are what the program really prints.
///
/// `THREADMILL_README=write` brings them up to date, and fails on purpose.
@Suite(.serialized, .disabled(if: isThreadSanitized, "stacks differ under the sanitizer"))
struct ReadmeTests {
  @Test func optionsAreThoseOfTheTable() throws {
    try check(block: "options", "```\n\(Options.help)\n```")
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
      block: "example",
      "```\n$ threadmill scenarios run hammer-and-saw\n\n\(ThreadNumbers.fromOne(text))\n```")
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
    try check(block: "confirmed", "```\n\(ThreadNumbers.fromOne(text))\n```")
  }

  /// The README shows a part of a program, and then the output of that program.
  @Test func theExplorationIsThatOfTheExample() async throws {
    let file = Checkout.root.appending(path: "Tests/Fixtures/Programs/Explored/Example.swift")
    let code = try String(contentsOf: file, encoding: .utf8)
    try check(block: "exploring", "```swift\n\(code)```")
    let child = ChildProcess(
      executable: try Program.named("harness-explored").path, arguments: ["example"],
      environment: Program.environment(options: nil),
      folder: Checkout.root.path, limit: Program.limit)
    let run = try await Slots.children.occupy { try await child.run() }
    #expect(run.outcome == .exited(0))
    let text = run.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    try check(block: "explored", "```\n\(ObjectNumbers.fromOne(text))\n```")
  }

  private func check(block name: String, _ wanted: String) throws {
    let found = try GeneratedBlock.text(name, in: "README.md", wanted: wanted)
    #expect(found == wanted, "README.md: \(GeneratedBlock.advice)")
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
