import Testing
import ThreadmillModel
import ThreadmillTestSupport

@testable import ThreadmillFormats
@testable import ThreadmillReporting

/// Whatever stands in a file, it gives a value that everything can be done with, or a named error.
@Suite(.pureComputation) struct MutationTests {
  private static let numbers = [
    "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
    "4294967295", "1000000",
  ]

  /// A report's text with some of its numbers, and of its strings, replaced.
  private func changed(_ text: String, using generator: inout SeededGenerator) -> [UInt8] {
    var pieces = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let spots = pieces.indices.filter { pieces[$0].first?.isNumber == true }
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let spot = generator.pick(spots)
      let rest = pieces[spot].drop { $0.isNumber }
      pieces[spot] = generator.pick(Self.numbers) + rest
    }
    return Array(pieces.joined(separator: " ").utf8)
  }

  private func expectEveryFormat(of report: Report) {
    for format in ReportFormat.allCases {
      let bytes = format.bytes(of: report, Samples.context)
      #expect(String(validating: bytes, as: UTF8.self) != nil)
      if [.json, .sarif, .trace].contains(format) {
        #expect(throws: Never.self) { try Tree(scanning: bytes) }
      }
    }
  }

  /// No chance of a wrong failure: it holds for every text.
  @Test func whateverIsReadCanBeMergedJudgedAndWritten() throws {
    let seed: UInt64 = 29
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let texts = [Samples.report, Samples.everyKind, Samples.everyMember].map(JSONReport.text)
    var read = 0
    for round in 0..<60 {
      let text = generator.pick(texts)
      let bytes =
        round % 2 == 0
        ? changed(text, using: &generator) : Mutation.of(Array(text.utf8), using: &generator)
      guard let stored = try? StoredReport(parsing: bytes) else { continue }
      read += 1
      var union = ReportUnion()
      union.add(StoredReport(Samples.report))
      union.add(stored)
      let report = Judging(baseline: Baseline(of: Samples.report), today: Day(secondsSince1970: 0))
        .judge(union.report).report
      for report in [report, stored.report] { expectEveryFormat(of: report) }
    }
    print("\(read) of 60 read")
    #expect(read > 5 && read < 60)
  }

  @Test func anyBytesAreABaselineOrNameTheirLines() {
    let seed: UInt64 = 31
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let good = Baseline(of: Samples.everyKind).bytes
    var read = 0
    for _ in 0..<500 {
      let bytes = Mutation.of(good, using: &generator)
      do throws(Baseline.Malformed) {
        let baseline = try Baseline(parsing: bytes)
        read += 1
        #expect((try? Baseline(parsing: baseline.bytes)) == baseline)
      } catch {
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        #expect(!error.lines.isEmpty && error.lines.allSatisfy { (1...lines).contains($0) })
      }
    }
    print("\(read) of 500 read")
    #expect(read > 0 && read < 500)
  }

  @Test func anyBytesAreSuppressionsOrNameTheirLines() {
    let seed: UInt64 = 37
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let good = Array(
      """
      # theirs
      suppress dataRace
        function Bank.*
        reason known since May
        until 2027-01-31

      suppress any
        file Sources/Bank.swift
        reason theirs

      """.utf8)
    var read = 0
    for _ in 0..<500 {
      let bytes = Mutation.of(good, using: &generator)
      do throws(Suppressions.Malformed) {
        let found = try Suppressions(parsing: bytes, file: "f")
        read += 1
        #expect(found.entries.allSatisfy { !$0.reason.isEmpty })
      } catch {
        #expect(!error.problems.isEmpty && error.problems.allSatisfy { $0.line > 0 })
      }
    }
    print("\(read) of 500 read")
    #expect(read > 0 && read < 500)
  }
}
