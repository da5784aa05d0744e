import ThreadmillModel

extension TextReport {
  /// A line for each finding that is known or suppressed, the reason behind it, and an empty line.
  static func judged(_ report: Report) -> String {
    var layout = TextLayout()
    for finding in report.findings where finding.status != .filtered && !finding.isTold {
      let title = "\(finding.title) [\(finding.status.rawValue) \(finding.kind.rawValue)]"
      if case .suppressed(let reason, let by) = finding.judgement {
        layout.row("suppressed", title, group: .facts, indent: 0)
        layout.row("", "\(reason) (\(by))", group: .facts, indent: 0)
      } else {
        layout.row("known", title, group: .facts, indent: 0)
      }
    }
    let text = layout.render()
    return text.isEmpty ? "" : text + "\n"
  }

  /// The counts in the summary beside the findings that are shown.
  static func others(in report: Report) -> [String] {
    let candidates = report.findings.count { $0.status == .filtered }
    let judged = report.findings.filter { $0.status != .filtered }
    let (known, suppressed) = (judged.count(where: \.isKnown), judged.count(where: \.isSuppressed))
    return [
      known == 0 ? nil : "\(known) known", suppressed == 0 ? nil : "\(suppressed) suppressed",
      candidates == 0 ? nil : "\(plural(candidates, "candidate")) ruled out",
    ].compactMap(\.self)
  }

  /// A line for each candidate that was tried out, and lines that count the others.
  func candidates(in report: Report) -> String {
    let tried = report.classCandidates.filter { $0.confirmation != nil }
    let lines = tried.map { candidate in
      let frames = candidate.participants.compactMap(\.frames.firstUserFrame)
      let places = frames.compactMap(place).joined(separator: ", ")
      let why = candidate.facts.last.map { ": \($0.text.printable)" } ?? ""
      return "  not confirmed: \(candidate.title.printable) (\(places))\(why)\n"
    }
    let untried = report.classCandidates.filter { $0.confirmation == nil }
    let counts = [
      (untried.count { !$0.tests.isEmpty }, "threadmill test --confirm tries that out"),
      (untried.count(where: \.tests.isEmpty), "the JSON report has the places"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { count, way in
      let orders = Self.plural(count, "order")
      return "  \(orders) of locks taken both ways round by different objects; \(way)\n"
    }
    return lines.joined() + words.joined()
  }

  /// The missing shards of a merged report. A single shard lacks nothing.
  static func gaps(in report: Report) -> String {
    guard report.sources.count > 1 else { return "" }
    return report.gaps.map { "  partial: \($0.words) missing\n" }.joined()
  }
}
