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
    #expect(
      text.contains(#"<testsuite name="Threadmill" tests="1" failures="0" errors="0" skipped="0">"#)
    )
    #expect(text.contains(#"<testcase classname="Threadmill" name="the run as a whole"/>"#))
  }

  /// Real tests stand in the file whether or not something was found in them.
  @Test func everyTestIsACaseWithItsResult() {
    var finding = Samples.finding(.deadlock)
    finding.tests = ["Bank.testPay"]
    let report = Report(
      findings: [finding], run: .init(id: "r"),
      tests: [
        TestResult("M.Bank/testPay", title: "Bank.testPay", .failed, milliseconds: 1_250),
        TestResult(
          "M.S/adds()", .failed, issues: [.init("1 != 2", file: "/w/S.swift", line: 7)]),
        TestResult("M.S/passes()", .passed, milliseconds: 7), TestResult("M.S/waits()", .skipped),
        TestResult("M.S/dies()", .failed),
      ])
    let text = String(decoding: JUnitReport.bytes(of: report, ReportContext()), as: UTF8.self)
    #expect(text.contains(#"tests="6" failures="3" errors="0" skipped="1">"#))
    #expect(text.contains(#"<testcase classname="M.Bank" name="testPay" time="1.250">"#))
    #expect(count("<failure", in: text) == 3)
    #expect(text.contains(#"<failure type="threadmill/deadlock""#))
    #expect(
      text.contains(
        """
        <failure type="failure" message="1 != 2">1 != 2
        /w/S.swift:7</failure>
        """))
    #expect(text.contains(#"message="failed without a message""#))
    #expect(text.contains(#"<testcase classname="M.S" name="passes()" time="0.007"/>"#))
    #expect(count("<skipped/>", in: text) == 1)
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
