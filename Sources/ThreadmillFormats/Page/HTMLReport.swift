import ThreadmillModel
import ThreadmillReporting

/// The report as one page for a browser, for people: it needs no network and no script, but with a
/// script its list can be filtered.
///
/// A page cannot carry control characters: each of them is U+FFFD in it. Everything else comes back
/// as it was.
package struct HTMLReport {
  let report: Report
  let context: ReportContext
  let text: TextReport

  package init(_ report: Report, _ context: ReportContext) {
    self.report = report
    self.context = context
    text = TextReport(folder: context.folder)
  }

  package static func bytes(of report: Report, _ context: ReportContext) -> [UInt8] {
    HTMLReport(report, context).page.bytes
  }

  private var page: HTMLPage {
    let shown = report.findings.filter { $0.status != .filtered }
    let ruledOut = report.findings.filter { $0.status == .filtered }
    var main = failures
    if report.findings.count > 1 { main.append(filters) }
    main.append(list(shown, isOpen: shown.count <= Self.mostOpen))
    if !ruledOut.isEmpty {
      main += [
        .element("h2", [], "Ruled out"),
        .element(
          "p", [.init("class", "hint")],
          "Candidates that cannot happen, each with the reason. Nothing has to be done for them."),
        list(ruledOut, isOpen: false),
      ]
    }
    main += explorations
    main += accounts
    return HTMLPage(
      title: Self.title(shown.count), style: PageStyle.sheet, script: PageScript.source,
      body: [header(shown), .element("main", [], main), footer])
  }

  /// From so many findings on they are folded, and the list is what one sees.
  private static let mostOpen = 3

  private static func title(_ count: Int) -> String {
    count == 0 ? "Threadmill: no findings" : "Threadmill: " + TextReport.plural(count, "finding")
  }

  private func header(_ shown: [Finding]) -> HTML {
    let words = shown.isEmpty ? "No findings" : TextReport.plural(shown.count, "finding")
    let severities = Finding.Severity.allCases.compactMap { severity -> HTML? in
      let count = shown.count { $0.severity == severity }
      guard count > 0 else { return nil }
      return .element(
        "span", [.init("class", "badge \(severity.rawValue)")],
        TextReport.plural(count, severity.rawValue))
    }
    return .element(
      "header", [],
      [
        .element("p", [.init("class", "product")], "Threadmill"),
        .element("h1", [.init("class", shown.isEmpty ? "calm" : "")], words),
        .element("p", [.init("class", "badges")], severities),
        .element("p", [.init("class", "hint")], run),
      ])
  }

  /// The run in one line.
  private var run: String {
    var words = [TextReport.plural(report.run.processes, "process", "processes")]
    if let sanitizer = report.run.sanitizer { words.append("\(sanitizer) sanitizer") }
    if let jitter = report.run.jitter { words.append("jitter \(jitter.rawValue)") }
    if let seed = report.run.seed { words.append("seed \(seed)") }
    return words.joined(separator: " · ")
  }

  private func list(_ findings: [Finding], isOpen: Bool) -> HTML {
    .element(
      "div", [.init("class", "findings")], findings.map { article($0, isOpen: isOpen) })
  }

  /// Tests that have failed for something else than a finding, each with what it said.
  private var failures: [HTML] {
    let failed = report.unexplained
    guard !failed.isEmpty else { return [] }
    let items = failed.map { test in
      HTML.element(
        "li", [],
        [.element("code", [], test.name), .text(test.isSensitive ? " (sensitive to timing)" : "")]
          + test.issues(else: test.failure).map { issue in
            .element("p", [], (text.place(of: issue).map { "\($0): " } ?? "") + issue.message)
          })
    }
    return [
      .element("h2", [], "Failed tests"), .element("ul", [.init("class", "facts")], items),
    ]
  }

  /// What explorations have covered, a row for each test.
  private var explorations: [HTML] {
    guard !report.explorations.isEmpty else { return [] }
    let rows = report.explorations.map { explored in
      HTML.element(
        "tr", [],
        [
          .element("th", [.init("scope", "row")], [.element("code", [], explored.test)]),
          .element("td", [], explored.words),
        ])
    }
    let sum = TextReport.explored(in: report).map { HTML.element("p", [], $0) }
    return [.element("h2", [], "Explored tests")] + [sum].compactMap(\.self) + [
      .element("table", [.init("class", "explored")], [.element("tbody", [], rows)])
    ]
  }

  /// The counts of what was dropped, cut or not understood.
  private var accounts: [HTML] {
    let accounts = AccountWords.told(in: report)
    guard !accounts.isEmpty else { return [] }
    let rows = accounts.map { account in
      HTML.element(
        "tr", [],
        [
          .element("th", [.init("scope", "row")], account.words),
          .element("td", [], String(account.count)),
        ])
    }
    return [
      .element("h2", [], "Counts"),
      .element("table", [.init("class", "accounts")], [.element("tbody", [], rows)]),
    ]
  }

  private var footer: HTML {
    .element(
      "footer", [],
      """
      An error fails a test; a warning is worth a look; a note only goes with others. “observed” \
      happened in this run; “potential” did not, but another run may come to it; “confirmed” was made \
      to happen again.
      """)
  }
}
