import Foundation
import Testing
import ThreadmillModel

@testable import ThreadmillFormats
@testable import ThreadmillReporting

@Suite struct MarkdownTests {
  private func text(_ findings: [Finding]) -> String {
    let report = Report(findings: findings, run: .init(id: "r"))
    return String(decoding: MarkdownReport.bytes(of: report, ReportContext()), as: UTF8.self)
  }

  private func count(_ part: String, in text: String) -> Int {
    text.components(separatedBy: part).count - 1
  }

  @Test func aRunWithoutFindingsIsOneLine() {
    #expect(text([]) == "## Threadmill&#58; no findings\n\n")
  }

  @Test func aFenceIsLongerThanWhatItEncloses() {
    #expect(Markdown.code("a ```` b\r`").text == "`````text\na ```` b\\u{D}`\n`````\n\n")
    #expect(Markdown.code("").text == "```text\n\n```\n\n")
  }

  /// GitHub throws away what is longer than a mebibyte.
  @Test func aSummaryIsCutWhereItGetsLong() {
    let finding = Samples.finding(.lockOrderCycle)
    let each = Markdown.code(TextReport().text(for: finding)).text.utf8.count
    let many = text(Array(repeating: finding, count: 5_000))
    #expect(many.utf8.count <= MarkdownReport.limit)
    #expect(many.utf8.count > MarkdownReport.limit - 2 * each)
    let rows = count("\n| error |", in: many)
    let details = count("<details>", in: many)
    #expect(rows > 1_000 && rows < 5_000)
    #expect(
      many.contains(
        "\(5_000 - rows) rows of the table and the details of \(5_000 - details) findings"))
    #expect(!text([finding]).contains("Left out"))
  }

  @Test func manyTestsAreCounted() {
    var finding = Samples.finding(.hang)
    finding.tests = ["a", "b", "c", "d", "e"]
    #expect(
      text([finding]).contains(
        "<code>a</code><br><code>b</code><br><code>c</code><br>and 2 more |"))
  }
}
