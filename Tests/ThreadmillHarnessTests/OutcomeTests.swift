import Foundation
import Testing
import ThreadmillChildren
import ThreadmillReporting
import ThreadmillTestSupport

/// The values that a body comes to, with how often and by which schedule.
///
/// All schedules depend on the seed and on the program alone: what is found once is found each
/// time.
@Suite struct OutcomeTests {
  private static func said(_ arguments: String...) async throws -> [String] {
    let run = try await Watched(program: "harness-outcomes", arguments: arguments).run()
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    return run.child.standardOutput.split(separator: "\n").map(String.init)
  }

  /// Programs that have more than 40,000 schedules on some machine.
  private static let long = ["three-adders", "observer", "independent-reads", "four"]
  private static let longer = long + ["write-read-causality", "long"]
  private static let actors =
    longer + [
      "store-buffer", "load-buffer", "coherence", "writers", "adders-twice", "two-registers",
      "count", "late-count", "ring",
    ]

  /// Twenty programs on registers behind locks, queues and actors: the default budget sees exactly
  /// the values of a naive enumeration, which knows nothing of schedules, and so does the
  /// exhaustive strategy, but for programs that have too many schedules for it.
  @Test(
    .disabled(if: isThreadSanitized, "these are the schedules of the plain run, five times slower"),
    arguments: [
      ("queue", []), ("barrier", []), ("async-barrier", longer),
      ("async", longer + ["adders-twice"]), ("lock", long + ["write-read-causality"]),
      ("actor", actors),
    ])
  func theValuesAreThoseOfANaiveEnumeration(machine: String, tooLong: [String]) async throws {
    // A process for each five, none of which takes long on a busy core.
    var lines: [String] = []
    for first in stride(from: 0, to: 20, by: 5) {
      lines += try await Self.said("sets", machine, tooLong.joined(separator: ","), "\(first)")
    }
    #expect(lines.count == 20)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let exhaustive = tooLong.contains(words[0]) ? "long" : "equal"
      #expect(words[1...2] == ["equal", exhaustive], "\(line)")
    }
  }

  /// Of every value of the twenty programs.
  @Test func eachScheduleLeadsToItsValueAgain() async throws {
    let lines = try await Self.said("replays")
    #expect(lines.count > 40)
    for line in lines { #expect(line.hasSuffix(" same sure"), "\(line)") }
  }

  @Test func bodiesReturnWhatTheyLike() async throws {
    #expect(
      try await Self.said("spellings") == ["pair true", "triple true", "task true", "counts true"])
    #expect(try await Self.said("named") == ["named true", "some true", "none 0"])
  }

  @Test func aForbiddenValueComesWithItsSchedule() async throws {
    let lines = try await Self.said("forbidden")
    #expect(lines.prefix(3) == ["value 1", "again [1]", "forbidden outcome: 1"])
    #expect(lines.contains { $0.contains("forbidden") && $0.contains("#") })
    #expect(lines.contains { $0.contains("> begin") || $0.contains("> lock") })
    #expect(lines.contains { $0.contains("To repeat: try outcomes(replaying: ") })
    #expect(lines.last == "allowed 2")
  }

  @Test func aBodyWithoutAValueFails() async throws {
    #expect(try await Self.said("fails") == ["failure threw Wrong()"])
  }

  /// Strings with characters that mean something to JSON and HTML.
  @Test func theTableIsJSONAndHTMLToo() async throws {
    let text = try await Self.said("json").joined(separator: "\n")
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let outcomes = try #require(json?["outcomes"] as? [[String: Any]])
    #expect(json?["complete"] as? Bool == true)
    #expect(
      Set(outcomes.compactMap { $0["value"] as? String }) == [#"["<1>\""]"#, #"["<2>\""]"#])
    let counts = outcomes.compactMap { $0["count"] as? Int }
    #expect(counts.reduce(0, +) == json?["schedules"] as? Int)
    let html = try await Self.said("html").joined(separator: "\n")
    #expect(html.contains("<td>[&quot;&lt;1&gt;\\&quot;&quot;]</td>"))
  }

  /// Random walks of one program, whose schedules can be counted.
  @Test func theEstimateIsNearTheNumberOfSchedules() async throws {
    let lines = try await Self.said("estimate")
    let words = lines.map { $0.split(separator: " ") }
    let all = try #require(words[1].last.flatMap { Double($0) })
    let estimate = try #require(words[2].last.flatMap { Double($0) })
    #expect(lines[0].hasPrefix("complete true 6 values in all "))
    #expect(all / 2 < estimate && estimate < all * 2, "\(lines)")
  }
}
