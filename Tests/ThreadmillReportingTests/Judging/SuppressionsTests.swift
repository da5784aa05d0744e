import Testing
import ThreadmillModel
import ThreadmillTestSupport

@testable import ThreadmillReporting

@Suite struct SuppressionsTests {
  private func entries(_ text: String) throws -> [Suppression] {
    try Suppressions(parsing: Array(text.utf8), file: "known.txt").entries
  }

  private func problems(_ text: String) -> String? {
    let error = #expect(throws: Suppressions.Malformed.self) { try entries(text) }
    return error?.description
  }

  @Test func aFileIsRead() throws {
    let text = """
      \u{FEFF}# Looked at in spring.

      suppress lockOrderCycle
        function  Bank.transfer(from:to:)
        function  closure #1 in Bank.audit(_:)
        file      Sources/Bank/*
        reason    The bank is closed then \u{20}
        until     2027-01-31\r
      # In between.
      suppress any
      file\tVendor/*.c
      reason\tnot ours
      """
    #expect(
      try entries(text) == [
        Suppression(
          kind: .lockOrderCycle,
          functions: [Glob("Bank.transfer(from:to:)"), Glob("closure #1 in Bank.audit(_:)")],
          files: [Glob("Sources/Bank/*")], reason: "The bank is closed then",
          until: Day(year: 2027, month: 1, day: 31), line: 3),
        Suppression(files: [Glob("Vendor/*.c")], reason: "not ours", line: 10),
      ])
    #expect(try entries("") == [])
    #expect(try entries("# nothing\n\n") == [])
  }

  @Test(arguments: [
    (
      "  function f", #"known.txt:1: expected "suppress KIND" before "function""#
    ),
    (
      "suppress any\n file a\n file b\n reason",
      """
      known.txt:4: "reason" stands alone; expected why these findings do not count
      """
    ),
    (
      "suppress any\n reason r",
      """
      known.txt:1: this entry would suppress everything; expected a line "function" or "file"
      """
    ),
    (
      "suppress any\n file f", #"known.txt:1: this entry gives no reason; expected a line "reason""#
    ),
    (
      "suppress any\n file f\n reason r\n reason s",
      #"known.txt:4: "reason" is there twice; expected it once in an entry"#
    ),
    (
      "suppress any\n file f\n reason r\n until 2027-01-01\n until 2027-01-02",
      #"known.txt:5: "until" is there twice; expected it at most once in an entry"#
    ),
    (
      "suppress any\n file f\n reason r\n until 2027-02-29",
      """
      known.txt:4: "2027-02-29" is no day; expected the last day on which it counts, such as 2027-01-31
      """
    ),
    (
      "suppress any\n file f\n raeson r",
      """
      known.txt:3: "raeson" is not known; nearest: reason; expected one of suppress, function, \
      file, reason, until
      """
    ),
  ])
  func whatIsMalformedIsNamed(_ text: String, _ message: String) {
    #expect(problems(text) == message)
  }

  @Test func allOfItIsToldAtOnce() throws {
    let text = "suppress lockOrdrCycle\n function f\nsuppress any\nfnction g\n reason r\nuntil x"
    let error = #expect(throws: Suppressions.Malformed.self) { try entries(text) }
    #expect(error?.problems.map(\.line) == [1, 4, 6])
    #expect(error?.problems[0].text.contains("nearest: lockOrderCycle; ") == true)
    let bytes: [UInt8] = Array("reason r\n".utf8) + [0xFF, 0x0A] + Array("file f\n".utf8)
    let other = #expect(throws: Suppressions.Malformed.self) {
      try Suppressions(parsing: bytes, file: "f")
    }
    #expect(other?.problems.map(\.line).contains(2) == true)
  }

  /// A file of another sort would fill the screen.
  @Test func fiftyProblemsAreToldAndTheRestCounted() throws {
    let lines = try #require(problems(String(repeating: "x\n", count: 52))).split(separator: "\n")
    #expect(lines.count == 51)
    #expect(lines.last == "and 2 more")
  }

  /// Whatever stands in the file: entries, or what is wrong; no chance of a wrong failure.
  @Test(.pureComputation) func anyBytesGiveEntriesOrProblems() {
    let seed = Seed(rawValue: 20_261_122)
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    let words = [
      "suppress", "any", "deadlock", "function", "file", "reason", "until", "2027-01-31", "#", "*",
      " ", "\t", "\n", "\r\n", "\u{FEFF}", "é", "\u{0}", "x",
    ].map { Array($0.utf8) }
    var good = 0
    for _ in 0..<3_000 {
      let bytes = (0..<Int.random(in: 0...30, using: &generator)).flatMap { _ -> [UInt8] in
        if Int.random(in: 0..<40, using: &generator) == 0 {
          return [UInt8.random(in: .min ... .max, using: &generator)]
        }
        let word = words[Int.random(in: words.indices, using: &generator)]
        return word + (Bool.random(using: &generator) ? [UInt8(ascii: " ")] : [])
      }
      if isRight(bytes) { good += 1 }
    }
    #expect(good > 0)
  }

  /// Whether it is read; in either case what comes of it has to be whole.
  private func isRight(_ bytes: [UInt8]) -> Bool {
    do {
      let read = try Suppressions(parsing: bytes, file: "f")
      for entry in read.entries {
        #expect(!entry.reason.isEmpty && !(entry.functions.isEmpty && entry.files.isEmpty))
      }
      return true
    } catch {
      #expect(!error.problems.isEmpty)
      #expect(error.problems.allSatisfy { $0.line > 0 && !$0.text.isEmpty })
      return false
    }
  }

  @Test(arguments: [
    ("", "", true), ("", "a", false), ("*", "", true), ("*", "a/b", true), ("a*", "ba", false),
    ("a*c*e", "abcde", true), ("a*c*e", "abcd", false), ("*ab*ab", "abxabab", true),
    ("?", "é", true), ("?", "", false), ("f(_: Int?)", "f(_: Int?)", true),
    ("Bank.*(from:to:)", "Bank.transfer(from:to:)", true), ("a**", "a", true),
  ])
  func globs(_ pattern: String, _ text: String, _ matches: Bool) {
    #expect(Glob(pattern).matches(text) == matches)
  }

  @Test(arguments: [
    ("Bank.swift", "/home/me/bank/Sources/Bank.swift", true),
    ("Sources/*", "/home/me/bank/Sources/A/B.swift", true),
    ("/Sources/*", "/home/me/bank/Sources/A/B.swift", false),
    ("/home/*.swift", "/home/me/bank/Sources/A/B.swift", true),
    ("ank.swift", "/home/me/Bank.swift", false), ("Bank.swift", "Bank.swift", true),
  ])
  func globsOfPaths(_ pattern: String, _ path: String, _ matches: Bool) {
    #expect(Glob(pattern).matches(path: path) == matches)
  }

  @Test(arguments: [
    ("2027-01-31", true), ("2028-02-29", true), ("2100-02-29", false), ("2000-02-29", true),
    ("2027-04-31", false), ("2027-00-01", false), ("2027-1-31", false), ("2027-01-31 ", false),
    ("+027-01-31", false), ("0000-01-01", false), ("٢٠٢٧-01-31", false), ("", false),
  ])
  func days(_ text: String, _ isDay: Bool) {
    #expect(Day(text: text)?.description == (isDay ? text : nil))
  }

  @Test(arguments: [
    (0, "1970-01-01"), (86_399, "1970-01-01"), (86_400, "1970-01-02"),
    (951_782_400, "2000-02-29"), (1_798_675_200, "2026-12-31"), (1_798_761_600, "2027-01-01"),
    (4_107_456_000, "2100-02-28"), (4_107_542_400, "2100-03-01"), (-1, "1970-01-01"),
  ])
  func daysOfSeconds(_ seconds: Int, _ text: String) {
    #expect(Day(secondsSince1970: seconds).description == text)
  }

  @Test func everyTimeHasADay() {
    #expect(Day(secondsSince1970: .max).description == "9999-12-31")
    #expect(Day(secondsSince1970: .min).description == "1970-01-01")
  }
}
