import Foundation
import Testing
import ThreadmillModel
import ThreadmillReporting
import ThreadmillScenarios

@testable import ThreadmillCommand

/// What is shown of a verification, made up of what no program has done.
@Suite struct MatrixTests {
  private func row(
    _ name: String, _ mode: Trial.Mode, _ sightings: [Sighting]
  ) throws -> Verification.Row {
    let trial = try #require(Trial.all(in: [mode]).first { $0.name == name })
    return .init(trial, sightings, isSanitized: mode.isSanitized)
  }

  /// Two runs each; one of the four rows is wrong in one of them.
  private var sample: Verification {
    get throws {
      let hang = Sighting(ending: .stopped, kinds: nil)
      return Verification(
        rows: [
          try row("hammer-and-saw harmful", .plain, [hang, hang]),
          try row(
            "hammer-and-saw harmful", .observe,
            [
              Sighting(ending: .stopped, kinds: ["deadlock", "lockOrderCycle"]),
              Sighting(ending: .stopped, kinds: ["deadlock"]),
            ]),
          try row(
            "relock repaired", .plain,
            [Sighting(ending: .exited(0), kinds: nil), Sighting(ending: .exited(0), kinds: nil)]),
          try row(
            "relock repaired", .observe,
            [
              Sighting(ending: .exited(0), kinds: []),
              Sighting(ending: .exited(1), kinds: ["hang"]),
            ]
          ),
        ], seconds: 3)
    }
  }

  private func plan(_ values: [String: String] = [:]) throws -> VerificationPlan {
    try VerificationPlan(Arguments(values: values))
  }

  @Test func asText() throws {
    let text = MatrixText(try sample, try plan(["--repeat": "2"])).text()
    #expect(
      text == """
        scenario        variant   plain  observe
        hammer-and-saw  harmful   hangs  deadlock + lockOrderCycle
        relock          repaired  ends   ✗ silent → hang

        Each cell: what was expected and seen; + what was seen and may be. ✗ expected → seen.

        ✗ relock repaired, observe
            finds hang, which must not be (1 of 2 runs)

        4 rows (plain, observe): 1 not as expected, 8 runs in 3 s
        to see it again: threadmill scenarios verify --mode observe --filter '^relock$' --repeat 2

        """)
    #expect(try sample.status == .findings)
    let right = Verification(rows: Array(try sample.rows.dropLast()), seconds: 3)
    #expect(right.status == .nothingFound)
    let lines = MatrixText(right, try plan()).text().split(separator: "\n")
    #expect(lines.last == "3 rows (plain, observe): all as expected, 6 runs in 3 s")
  }

  @Test func aWrongEndIsShown() throws {
    let plain = try row("relock flawed", .plain, [Sighting(ending: .exited(0), kinds: nil)])
    #expect(plain.cell == "✗ hangs → ends well")
    let seen = Sighting(ending: .exited(0), kinds: ["selfDeadlock"])
    #expect(
      try row("relock flawed", .observe, [seen]).cell == "✗ selfDeadlock → selfDeadlock, ends well")
  }

  @Test func theCommandIsTheOneThatWasTyped() throws {
    let rows = try sample.rows
    let command = { (values: [String: String], rows: [Verification.Row]) in
      try plan(values).command(for: rows)
    }
    let both = "threadmill scenarios verify --filter '^(hammer-and-saw|relock)$'"
    #expect(try command([:], rows) == both)
    #expect(try command(["--without": "hang"], rows) == both + " --without hang")
    let tsan = try row("relock flawed", .tsan, [])
    #expect(
      try command(["--sanitize": "thread"], rows + [tsan])
        == "threadmill scenarios verify --sanitize thread --filter '^(hammer-and-saw|relock)$'")
    #expect(
      try command(["--sanitize": "thread"], [tsan])
        == "threadmill scenarios verify --mode tsan --filter '^relock$'")
  }

  /// What is run more than once within its process is what nothing must be found in.
  @Test func whatMustStaySilentIsRunOften() throws {
    let values = ["--mode": "observe", "--times": "5", "--filter": "^(relock|gate-lock)$"]
    let often = try plan(values)
    #expect(often.times == 5)
    #expect(
      often.trials.map(\.name) == ["relock repaired", "gate-lock flawed", "gate-lock repaired"])
    #expect(
      try often.command(for: [try row("relock repaired", .observe, [])])
        == "threadmill scenarios verify --mode observe --filter '^relock$' --times 5")
    let once = try plan(["--mode": "observe", "--filter": "^relock$"])
    #expect(once.times == nil)
    #expect(once.trials.map(\.name) == ["relock flawed", "relock repaired"])
  }

  @Test func modesAreChosen() throws {
    let modes = { (values: [String: String]) in try plan(values).modes }
    #expect(try modes([:]) == [.plain, .observe])
    #expect(try modes(["--sanitize": "thread"]) == [.plain, .observe, .tsan, .jitter])
    #expect(try modes(["--mode": "jitter"]) == [.jitter])
    #expect(try modes(["--mode": "jitter", "--jitter": "heavy"]) == [.jitter])
    #expect(try modes(["--jitter": "heavy"]) == [.plain, .observe, .jitter])
    #expect(try modes(["--mode": "plain"]) == [.plain])
    #expect(try modes(["--mode": "tsan"]) == [.tsan])
    #expect(try modes(["--mode": "tsan", "--sanitize": "thread"]) == [.tsan, .jitter])
    #expect(
      try modes(["--mode": "observe", "--sanitize": "thread"]) == [.observe, .tsan, .jitter])
  }

  /// The seed of a run depends on nothing but the seed of all, its program and its number.
  @Test func theSeedIsToldWhereItMatters() throws {
    let shaking = Shaking(.heavy, seed: Seed(rawValue: 5)).derived(for: "relock repaired", run: 1)
    let hang = Sighting(ending: .exited(1), kinds: ["hang"], shaking: shaking)
    let verification = Verification(
      rows: [try row("relock repaired", .jitter, [hang])], seconds: 3)
    let values = ["--mode": "jitter", "--jitter": "heavy", "--seed": "5"]
    let lines = MatrixText(verification, try plan(values)).text().split(separator: "\n")
    #expect(
      lines.suffix(5) == [
        "✗ relock repaired, jitter", "    finds hang, which must not be",
        "    again: THREADMILL_OPTIONS=\"jitter=heavy seed=\(shaking.seed)\" "
          + "scenario-host run relock repaired",
        "1 rows (jitter heavy with seed 5): 1 not as expected, 1 runs in 3 s",
        "to see it again: threadmill scenarios verify --mode jitter --jitter heavy --seed 5 "
          + "--filter '^relock$'",
      ])
    let json = VerificationJSON(verification).json.text
    #expect(json.contains(#""jitter": "heavy""#))
    #expect(json.contains(#""seed": \#(shaking.seed)"#))
    #expect(
      Shaking(.heavy, seed: Seed(rawValue: 5)).derived(for: "relock repaired", run: 1) == shaking)
    #expect(
      Shaking(.heavy, seed: Seed(rawValue: 5)).derived(for: "relock flawed", run: 1) != shaking)
    #expect(
      Shaking(.heavy, seed: Seed(rawValue: 6)).derived(for: "relock repaired", run: 1) != shaking)
  }

  @Test func aSeedIsForJitter() throws {
    #expect(throws: UsageError.self) { try plan(["--seed": "5"]) }
    #expect(
      try plan(["--seed": "5", "--jitter": "light"]).shaking
        == Shaking(.light, seed: Seed(rawValue: 5)))
  }

  @Test func aFilterIsForNamesAndVariants() throws {
    let names = { (text: String) in
      try plan(["--filter": text, "--mode": "observe"]).trials.map(\.name)
    }
    #expect(try names("^relock$") == ["relock flawed", "relock repaired"])
    #expect(try names("^(relock|gate-lock) rep") == ["relock repaired", "gate-lock repaired"])
  }

  @Test func asJSON() throws {
    struct Document: Decodable {
      struct Row: Decodable {
        struct Sort: Decodable, Equatable {
          var ending: String
          var seen: [String]
          var times: Int
        }

        var id: String
        var variant: String
        var mode: String
        var expected: [String]
        var allowed: [String]
        var seen: [String]
        var ok: Bool
        var outcome: String
        var runs: [Sort]
        var problems: [String]
      }

      var version: Int
      var ok: Bool
      var rows: [Row]
    }
    let text = VerificationJSON(try sample).json.text
    let document = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    #expect(document.version == 1)
    #expect(!document.ok)
    #expect(document.rows.map(\.id) == ["hammer-and-saw", "hammer-and-saw", "relock", "relock"])
    #expect(document.rows.map(\.mode) == ["plain", "observe", "plain", "observe"])
    #expect(document.rows.map(\.ok) == [true, true, true, false])
    let deadlock = document.rows[1]
    #expect(deadlock.variant == "harmful")
    #expect(deadlock.outcome == "hangs")
    #expect(deadlock.expected == ["deadlock"])
    #expect(deadlock.allowed == ["lockOrderCycle"])
    #expect(deadlock.seen == ["deadlock", "lockOrderCycle"])
    #expect(
      deadlock.runs == [
        .init(ending: "hangs", seen: ["deadlock", "lockOrderCycle"], times: 1),
        .init(ending: "hangs", seen: ["deadlock"], times: 1),
      ])
    #expect(document.rows[0].runs == [.init(ending: "hangs", seen: [], times: 2)])
    #expect(document.rows[3].problems == ["finds hang, which must not be"])
  }

  @Test func asAPage() throws {
    let page = MatrixPage(try sample, try plan()).html.text
    #expect(page.hasPrefix("<!doctype html>\n"))
    #expect(page.contains(">1 not as expected</h1>"))
    #expect(page.contains("<span>✗ silent → hang</span>"))
    #expect(page.contains("<span>deadlock + lockOrderCycle</span>"))
    #expect(page.contains("--filter &#39;^relock$&#39;"))
    // It needs nothing but itself.
    for word in ["src=", "href=", "url(", "@import", "<script"] { #expect(!page.contains(word)) }
  }
}
