import Foundation
import ThreadmillCommand
import ThreadmillScenarios
import ThreadmillTestSupport

/// The pages about the hazards, as Markdown. The scenarios are the only source of their text.
enum HazardPages {
  /// The path of the index of all pages.
  static let index = "Scenarios/README.md"

  /// Returns the path of a scenario's page.
  static func document(of scenario: Scenario) -> String { "Scenarios/Pages/\(scenario.id).md" }

  static func page(of scenario: Scenario) throws -> String {
    let story = try scenario.story()
    let source =
      "../\(scenario.sourcePath.split(separator: "/").dropFirst().joined(separator: "/"))"
    var blocks = [
      "# \(scenario.id)", story.title,
      """
      [\(scenario.fault.title)](../README.md#\(anchor(of: scenario.fault))) · \
      [source](\(source)) · `threadmill scenarios run \(scenario.id)`
      """,
    ]
    for (index, part) in story.parts.enumerated() {
      let isLast = index == story.parts.count - 1
      if isLast, scenario.fault != .silent { blocks += said(of: scenario) }
      blocks.append("## \(part.heading)")
      blocks += part.paragraphs
      if index == 0 { blocks += try code(of: story) }
    }
    if scenario.fault == .silent { blocks += said(of: scenario) }
    if let repair = story.repair { blocks.append(fenced(repair.text, as: "diff")) }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  static func index(of scenarios: [Scenario]) throws -> String {
    let modes = Scenario.Mode.allCases.filter { mode in
      scenarios.contains { $0.isJudged(in: mode) }
    }
    var blocks = [introduction]
    for fault in Scenario.Fault.allCases {
      let rows = scenarios.filter { $0.fault == fault }.map { row(of: $0, modes) }
      guard !rows.isEmpty else { continue }
      let head = ["scenario", fault == .silent ? "what it does" : "what people write"]
      blocks += ["## \(fault.title)", fault.sentence]
      blocks.append(table(head + modes.map(heading), rows))
    }
    blocks += ["## Described types", described]
    blocks.append(table(["type", "what people write"], try DescribedType.all.map { try $0.row }))
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static let introduction = """
    # Scenarios

    Every hazard that Threadmill knows is a small program here, as people write it, and again after \
    its repair; correct programs that only look dangerous stand beside them. Each row leads to a \
    page with the story, the code, the verdicts and the repair as a diff.

    `threadmill scenarios run ID` tells the same, and runs it under watch. A column says what \
    Threadmill finds in that mode, from what people write to the moment when it goes wrong; *missed* \
    is a known blind spot, *silent* is right. `threadmill scenarios verify` holds all of it against \
    what is seen. This file and the pages are made from the sources by \
    `THREADMILL_README=write swift test --package-path Tests --scratch-path .build --filter HazardPageTests`.
    """

  private static let described = """
    Types that a description of their operations checks: see \
    [Say what is right](../Sources/Threadmill/Documentation.docc/SayingWhatIsRight.md).
    """

  private static func anchor(of fault: Scenario.Fault) -> String {
    fault.title.lowercased().replacing(" ", with: "-")
  }

  // MARK: - Code

  private static func code(of story: Story) throws -> [String] {
    guard let flawed = story.programs[.flawed] else { return [] }
    var blocks = [fenced(flawed.lines, as: "swift")]
    if let harmful = story.programs[.harmful] {
      blocks += ["Steered to the moment when it goes wrong:", fenced(harmful.body, as: "swift")]
    }
    let code = story.programs.values.flatMap(\.lines).joined(separator: "\n")
    let words = Set(code.matches(of: #/\w+/#).map(\.output))
    let helpers = try support().filter { words.contains($0[...]) }
    if !helpers.isEmpty {
      let names = helpers.map { "`\($0)`" }.joined(separator: ", ")
      blocks.append("From [Support](../Support): \(names).")
    }
    return blocks
  }

  /// Returns the names of the helpers that scenarios share.
  private static func support() throws -> [String] {
    let folder = Checkout.root.appending(path: "Scenarios/Support")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return try files.flatMap { file in
      let text = try String(contentsOf: file, encoding: .utf8)
      return text.matches(of: #/\n(?:final |package )*(?:func|class|struct|enum|actor) (\w+)/#)
        .map { String($0.1) }
    }.sorted()
  }

  private static func fenced(_ lines: [String], as language: String) -> String {
    (["```\(language)"] + lines + ["```"]).joined(separator: "\n")
  }

  // MARK: - Verdicts

  private static func said(of scenario: Scenario) -> [String] {
    let modes = Scenario.Mode.allCases.filter(scenario.isJudged)
    let rows = scenario.variants.compactMap { variant -> [String]? in
      guard let expectation = scenario.expectations[variant] else { return nil }
      if scenario.fault == .silent, variant == .repaired { return nil }
      let name = scenario.fault == .silent ? "as it is" : variant.rawValue
      return [name, expectation.outcome.words]
        + modes.map { expectation.verdicts[$0]?.words ?? nothing }
    }
    let head = ["program", "by itself"] + modes.map(heading)
    var blocks = ["## What Threadmill says", table(head, rows)]
    let options = Set(scenario.expectations.values.map(\.options)).subtracting([""]).sorted()
    if !options.isEmpty {
      let all = options.map { "`THREADMILL_OPTIONS=\"\($0)\"`" }.joined(separator: " and ")
      blocks.append("With \(all), so that a short run is enough.")
    }
    return blocks
  }

  private static func row(of scenario: Scenario, _ modes: [Scenario.Mode]) -> [String] {
    let flaws = scenario.variants.filter { $0 != .repaired }
    return ["[\(scenario.id)](Pages/\(scenario.id).md)", escaped(scenario.summary)]
      + modes.map { mode in
        let said = flaws.compactMap { scenario.expectations[$0]?.verdicts[mode] }
        let findings = said.filter { !$0.isNothing }
        return said.isEmpty
          ? nothing : each((findings.isEmpty ? said : findings).flatMap(\.briefWords))
      }
  }

  /// Returns each word once, at the place where it came first.
  private static func each(_ words: [String]) -> String {
    words.indices.filter { words.firstIndex(of: words[$0]) == $0 }.map { words[$0] }
      .joined(separator: ", ")
  }

  /// The cell of a mode for which the catalogue has no verdict.
  private static let nothing = "–"

  private static func heading(_ mode: Scenario.Mode) -> String {
    mode.rawValue
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
      .joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("<", with: "&lt;")
  }
}

extension Scenario {
  /// Returns whether a variant that people write has a verdict in this mode. The repaired program
  /// is silent in all modes.
  fileprivate func isJudged(in mode: Mode) -> Bool {
    expectations.contains { $0.key != .repaired && $0.value.verdicts[mode] != nil }
  }
}

extension Scenario.Outcome {
  fileprivate var words: String {
    switch self {
    case .ends: "comes to its end"
    case .delays: "comes late to its end"
    case .errs: "has a wrong result"
    case .mayErr: "may have a wrong result"
    case .hangs: "hangs"
    case .mayHang: "may hang"
    case .traps: "traps"
    }
  }
}

extension Scenario.Verdict {
  fileprivate var isNothing: Bool { required.isEmpty && allowed.isEmpty }

  /// The verdict on the page.
  fileprivate var words: String {
    let required = briefWords.joined(separator: ", ")
    guard case .finds(_, let allowed) = self, !allowed.isEmpty else { return required }
    return "\(required); perhaps \(Self.code(allowed).joined(separator: ", "))"
  }

  /// The verdict in the index: each kind that has to be found, by itself.
  fileprivate var briefWords: [String] {
    switch self {
    case .silent: ["*silent*"]
    case .missed: ["*missed*"]
    case .finds(let required, _): Self.code(required)
    case .perhaps(let allowed, rate: 0): Self.code(allowed).map { "perhaps \($0)" }
    case .perhaps(let allowed, let rate):
      Self.code(allowed).map { "\($0) in \(Int((rate * 100).rounded())) % of all runs" }
    }
  }

  private static func code(_ kinds: Set<String>) -> [String] {
    kinds.sorted().map { "`\($0)`" }
  }
}
