import ThreadmillModel
import ThreadmillReporting

/// One finding: what is told of it at a glance, and everything below that.
extension HTMLReport {
  func article(_ finding: Finding, isOpen: Bool) -> HTML {
    let open = isOpen ? [HTML.Attribute("open", "")] : []
    return .element(
      "article",
      [
        .init("id", "f-\(finding.fingerprint)"),
        .init("class", "finding \(finding.severity.rawValue)"),
        .init("data-severity", finding.severity.rawValue),
        .init("data-status", finding.status.rawValue), .init("data-kind", finding.kind.rawValue),
      ],
      [.element("details", open, [summary(finding), .element("div", [], body(of: finding))])])
  }

  private func summary(_ finding: Finding) -> HTML {
    var badges = [
      badge(finding.severity.rawValue, finding.severity.rawValue),
      badge(finding.status.rawValue, finding.status.rawValue),
      badge(finding.kind.rawValue, "kind"),
    ]
    switch finding.judgement {
    case .known: badges.append(badge("known", "count"))
    case .suppressed: badges.append(badge("suppressed", "count"))
    case .new, nil: break
    }
    if finding.count != 1 { badges.append(badge("× \(finding.count)", "count")) }
    var place: [HTML] = []
    if let frame = finding.place {
      place = [path(text.place(of: frame) ?? "")]
    }
    return .element(
      "summary", [],
      [
        .element("span", [.init("class", "badges")], badges),
        .element("h3", [.init("dir", "auto")], finding.title),
      ] + place)
  }

  private func badge(_ text: String, _ style: String) -> HTML {
    .element("span", [.init("class", "badge \(style)")], text)
  }

  private func body(of finding: Finding) -> [HTML] {
    let names = FindingNames(finding, finding.participants, text)
    var content = [advice(finding)]
    content += drawings(finding.participants, names, isReal: finding.status != .potential)
    if !finding.participants.isEmpty {
      content.append(.element("h4", [], "Threads"))
      content.append(columns(finding.participants, finding, names))
    }
    content += confirmation(of: finding)
    if let told = finding.story { content += story(told) }
    if !finding.facts.isEmpty {
      content.append(.element("h4", [], "What else is known"))
      content.append(.element("ul", [.init("class", "facts")], finding.facts.map(fact)))
    }
    if !finding.objects.isEmpty {
      content.append(.element("h4", [], "Objects"))
      content.append(
        .element(
          "ul", [.init("class", "objects")], finding.objects.map { object($0, names) }))
    }
    content.append(facts(finding))
    return content
  }

  /// How to repair it and, where that is known, how to see it again.
  private func advice(_ finding: Finding) -> HTML {
    var content: [HTML] = []
    if let reason = finding.reason {
      content.append(.element("p", [], [.element("strong", [], "Ruled out: "), .text(reason)]))
    }
    if case .suppressed(let reason, let by) = finding.judgement {
      content.append(
        .element(
          "p", [], [.element("strong", [], "Suppressed: "), .text("\(reason) (\(by))")]))
    }
    content.append(
      .element("p", [], [.element("strong", [], "Repair: "), .text(finding.repair)]))
    if let command = command(for: finding) {
      content.append(
        .element(
          "p", [.init("class", "again")],
          [.element("strong", [], "To repeat: "), .element("code", [], command)]))
    }
    return .element("div", [.init("class", "advice")], content)
  }

  private func command(for finding: Finding) -> String? {
    if let own = context.repetition(finding) { return own }
    guard let jitter = report.run.jitter, let seed = finding.seed else { return context.command }
    let options = "THREADMILL_OPTIONS=\"jitter=\(jitter.rawValue) seed=\(seed)\""
    return context.command.map { "\(options) \($0)" } ?? options
  }

  private func drawings(
    _ participants: [Finding.Participant], _ names: FindingNames, isReal: Bool
  ) -> [HTML] {
    var figures: [HTML] = []
    if let graph = GraphDrawing(participants, names) {
      figures.append(
        figure(isReal ? "Who waits for whom" : "Who would wait for whom", graph.html, graph.caption)
      )
    }
    if let timeline = TimelineDrawing(participants, names) {
      let rest = timeline.leftOut > 0 ? " \(timeline.leftOut) more threads are not drawn." : ""
      figures.append(
        figure("Up to this moment", timeline.html, TimelineDrawing.caption + rest))
    }
    return figures.isEmpty ? [] : [.element("div", [.init("class", "figures")], figures)]
  }

  private func figure(_ title: String, _ drawing: HTML, _ caption: String) -> HTML {
    .element(
      "figure", [],
      [
        .element("h4", [], title),
        .element("div", [.init("class", "drawing"), .init("tabindex", "0")], [drawing]),
        .element("figcaption", [], caption),
      ])
  }

  private func confirmation(of finding: Finding) -> [HTML] {
    guard let confirmation = finding.confirmation else { return [] }
    let tries = finding.tries(confirmation)
    guard !confirmation.deadlock.isEmpty else {
      return [.element("p", [], "No deadlock in \(tries); it may need other timing or other data.")]
    }
    let names = FindingNames(finding, confirmation.deadlock, text)
    let run = finding.schedule == nil ? "a run that was steered there" : "the last of them"
    let words = "Confirmed in \(tries): \(run) deadlocked"
    return [.element("h4", [], words)] + drawings(confirmation.deadlock, names, isReal: true)
      + [columns(confirmation.deadlock, finding, names)]
  }

  private func facts(_ finding: Finding) -> HTML {
    var rows = finding.tests.map { test in
      ("Test", HTML.element("span", [.init("class", "test"), .init("data-test", test)], test))
    }
    if let seed = finding.seed { rows.append(("Seed", .element("code", [], String(seed)))) }
    if let schedule = finding.schedule { rows.append(("Schedule", .element("code", [], schedule))) }
    let link = HTML.element(
      "a", [.init("href", "#f-\(finding.fingerprint)")], finding.fingerprint)
    rows.append(("Fingerprint", link))
    return .element(
      "dl", [],
      rows.flatMap { name, value in [.element("dt", [], name), .element("dd", [], [value])] })
  }
}
