import ThreadmillModel

/// Findings as plain text: for standard error, for a log, for the message of a failing test.
package struct TextReport: Sendable {
  let context: ReportContext

  package init(_ context: ReportContext) { self.context = context }

  /// Without lines of source.
  package init(folder: String? = nil) { self.init(ReportContext(folder: folder)) }

  /// Every failure that no finding explains, every finding that was not filtered, in the order of
  /// the report, those that are known or suppressed on one line each, then lines that count tests,
  /// say what explorations have covered, and count findings, then what the run has to own up to,
  /// then what to type to see it again. Ends with a line break.
  package func text(for report: Report) -> String {
    let shown = report.findings.filter(\.isTold)
    var text = failures(in: report) + shown.map { self.text(for: $0) + "\n" }.joined()
    text += Self.judged(report)
    text += Self.count(of: report.tests)
    text += Self.lines(on: report.unfailed) + Self.sum(of: report)
    text += Self.summary(of: report) + "\n"
    text += Self.gaps(in: report) + candidates(in: report)
    for account in AccountWords.told(in: report)
    where !Self.explorationCounts.contains(account.name) {
      text += "  \(account.words.printable): \(account.count)\n"
    }
    if let again = repetition(of: report) { text += again + "\n" }
    return text
  }

  /// What to type to see it again, without a line break: the command, where somebody knows it and
  /// something was found.
  package func repetition(of report: Report) -> String? {
    let isFound = report.findings.contains { $0.status != .filtered }
    if isFound, let command = context.command { return "To repeat: \(command.printable)" }
    return Self.repetition(of: report.run)
  }

  /// How to draw the same again, without a line break; `nil` where nothing was drawn.
  package static func repetition(of run: Report.Run) -> String? {
    guard let jitter = run.jitter, let seed = run.seed else { return nil }
    return "To repeat: THREADMILL_OPTIONS=\"jitter=\(jitter.rawValue) seed=\(seed)\""
  }

  /// Everything that is known about one finding, over several lines. Ends with a line break.
  package func text(for finding: Finding) -> String {
    var layout = TextLayout()
    let tag = "[\(finding.status.rawValue) \(finding.kind.rawValue)]"
    layout.text("\(finding.severity.rawValue): \(finding.title) \(tag)")
    addObjects(of: finding, to: &layout, apart: true)
    addThreads(of: finding, to: &layout, apart: true)
    addCircumstances(of: finding, to: &layout, apart: true)
    addDeadlock(of: finding, to: &layout)
    if let story = finding.story {
      layout.blank()
      addStory(story, to: &layout)
    }
    layout.blank()
    addFacts(of: finding, to: &layout)
    return layout.render()
  }

  /// The same as one paragraph for a failing test: the title alone on the first line, the objects,
  /// the threads, the way out. No lines of source, no empty lines, no line break at the end.
  package func message(for finding: Finding) -> String {
    TextReport(folder: context.folder).shortMessage(for: finding)
  }

  private func shortMessage(for finding: Finding) -> String {
    var layout = TextLayout()
    layout.text(finding.title)
    addObjects(of: finding, to: &layout, apart: false)
    addThreads(of: finding, to: &layout, apart: false)
    addCircumstances(of: finding, to: &layout, apart: false)
    addReplay(of: finding, to: &layout)
    layout.row(
      "kind", "\(finding.status.rawValue) \(finding.kind.rawValue)", group: .facts, indent: 2)
    layout.row("repair", finding.repair, group: .facts, indent: 2)
    return String(layout.render().dropLast())
  }

  /// `Threadmill: 2 findings (1 error, 1 warning)`, without a line break.
  package static func summary(of report: Report) -> String {
    let shown = report.findings.filter(\.isTold)
    let severities = Finding.Severity.allCases.compactMap { severity -> String? in
      let count = shown.count { $0.severity == severity }
      return count == 0 ? nil : plural(count, severity.rawValue)
    }
    let isJudged = report.findings.contains { $0.judgement != nil }
    let nothing = isJudged ? "no new findings" : "no findings"
    let told = "\(plural(shown.count, "finding")) (\(severities.joined(separator: ", ")))"
    let rest = others(in: report).map { "; \($0)" }.joined()
    return "Threadmill: \(shown.isEmpty ? nothing : told)\(rest)"
  }
}

extension TextReport {
  private func addObjects(of finding: Finding, to layout: inout TextLayout, apart: Bool) {
    let objects = finding.objects.filter { !finding.isBesides($0) }
    if apart, !objects.isEmpty { layout.blank() }
    for object in objects {
      let label = object.label.map { object.isNamedByProperty ? " \($0)" : " \"\($0)\"" } ?? ""
      layout.row(
        object.id.description, object.kind.noun + label, origin(of: object), group: .objects,
        indent: 2)
    }
  }

  private func origin(of object: SharedObject) -> String {
    if let variable = object.variable {
      return [variable.name, place(of: variable)].compactMap(\.self).joined(separator: ", ")
    }
    let users = object.created.first { !$0.isSystem && $0.line != nil }
    guard let frame = users ?? object.created.firstUserFrame ?? object.created.first else {
      return object.isNamedByProperty ? "" : "creation not seen"
    }
    guard let place = place(of: frame) else { return "created in \(frame.nameWithOffset)" }
    return "created at \(place) in \(frame.name)" + caller(in: object.created)
  }

  /// Two locks are often made by one initialiser: who called it tells them apart.
  private func caller(in stack: Backtrace) -> String {
    let places = stack.filter { !$0.isSystem && $0.line != nil }.compactMap(place(of:))
    return places.first { $0 != places.first }.map { ", called at \($0)" } ?? ""
  }

  private func addFacts(of finding: Finding, to layout: inout TextLayout) {
    for (index, test) in finding.tests.enumerated() {
      layout.row(index == 0 ? "tests" : "", test, group: .facts, indent: 2)
    }
    if finding.count != 1 {
      layout.row("seen", Self.plural(finding.count, "time"), group: .facts, indent: 2)
    }
    if let reason = finding.reason {
      layout.row("ruled out", reason, group: .facts, indent: 2)
    }
    if let confirmation = finding.confirmation {
      let tries = finding.tries(confirmation)
      let words =
        confirmation.deadlock.isEmpty
        ? "no deadlock in \(tries); it may need other timing or other data"
        : "reached in \(tries)"
      layout.row("confirm", words, group: .facts, indent: 2)
    }
    addReplay(of: finding, to: &layout)
    if let again = context.repetition(finding) {
      layout.row("to repeat", again, group: .facts, indent: 2)
    }
    layout.row("repair", finding.repair, group: .facts, indent: 2)
    layout.row("fingerprint", finding.fingerprint, group: .facts, indent: 2)
  }

  private func addReplay(of finding: Finding, to layout: inout TextLayout) {
    if let seed = finding.seed { layout.row("seed", String(seed), group: .facts, indent: 2) }
    if let schedule = finding.schedule {
      layout.row("schedule", schedule, group: .facts, indent: 2)
    }
  }

  /// `1 error`, `2 errors`.
  package static func plural(_ count: Int, _ noun: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : many ?? noun + "s")"
  }
}

extension Finding {
  /// `4 tries`, or `4 schedules` if a schedule is what made it happen.
  package func tries(_ confirmation: Confirmation) -> String {
    schedule == nil
      ? TextReport.plural(confirmation.tries, "try", "tries")
      : TextReport.plural(confirmation.tries, "schedule")
  }
}
