import Testing
import ThreadmillTestSupport

/// A run that was told something else than it would do does not start.
@Suite struct ConfigurationTests {
  /// A list of options with one mistake, and what the line about it has to name.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var options: String
    var named: [String]

    var testDescription: String { options }
  }

  static let mistakes = [
    Mistake(options: "jitter=purple", named: ["THREADMILL_OPTIONS", "jitter=purple", "off"]),
    Mistake(options: "continue=perhaps", named: ["continue=perhaps", "true, false"]),
    Mistake(options: "jiter=off", named: ["jiter=off", "nearest: jitter", "report"]),
    Mistake(options: "report", named: ["report", "a path"]),
    Mistake(options: "detect=true detect=true", named: ["detect=true", "once"]),
    Mistake(options: "report=\"out.json", named: ["report", "quote"]),
  ]

  @Test(arguments: mistakes) func stopsWithOneClearLine(_ mistake: Mistake) async throws {
    let program = Watched.scenario("hammer-and-saw", "flawed")
    let result = try await program.child(options: mistake.options).run()
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    let lines = result.standardError.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines.last == "", "more than one line: \(result.standardError)")
    #expect(lines[0].hasPrefix("threadmill: "))
    for words in mistake.named { #expect(lines[0].contains(words)) }
  }

  /// Each mistake has a line of its own.
  @Test func namesEveryMistake() async throws {
    let program = Watched.scenario("hammer-and-saw", "flawed")
    let result = try await program.child(options: "jitter=purple detect=perhaps").run()
    #expect(result.outcome == .exited(2))
    let lines = result.standardError.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("threadmill: ") })
    #expect(lines.map { $0.contains("jitter=purple") } == [true, false])
    #expect(lines.map { $0.contains("detect=perhaps") } == [false, true])
  }

  /// No variable, and one without a word in it, are the defaults.
  @Test(arguments: [nil, "", "  "]) func needsNoOptions(_ options: String?) async throws {
    let program = Watched.scenario("hammer-and-saw", "repaired")
    let result = try await program.child(options: options).run()
    #expect(result.outcome == .exited(0))
    #expect(result.standardError == "")
  }
}
