import Foundation
import Testing
import ThreadmillModel
import ThreadmillTestSupport

/// The generated parts of README.md are what the program really says.
///
/// `THREADMILL_README=write` brings them up to date, and fails on purpose.
@Suite(.serialized, .disabled(if: isThreadSanitized, "stacks differ under the sanitizer"))
struct ReadmeTests {
  @Test func optionsAreThoseOfTheTable() throws {
    try check(block: "options", "```\n\(Options.help)\n```")
  }

  @Test func exampleIsWhatTheScenarioSays() async throws {
    let run = try await Host.run(["run", "lock-and-queue", "flawed"])
    #expect(run.outcome == .exited(1))
    let text = run.standardError.trimmingCharacters(in: .whitespacesAndNewlines)
    try check(block: "example", "```\n\(ThreadNumbers.fromOne(text))\n```")
  }

  private func check(block name: String, _ wanted: String) throws {
    let file = Checkout.root.appending(path: "README.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let begin = "<!-- generated:\(name) -->\n"
    let end = "\n<!-- /generated:\(name) -->"
    let from = try #require(text.range(of: begin), "README.md has lost its block \(name)")
    let to = try #require(text.range(of: end), "README.md has lost the end of its block \(name)")
    let found = String(text[from.upperBound..<max(from.upperBound, to.lowerBound)])
    #expect(found == wanted, "README.md: write it with THREADMILL_README=write swift test")
    guard ProcessInfo.processInfo.environment["THREADMILL_README"] == "write" else { return }
    let updated = text[..<from.upperBound] + wanted + text[to.lowerBound...]
    try String(updated).write(to: file, atomically: true, encoding: .utf8)
    Issue.record("README.md was written; run again without THREADMILL_README")
  }
}

/// Threads get their numbers in the order in which they were first seen, which is chance.
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
