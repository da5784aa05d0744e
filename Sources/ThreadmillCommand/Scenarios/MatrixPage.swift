import ThreadmillFormats
import ThreadmillReporting
import ThreadmillScenarios

/// A verification as a page for a browser: what is not as it must be first, then the matrix by kind
/// of fault.
package struct MatrixPage {
  private let verification: Verification
  private let plan: VerificationPlan

  package init(_ verification: Verification, _ plan: VerificationPlan) {
    self.verification = verification
    self.plan = plan
  }

  package var html: HTMLPage {
    HTMLPage(
      title: "Threadmill: scenarios", style: Self.style,
      body: [
        header,
        .element(
          "main", [], (verification.wrong.isEmpty ? [] : [disagreements]) + faults + [legend]),
      ])
  }

  private var header: HTML {
    let wrong = verification.wrong.count
    let verdict = wrong == 0 ? "All as expected" : "\(wrong) not as expected"
    let without = verification.detector.map { ", without \($0)" } ?? ""
    let modes = verification.modes.map(\.rawValue).joined(separator: ", ")
    let facts =
      "\(verification.rows.count) rows in \(modes)\(without); \(verification.runs) runs in "
      + "\(verification.seconds) s"
    return .element(
      "header", [],
      [
        .element("p", [Self.class("product")], "Threadmill scenarios"),
        .element("h1", [Self.class(wrong == 0 ? "right" : "wrong")], verdict),
        .element("p", [], facts),
      ])
  }

  private var disagreements: HTML {
    let items = verification.wrong.map { row -> HTML in
      let trial = row.trial
      let name = "\(trial.name), \(trial.mode.rawValue)"
      let problems = row.problems.map { problem in
        let share =
          row.sightings.count > 1 ? " (\(problem.runs) of \(row.sightings.count) runs)" : ""
        return HTML.element("p", [], problem.text + share)
      }
      return .element("li", [], [.element("strong", [], name)] + problems)
    }
    return .element(
      "section", [Self.class("wrong")],
      [
        .element("h2", [], "Not as expected"), .element("ul", [], items),
        .element("p", [], "To see it again:"),
        .element("pre", [], plan.command(for: verification.wrong)),
      ])
  }

  private var faults: [HTML] {
    let lines = MatrixLine.lines(of: verification)
    return lines.map(\.scenario.fault).distinct.map { fault in
      let own = lines.filter { $0.scenario.fault == fault }
      return .element(
        "section", [],
        [
          .element("h2", [], fault.title),
          .element("div", [Self.class("wide")], [table(of: own)]),
        ])
    }
  }

  private func table(of lines: [MatrixLine]) -> HTML {
    let titles = ["Scenario", "Variant"] + verification.modes.map(\.rawValue)
    let head = HTML.element(
      "tr", [], titles.map { .element("th", [.init("scope", "col"), Self.class($0)], $0) })
    let ids = lines.map(\.scenario.id).distinct
    let groups = ids.map { id in
      HTML.element("tbody", [], rows(of: lines.filter { $0.scenario.id == id }))
    }
    return .element("table", [], [.element("thead", [], [head])] + groups)
  }

  /// The variants of one scenario; its name stands beside all of them.
  private func rows(of lines: [MatrixLine]) -> [HTML] {
    lines.enumerated().map { index, line in
      var cells: [HTML] = []
      if index == 0 {
        let span = HTML.Attribute("rowspan", "\(lines.count)")
        cells.append(
          .element(
            "th", [.init("scope", "rowgroup"), span],
            [.text(line.scenario.id), .element("small", [], line.scenario.summary)]))
      }
      cells.append(.element("td", [Self.class("variant")], line.variant.rawValue))
      cells += verification.modes.map { mode in
        let row = line.rows[mode]
        return .element(
          "td", [Self.class(row?.look ?? "none"), .init("data-mode", mode.rawValue)],
          [.element("span", [], row?.cell ?? "")])
      }
      return .element("tr", [], cells)
    }
  }

  private var legend: HTML {
    .element(
      "footer", [],
      """
      plain: nobody looks, what becomes of the program by itself. observe: one ordinary run under \
      Threadmill. tsan: the same with Thread Sanitizer in the build. jitter: the same again, with \
      threads that are disturbed. Each cell says what was expected and seen; + what was seen as \
      well and may be; ✗ expected → seen. “missed” is a known blind spot of the mode.
      """)
  }

  private static func `class`(_ name: String) -> HTML.Attribute { .init("class", name) }

  private static let style: StaticString = """
    :root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1c2330; --soft: #5d6778;
      --line: #e1e5eb; --find: #8a4b08; --find-back: #fdf0dc; --calm: #17663a; --calm-back: #e3f4e9;
      --harm: #7a2a8a; --harm-back: #f6e8f9; --bad: #b3161f; --bad-back: #fde5e6; }
    @media (prefers-color-scheme: dark) { :root { --page: #12161d; --card: #1a202a; --ink: #e5e9f0;
      --soft: #98a3b5; --line: #2c3442; --find: #f3bd77; --find-back: #3a2c18; --calm: #86d7a6;
      --calm-back: #173325; --harm: #dba6e8; --harm-back: #35203c; --bad: #ff9a9f;
      --bad-back: #46191d; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--ink);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
    header, main { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
    header { padding-top: 2.5rem; } header p { margin: 0; color: var(--soft); }
    .product { font-weight: 600; letter-spacing: .04em; text-transform: uppercase; font-size: .8rem; }
    h1 { margin: .25rem 0; font-size: 2rem; line-height: 1.2; }
    h1.right { color: var(--calm); } h1.wrong { color: var(--bad); }
    h2 { font-size: 1.1rem; margin: 2.25rem 0 .75rem; }
    .wide { overflow-x: auto; background: var(--card); border: 1px solid var(--line);
      border-radius: .75rem; }
    table { border-collapse: collapse; width: 100%; }
    @media (min-width: 56.01rem) { table { table-layout: fixed; }
      th:first-child { width: 30%; } thead th:nth-child(2), thead th.plain { width: 13%; } }
    th, td { text-align: left; vertical-align: top; padding: .45rem .8rem; }
    thead th { color: var(--soft); font-weight: 500; font-size: .85rem; }
    tbody { border-top: 1px solid var(--line); }
    tbody th { font-weight: 600; }
    th small { display: block; font-weight: 400; color: var(--soft); font-size: .85rem; }
    .variant { color: var(--soft); }
    td span { display: inline-block; padding: .05rem .55rem; border-radius: .6rem; font-size: .88rem;
      overflow-wrap: anywhere; }
    td span:empty { display: none; }
    .calm span { color: var(--calm); background: var(--calm-back); }
    .find span { color: var(--find); background: var(--find-back); }
    .harm span { color: var(--harm); background: var(--harm-back); }
    .bad span { color: var(--bad); background: var(--bad-back); font-weight: 600; }
    .blind span { color: var(--soft); border: 1px dashed var(--soft); }
    section.wrong ul { list-style: none; margin: 0; padding: 0; }
    section.wrong li { background: var(--bad-back); border-radius: .6rem; padding: .6rem .9rem;
      margin-bottom: .5rem; overflow-wrap: anywhere; }
    section.wrong li strong { color: var(--bad); } section.wrong li p { margin: 0; }
    pre { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
      padding: .7rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
    footer { color: var(--soft); font-size: .85rem; margin: 2rem 0 3rem; }
    @media (max-width: 56rem) {
      thead { display: none; } table, tbody, tr, th, td { display: block; width: auto; }
      tbody { padding: .5rem 0; } th, td { padding: .2rem .8rem; }
      tr { padding: .15rem 0; }
      td[data-mode] { display: flex; gap: .6rem; align-items: baseline; padding-left: 1.6rem; }
      td[data-mode]::before { content: attr(data-mode); color: var(--soft); font-size: .8rem;
        flex: 0 0 4rem; } .variant { font-weight: 600; } }
    """
}

extension Verification.Row {
  /// How its cell is dressed.
  fileprivate var look: String {
    guard isRight else { return "bad" }
    switch trial.verdict {
    case .silent: return "calm"
    case .missed: return "blind"
    case .perhaps, .finds: return "find"
    case nil: return trial.expectation.outcome == .ends ? "calm" : "harm"
    }
  }
}
