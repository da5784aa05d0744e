import Foundation
import Testing
import ThreadmillModel

@testable import ThreadmillFormats
@testable import ThreadmillReporting

@Suite struct JUnitTests {
  private func text(_ findings: [Finding]) -> String {
    let report = Report(findings: findings, run: .init(id: "r"))
    return String(decoding: JUnitReport.bytes(of: report, ReportContext()), as: UTF8.self)
  }

  private func count(_ part: String, in text: String) -> Int {
    text.components(separatedBy: part).count - 1
  }

  @Test func aRunWithoutFindingsIsACaseThatPassed() {
    let text = text([])
    #expect(text.contains(#"<testsuite name="Threadmill" tests="1" failures="0" errors="0">"#))
    #expect(text.contains(#"<testcase classname="Threadmill" name="the run as a whole"/>"#))
  }

  @Test func onlyErrorsFail() {
    var finding = Samples.finding(.crash)
    finding.tests = ["A/b()"]
    #expect(text([finding]).contains(#"tests="2" failures="1""#))
    #expect(text([finding]).contains(#"<testcase classname="A" name="b()">"#))
    for severity in [Finding.Severity.warning, .note] {
      finding.severity = severity
      let text = text([finding])
      #expect(text.contains(#"tests="2" failures="0""#))
      #expect(count("<failure", in: text) == 0)
      #expect(count("<system-out>\(severity.rawValue): Signal 11 in T1 [", in: text) == 1)
    }
    finding.status = .filtered
    #expect(text([finding]) == text([]))
  }

  @Test func whatBelongsToNoTestFailsTheRun() {
    let text = text([Samples.finding(.crash)])
    #expect(text.contains(#"tests="1" failures="1""#))
    #expect(count("name=\"the run as a whole\">", in: text) == 1)
  }

  /// A finding of many tests is a failure of each and told at length in one.
  @Test func detailsAreToldOnce() {
    var finding = Samples.finding(.lockOrderCycle)
    finding.tests = (1...9).map { "A/t\($0)()" }
    let text = text([finding])
    #expect(count("<failure", in: text) == 9)
    #expect(count("took L1  ", in: text) == 1)
    #expect(
      count("fingerprint  \(finding.fingerprint), told at A/t1()\n</failure>", in: text) == 8)
  }
}

@Suite struct XMLTests {
  private func text(_ content: String) -> String {
    String(
      decoding: XML.element("a", [.init("b", content)], [.text(content)]).document, as: UTF8.self)
  }

  @Test func textStaysText() {
    let head = #"<?xml version="1.0" encoding="UTF-8"?>"#
    #expect(
      text("]]><b c='\"'>&\r\n\t") == """
        \(head)
        <a b="]]&gt;&lt;b c='&quot;'&gt;&amp;&#13;&#10;&#9;">]]&gt;&lt;b c='&quot;'&gt;&amp;&#13;
        \t</a>

        """)
    #expect(
      text("\u{0}\u{1F}\u{7F}\u{FFFE}\u{FFFF}\u{FFFD}🧵") == """
        \(head)
        <a b="\u{FFFD}\u{FFFD}\u{7F}\u{FFFD}\u{FFFD}\u{FFFD}🧵">\
        \u{FFFD}\u{FFFD}\u{7F}\u{FFFD}\u{FFFD}\u{FFFD}🧵</a>

        """)
  }
}
