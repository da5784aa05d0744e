import ThreadmillModel
import ThreadmillReporting

/// The list can be narrowed where there is a script; without one, the form is not shown.
extension HTMLReport {
  var filters: HTML {
    let findings = report.findings
    let tests = Set(findings.flatMap(\.tests)).sorted()
    let search = HTML.element(
      "label", [.init("class", "search")],
      [
        .element("span", [], "Search"),
        .element(
          "input",
          [.init("type", "search"), .init("name", "q"), .init("placeholder", "function, file, …")]),
      ])
    var content = [search]
    content += choice("severity", Finding.Severity.allCases.map(\.rawValue)) {
      $0.severity.rawValue
    }
    content += choice("status", Finding.Status.allCases.map(\.rawValue)) { $0.status.rawValue }
    content += choice("kind", Finding.Kind.allCases.map(\.rawValue)) { $0.kind.rawValue }
    if !tests.isEmpty { content.append(select("test", tests.map { ($0, $0) })) }
    content.append(.element("button", [.init("type", "reset")], "Show all"))
    content.append(.element("output", [.init("aria-live", "polite")]))
    return .element(
      "form", [.init("id", "filters"), .init("hidden", ""), .init("role", "search")], content)
  }

  /// The values that occur, with how often; nothing where there is only one.
  private func choice(_ name: String, _ values: [String], _ value: (Finding) -> String) -> [HTML] {
    var counts: [String: Int] = [:]
    for finding in report.findings { counts[value(finding), default: 0] += 1 }
    guard counts.count > 1 else { return [] }
    return [
      select(
        name,
        values.compactMap { value in counts[value].map { (value, "\(value) (\($0))") } })
    ]
  }

  private func select(_ name: String, _ options: [(value: String, text: String)]) -> HTML {
    let all = HTML.element("option", [.init("value", "")], "all")
    return .element(
      "label", [],
      [
        .element("span", [], name.prefix(1).uppercased() + name.dropFirst()),
        .element(
          "select", [.init("name", name)],
          [all] + options.map { .element("option", [.init("value", $0.value)], $0.text) }),
      ])
  }
}
