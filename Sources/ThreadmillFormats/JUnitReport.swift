import ThreadmillModel
import ThreadmillReporting

/// The report as JUnit XML, after the schema of Surefire and Jenkins: a test case for each test
/// whose result is known or that something was found in, with its findings and its own failures.
///
/// What was found outside of any test is a failure of a case of its own, which is always there, so
/// that a run without tests and findings is a passed one. Warnings and notes fail nothing; they are
/// told as output of their cases. A test is split at its last slash into `classname` and `name`.
package enum JUnitReport {
  /// The case for what belongs to no test.
  static let runCase = "the run as a whole"

  package static func bytes(of report: Report, _ context: ReportContext) -> [UInt8] {
    let cases = cases(of: report)
    var teller = Teller(text: TextReport(context))
    let elements = cases.map { teller.element(of: $0) }
    let counts: [XML.Attribute] = [
      .init("name", "Threadmill"), .init("tests", "\(cases.count)"),
      .init("failures", "\(cases.count(where: \.isFailed))"), .init("errors", "0"),
    ]
    let skipped = XML.Attribute("skipped", "\(cases.count(where: \.isSkipped))")
    let suite = XML.element(
      "testsuite", counts + [skipped], [properties(of: report, context)] + elements)
    return XML.element("testsuites", counts, [suite]).document
  }

  private struct Case {
    /// `nil`: the run as a whole.
    var test: String?
    var findings: [Named] = []
    /// `nil` where nobody followed the test.
    var result: TestResult?

    var isFailed: Bool {
      result?.outcome == .failed || findings.contains { $0.finding.severity == .error }
    }

    var isSkipped: Bool { !isFailed && result?.outcome == .skipped }
  }

  /// A finding with its fingerprint, which costs more to make than all else that is said of it in
  /// the second of its tests.
  private struct Named {
    var finding: Finding
    var fingerprint: String
  }

  /// That of the run first, then the tests in the order of their names. The one place that decides
  /// which cases there are.
  private static func cases(of report: Report) -> [Case] {
    var whole = Case()
    var cases: [String: Case] = [:]
    for test in report.tests { cases[test.title] = Case(test: test.name, result: test) }
    for finding in report.told {
      let named = Named(finding: finding, fingerprint: finding.fingerprint)
      for test in finding.tests { cases[test, default: Case(test: test)].findings.append(named) }
      if finding.tests.isEmpty { whole.findings.append(named) }
    }
    return [whole] + cases.values.sorted { ($0.test ?? "") < ($1.test ?? "") }
  }

  private static func properties(of report: Report, _ context: ReportContext) -> XML {
    var values: [(String, String)] = [("run", report.run.id), ("mode", report.run.mode)]
    if let sanitizer = report.run.sanitizer { values.append(("sanitizer", sanitizer)) }
    if let jitter = report.run.jitter { values.append(("jitter", jitter.rawValue)) }
    if let seed = report.run.seed { values.append(("seed", seed.description)) }
    if let command = context.command { values.append(("command", command)) }
    for (name, count) in report.accounting.sorted(by: { $0.key < $1.key }) where count != 0 {
      values.append((name, String(count)))
    }
    return .element(
      "properties", [],
      values.map { .element("property", [.init("name", $0), .init("value", $1)]) })
  }

  /// Tells each finding at length once: a finding of a thousand tests is not told a thousand times.
  private struct Teller {
    let text: TextReport
    /// For each fingerprint the test where the finding is told at length.
    private var told: [String: String] = [:]

    init(text: TextReport) { self.text = text }

    mutating func element(of one: Case) -> XML {
      var failures: [XML] = []
      var output = ""
      for named in one.findings {
        let finding = named.finding
        let details = details(of: named, in: one)
        if finding.severity == .error {
          failures.append(
            .element(
              "failure",
              [
                .init("type", "threadmill/\(finding.kind.rawValue)"),
                .init("message", finding.title),
              ], [.text(details)]))
        } else {
          output += (output.isEmpty ? "" : "\n") + details
        }
      }
      failures += self.failures(of: one, isExplained: !failures.isEmpty)
      if one.isSkipped { failures.append(.element("skipped", [], [])) }
      let outputs = output.isEmpty ? [] : [XML.element("system-out", [], [.text(output)])]
      let time = one.result.map { [XML.Attribute("time", Self.seconds($0.milliseconds))] } ?? []
      return .element("testcase", Self.names(of: one.test) + time, failures + outputs)
    }

    /// The failures that the test framework reported.
    private func failures(of one: Case, isExplained: Bool) -> [XML] {
      guard let result = one.result, result.outcome == .failed else { return [] }
      let said = isExplained ? result.issues : result.issues(else: result.failure)
      return said.map { issue in
        let place = text.place(of: issue).map { "\n\($0)" }
        return .element(
          "failure", [.init("type", "failure"), .init("message", issue.message)],
          [.text(issue.message + (place ?? ""))])
      }
    }

    private static func seconds(_ milliseconds: Int) -> String {
      let rest = String(milliseconds % 1_000)
      return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }

    private mutating func details(of named: Named, in one: Case) -> String {
      let (finding, fingerprint) = (named.finding, named.fingerprint)
      if finding.tests.count > 1 {
        if let first = told[fingerprint] {
          let title = "\(finding.severity.rawValue): \(finding.title)".printable
          return "\(title)\n  fingerprint  \(fingerprint), told at \(first.printable)\n"
        }
        told[fingerprint] = one.test
      }
      return text.text(for: finding)
    }

    private static func names(of test: String?) -> [XML.Attribute] {
      guard let test else { return [.init("classname", "Threadmill"), .init("name", runCase)] }
      guard let slash = test.utf8.lastIndex(of: UInt8(ascii: "/")), slash > test.startIndex else {
        return [.init("name", test)]
      }
      return [
        .init("classname", String(test[..<slash])),
        .init("name", String(test[test.utf8.index(after: slash)...])),
      ]
    }
  }
}
