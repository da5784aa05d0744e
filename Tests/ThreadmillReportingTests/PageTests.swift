import Testing
import ThreadmillFormats
import ThreadmillModel
import ThreadmillReporting

/// The page of a report, as a parser and a browser of others see it.
@Suite struct PageTests {
  private let context = ReportContext(
    folder: Samples.folder, command: "threadmill test --filter Bank"
  ) { path in
    path.hasSuffix("Bank.swift")
      ? (1...60).map { $0 == 41 ? "    to.deposit(1) // < 41" : "line \($0)" } : nil
  }

  private func page(_ report: Report) -> [UInt8] { ReportFormat.html.bytes(of: report, context) }

  private var everyKind: Report {
    Report(findings: Finding.Kind.allCases.map(Samples.finding), run: .init(id: "run"))
  }

  private struct Page: Decodable {
    struct Finding: Decodable {
      var title: String
      var texts: [String: [String]]
      var isShown: Bool
      var drawings: Int
    }

    var findings: [Finding]
    var scripts: Int
    var links: [String]
    var output: String
  }

  /// Reads a page with html5lib, which follows the standard to the letter.
  private static let reader = #"""
    import html5lib, json, sys
    root = html5lib.parse(open(sys.argv[1], encoding="utf-8"), namespaceHTMLElements=False)
    def text(e): return "".join(e.itertext())
    def styled(e, name): return [x for x in e.iter() if name in (x.get("class") or "").split()]
    findings = [{
        "title": text(a.find(".//h3")),
        "texts": {name: [text(x) for x in styled(a, name)]
                  for name in ["function", "place", "object", "role", "test", "here", "again"]},
        "isShown": a.get("hidden") is None,
        "drawings": len([x for x in a.iter() if str(x.tag).endswith("svg")]),
    } for a in root.iter("article")]
    links = [v for x in root.iter() for k, v in x.attrib.items() if k in ("href", "src", "action")]
    output = root.find(".//output")
    print(json.dumps({"findings": findings, "links": links,
                      "scripts": len(list(root.iter("script"))),
                      "output": "" if output is None else text(output)}))
    """#

  @Test func hostileNamesComeBackUnchanged() async throws {
    let read: Page = try await Outsider.python(Self.reader, on: page(HostileNames.report))
    #expect(read.scripts == 1)
    #expect(read.links.allSatisfy { $0.hasPrefix("#f-") })
    try #require(read.findings.count == HostileNames.all.count)
    for (number, (finding, name)) in zip(read.findings, HostileNames.all).enumerated() {
      let name = HostileNames.inPage(name)
      #expect(finding.title == "\(number) \(name)")
      #expect(finding.texts["test"] == [name])
      #expect(finding.texts["function"]?.contains(name) == true)
      #expect(finding.texts["place"]?.contains("\(name):7") == true)
      #expect(finding.texts["role"]?.first == "T3 \"\(name)\" \(name)")
      #expect(finding.texts["object"]?.first == "serial queue \"\(name)\"")
    }
  }

  @Test func everyKindHasItsPart() async throws {
    let read: Page = try await Outsider.python(Self.reader, on: page(everyKind))
    #expect(read.findings.map(\.title) == sorted(everyKind).map(\.title))
    let deadlock = try #require(
      read.findings.first { $0.title == Samples.finding(.deadlock).title })
    #expect(deadlock.drawings == 2)
    #expect(deadlock.texts["here"]?.contains("41    to.deposit(1) // < 41") == true)
    #expect(deadlock.texts["again"] == ["To repeat: threadmill test --filter Bank"])
  }

  /// What was ruled out comes last.
  private func sorted(_ report: Report) -> [Finding] {
    report.findings.filter { $0.status != .filtered }
      + report.findings.filter { $0.status == .filtered }
  }

  @Test func theListCanBeNarrowed() async throws {
    let dom = try await Outsider.chromium(
      page(everyKind), fragment: "q=account.balance+reads&kind=lateWrite")
    let read: Page = try await Outsider.python(Self.reader, on: Array(dom.utf8))
    let shown = read.findings.filter(\.isShown).map(\.title)
    #expect(shown == [Samples.finding(.lateWrite).title])
    #expect(read.output == "1 of \(Finding.Kind.allCases.count) shown")
  }

  @Test func aBrowserShowsEveryFinding() async throws {
    let dom = try await Outsider.chromium(page(HostileNames.report)) { picture in
      // Its first bytes; a picture of an empty page is far smaller.
      #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(picture.count > 30_000)
    }
    let read: Page = try await Outsider.python(Self.reader, on: Array(dom.utf8))
    #expect(read.findings.map(\.isShown) == HostileNames.all.map { _ in true })
    #expect(read.output == "")
  }

  @Test func equalReportsMakeEqualPages() {
    #expect(page(everyKind) == page(everyKind))
    let text = String(decoding: page(everyKind), as: UTF8.self)
    for reach in ["http:", "https:", "url(", "@import", "src="] { #expect(!text.contains(reach)) }
  }
}
