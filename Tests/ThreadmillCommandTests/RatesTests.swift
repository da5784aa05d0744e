import Foundation
import Testing
import ThreadmillModel
import ThreadmillScenarios

@testable import ThreadmillCommand

/// What is shown of rates that nobody has measured.
@Suite struct RatesTests {
  /// So many runs of each, of which the last ones found it; each took a second.
  private func rates(
    _ detected: [(id: String, treatment: Treatment, count: Int)], of runs: Int
  ) throws -> Rates {
    let rows = try detected.map { id, treatment, count in
      let plan = RatePlan(
        scenarios: [try #require(Scenario.named(id))], treatments: [treatment], runs: runs,
        seed: Seed(rawValue: 7))
      let samples = (0..<runs).map { number in
        Rates.Sample(number: number, isDetected: number >= runs - count, seconds: 1)
      }
      return Rates.Row(try #require(plan.rows.first), samples.reversed())
    }
    return Rates(rows: rows, runs: runs, seed: Seed(rawValue: 7), seconds: 60)
  }

  private var sample: Rates {
    get throws {
      try rates(
        [
          ("quiet-counter", .plain, 20), ("quiet-counter", .jitter(.portfolio), 97),
          ("lazy-init", .plain, 0), ("lazy-init", .jitter(.portfolio), 100),
        ], of: 100)
    }
  }

  @Test func asText() throws {
    #expect(
      RatesText(try sample, command: "threadmill scenarios rates").text == """
        scenario       policy          found   share  95 % interval   first
        quiet-counter  plain       20 of 100  20.0 %  13.3 – 28.9 %  81.0 s
                       portfolio   97 of 100  97.0 %  91.5 – 99.0 %   4.0 s
        lazy-init      plain        0 of 100     0 %      0 – 3.7 %       –
                       portfolio  100 of 100   100 %   96.3 – 100 %   1.0 s

        threads: Thread Sanitizer compares threads, as it does alone. plain: it compares blocks and tasks.
        Nobody disturbs the threads in these two. load: the same beside busy processes.
        first: time of running until the first detection.

        ✗ not at least 99.0 % under portfolio: 3 misses in 100 runs exclude it, 381 without a \
        miss would show it
            quiet-counter: 97 of 100, at most 98.97 %
        4 rows: 400 runs in 60 s
        to measure again: threadmill scenarios rates

        """)
    #expect(try sample.status == .findings)
  }

  /// Few misses may be bad luck.
  @Test(
    arguments: [
      (
        98, 100,
        "✓ at least 99.0 % under portfolio in 1 scenario, as far as can be told: "
          + "3 misses in 100 runs exclude it, 381 without a miss would show it"
      ),
      (
        2, 2,
        "✓ at least 99.0 % under portfolio in 1 scenario, as far as can be told: "
          + "1 miss in 2 runs excludes it, 381 without a miss would show it"
      ),
      (
        1_000, 1_000,
        "✓ at least 99.0 % under portfolio in 1 scenario, as far as can be told: "
          + "17 misses in 1000 runs exclude it"
      ),
    ])
  func aFewRunsCanTellLittle(_ found: Int, _ runs: Int, _ words: String) throws {
    let rates = try rates([("lazy-init", .jitter(.portfolio), found)], of: runs)
    let lines = RatesText(rates, command: "").text.split(separator: "\n")
    #expect(lines.contains { $0 == words }, "\(lines)")
    #expect(rates.status == .nothingFound)
  }

  @Test func whereNothingIsWantedNothingIsMissing() throws {
    let rates = try rates(
      [("lazy-init", .plain, 0), ("lost-wakeup", .jitter(.portfolio), 0)], of: 9)
    #expect(rates.status == .nothingFound)
    #expect(
      RatesText(rates, command: "").text.contains("\nnothing is wanted of what was measured\n"))
  }

  @Test func aRunWithoutAReportIsTold() throws {
    let plan = RatePlan(
      scenarios: [try #require(Scenario.named("lazy-init"))], treatments: [.plain], runs: 2,
      seed: Seed(rawValue: 7))
    let samples = [
      Rates.Sample(number: 0, isDetected: true, seconds: 1),
      Rates.Sample(number: 1, isDetected: false, seconds: 1, isReported: false),
    ]
    let rates = Rates(
      rows: [Rates.Row(plan.rows[0], samples)], runs: 2, seed: Seed(rawValue: 7), seconds: 2)
    #expect(
      RatesText(rates, command: "").text.contains(
        "\n! lazy-init, plain: 1 of 2 runs left no report\n"))
  }

  /// Counted by looking at every number of misses, or of runs.
  @Test func whatSoManyRunsCanTell() {
    #expect(RatesText.missesThatExclude(0.99, of: 100) == 3)
    #expect(RatesText.missesThatExclude(0.99, of: 1) == 1)
    #expect(RatesText.missesThatExclude(0, of: 100) == nil)
    #expect(RatesText.runsThatShow(0.99) == 381)
    #expect(RatesText.runsThatShow(0.5) == 4)
    #expect(RatesText.runsThatShow(1) == nil)
  }

  @Test func asJSON() throws {
    struct Document: Decodable {
      struct Row: Decodable, Equatable {
        var scenario: String
        var policy: String
        var runs: Int
        var detected: Int
        var low: Double
        var high: Double
        var first: Double?
      }

      var version: Int
      var seed: UInt64
      var rates: [Row]
    }
    let text = RatesJSON(try sample).json.text
    let document = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    #expect(document.version == 1)
    #expect(document.seed == 7)
    #expect(
      document.rates == [
        .init(
          scenario: "quiet-counter", policy: "plain", runs: 100, detected: 20, low: 0.133367,
          high: 0.288829, first: 81),
        .init(
          scenario: "quiet-counter", policy: "portfolio", runs: 100, detected: 97, low: 0.915481,
          high: 0.989745, first: 4),
        .init(
          scenario: "lazy-init", policy: "plain", runs: 100, detected: 0, low: 0, high: 0.036993,
          first: nil),
        .init(
          scenario: "lazy-init", policy: "portfolio", runs: 100, detected: 100, low: 0.963007,
          high: 1, first: 1),
      ])
  }
}
