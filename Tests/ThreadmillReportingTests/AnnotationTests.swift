import Testing
import ThreadmillModel

@testable import ThreadmillFormats
@testable import ThreadmillReporting

@Suite struct AnnotationTests {
  private func lines(_ findings: [Finding]) -> [Substring] {
    let report = Report(findings: findings, run: .init(id: "r"))
    let bytes = GitHubReport.bytes(of: report, ReportContext(folder: Samples.folder))
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  @Test func whatMeansSomethingIsEscaped() {
    let command = WorkflowCommand(
      level: .warning, file: "a,b:c%\r\n", line: 3, column: nil, title: "", message: "a,b:c%\r\nd")
    #expect(
      command.text == "::warning file=a%2Cb%3Ac%25%0D%0A,line=3::a,b:c%25%0D%0Ad\n")
    #expect(WorkflowCommand(level: .notice, message: "::error::x").text == "::notice::::error::x\n")
  }

  /// Of each level as many as are shown, and one notice for the rest.
  @Test func theMostSevereAreShown() {
    func finding(_ severity: Finding.Severity) -> Finding {
      Finding(kind: .hang, status: .observed, severity: severity, title: "t")
    }
    let severities: [Finding.Severity] = [.note, .warning, .error]
    let many = severities.flatMap { Array(repeating: finding($0), count: 12) }
    let heads = lines(many).map { $0.prefix { $0 != " " } }
    #expect(
      heads == Array(repeating: "::error", count: 10) + Array(repeating: "::warning", count: 10)
        + Array(repeating: "::notice", count: 10))
    #expect(
      lines(many).last == """
        ::notice title=Threadmill::7 more findings without an annotation, since GitHub shows 10 \
        of each level: see the report
        """)
    #expect(lines(Array(repeating: finding(.error), count: 10)).count == 10)
    #expect(lines([]) == [])
    var filtered = finding(.error)
    filtered.status = .filtered
    #expect(lines([filtered]) == [])
  }

  @Test func manyThreadsAndTestsAreCounted() {
    var finding = Samples.finding(.hang)
    finding.participants = Array(repeating: finding.participants[0], count: 8)
    finding.tests = ["a", "b", "c", "d"]
    let line = lines([finding])[0]
    #expect(line.contains("%0Aand 2 more threads%0A"))
    #expect(line.hasSuffix("%0ASeen in a, b, c and 1 other test"))
  }
}
