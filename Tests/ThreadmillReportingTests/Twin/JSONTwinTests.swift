import Foundation
import Testing
import ThreadmillModel

@testable import ThreadmillReporting

/// Changes of a text that a broken disk, a broken tool or an attacker could make.
enum Mutation {
  private static let pieces = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "-", "1e9", "\\ud83e", "\\u00e9", "é",
    "\u{0}",
    "18446744073709551616", "\"function\": ", "{\"function\": \"f\"}", "\"version\": 2",
  ]

  static func of(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: Array(generator.pick(pieces).utf8), at: place)
      case 2: bytes.replaceSubrange(place..<end, with: Array(generator.pick(pieces).utf8))
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default:
        if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &generator) }
      }
    }
    return bytes
  }
}

/// The reader of reports held against one that builds a tree and knows nothing of stacks.
@Suite struct JSONTwinTests {
  private var reports: [Report] {
    [Samples.report, Samples.everyKind, Samples.everyMember]
      + HostileText.fixed.map { text in
        var finding = Samples.finding(.lockOrderCycle)
        (finding.title, finding.tests) = (text, [text])
        finding.participants[0].frames = [Frame(address: 0, function: text, file: text, line: 1)]
        return Report(findings: [finding], run: .init(id: text), accounting: [text: 1])
      }
  }

  /// What either says of a text: its tree, or what is wrong with it.
  private func tree(_ bytes: [UInt8]) -> Result<Tree, ReportFormatError> {
    do { return .success(try Tree(scanning: bytes)) } catch { return .failure(error) }
  }

  private func twin(_ bytes: [UInt8]) -> Result<Tree, ReportFormatError> {
    do { return .success(try Tree(parsing: bytes)) } catch { return .failure(.syntax(error)) }
  }

  private func stored(
    _ bytes: [UInt8], knowing stacks: KnownStacks
  ) -> Result<StoredReport, ReportFormatError> {
    do { return .success(try StoredReport(parsing: bytes, knowing: stacks)) } catch {
      return .failure(error)
    }
  }

  @Test func everySampleIsReadTheSame() {
    let stacks = KnownStacks()
    for report in reports {
      let bytes = JSONReport.bytes(of: report)
      #expect(tree(bytes) == twin(bytes))
      let plain = stored(bytes, knowing: KnownStacks())
      for _ in 0..<3 { #expect(stored(bytes, knowing: stacks) == plain) }
    }
    #expect(!stacks.isEmpty)
  }

  /// No chance of a wrong failure: it holds for every text.
  @Test func everyBrokenTextIsReadTheSame() {
    let seed: UInt64 = 11
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let texts = reports.map(JSONReport.bytes)
    let stacks = KnownStacks()
    for text in texts { _ = stored(text, knowing: stacks) }
    var broken = 0
    for _ in 0..<500 {
      let text = Mutation.of(generator.pick(texts), using: &generator)
      let result = tree(text)
      #expect(result == twin(text))
      let plain = stored(text, knowing: KnownStacks())
      #expect(stored(text, knowing: stacks) == plain)
      if case .failure(let error) = plain {
        broken += 1
        if case .failure(let first) = result { #expect(error == first) }
      }
    }
    print("\(broken) of 500 rejected")
    #expect(broken > 125 && broken < 500)
  }

  @Test func aTextHasTheDigestOfItsValue() throws {
    for report in reports {
      let json = JSONReport.json(of: report)
      let digest = ContentDigest.text(of: json)
      let bytes = json.bytes
      #expect(try JSONReader.read(bytes) { ContentDigest.text(of: $0) } == digest)
      let stacks = KnownStacks()
      let read = try (0..<2).map { _ in try StoredReport(parsing: bytes, knowing: stacks) }
      if report.sources.isEmpty { #expect(read.map(\.sources[0].digest) == [digest, digest]) }
    }
  }

  /// What a stack says elsewhere is not what is asked for there.
  @Test func aKnownStackWhereNoneBelongsIsNamed() throws {
    let stacks = KnownStacks()
    let bytes = JSONReport.bytes(of: Samples.report)
    _ = try StoredReport(parsing: bytes, knowing: stacks)
    let text = String(decoding: bytes, as: UTF8.self)
    let start = try #require(text.range(of: "[\n            {\"function\""))
    let end = try #require(text[start.upperBound...].firstIndex(of: "]"))
    let stack = text[start.lowerBound...end]
    for (name, what) in [("tests", "a string at findings[0].tests[0]"), ("later", nil)] {
      let changed = text.replacing("\"tests\": [\"", with: "\"\(name)\": \(stack), \"x\": [\"")
      guard let what else {
        let named = changed.replacing("\"x\": ", with: "\"tests\": ")
        #expect(
          try StoredReport(parsing: Array(named.utf8), knowing: stacks).report.findings.count > 0)
        continue
      }
      let error = #expect(throws: ReportFormatError.self) {
        try StoredReport(parsing: Array(changed.utf8), knowing: stacks)
      }
      #expect(error?.description.hasPrefix("no report: expected \(what) (byte ") == true)
    }
  }
}
