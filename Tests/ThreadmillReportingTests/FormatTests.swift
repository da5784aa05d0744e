import Foundation
import Testing
import ThreadmillChildren
import ThreadmillFormats
import ThreadmillModel
import ThreadmillReporting
import ThreadmillTestSupport

/// Every format against its schema, and names in it against what went in, by parsers that are not
/// ours: `Validators/validate.py` says what is looked at.
@Suite struct FormatTests {
  private static let schema = Checkout.root.appending(
    path: "Sources/ThreadmillReporting/Schema/report.schema.json")
  private static let validators = Checkout.root.appending(path: ".build/validators")

  /// No chance of a wrong failure: it holds for every string.
  @Test func independentParsersReadEveryFormat() async throws {
    let seed: UInt64 = 11
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let texts = HostileText.all + (0..<100).map { _ in HostileText.random(using: &generator) }
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    for (number, report) in [Samples.everyKind, Samples.everyMember].enumerated() {
      try Self.write(report, expecting: [], to: folder.file("sample-\(number)"))
    }
    // GitHub shows ten annotations: a report of eleven has one that says what is missing.
    for start in stride(from: 0, to: texts.count, by: 11) {
      let some = Array(texts[start..<min(start + 11, texts.count)])
      let findings = some.enumerated().map { Samples.hostile($1, line: $0 + 1) }
      let report = Report(
        findings: findings, run: .init(id: some[0], mode: some[0], sanitizer: some[0]),
        accounting: [some[0]: 1])
      try Self.write(report, expecting: findings, to: folder.file("hostile-\(start)"))
    }
    try await Self.validate(folder.url)
  }

  private static func write(
    _ report: Report, expecting findings: [Finding], to folder: URL
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for format in ReportFormat.allCases {
      try Data(format.bytes(of: report, Samples.context))
        .write(to: folder.appending(path: "report.\(format.rawValue)"))
    }
    let expected = findings.map { finding -> [String: Any] in
      let frame = finding.participants[0].frames[0]
      return [
        "title": finding.title, "test": finding.tests[0], "kind": finding.kind.rawValue,
        "thread": finding.participants[0].threadName ?? "", "role": finding.participants[0].role,
        "function": frame.function ?? "", "file": frame.file ?? "", "line": frame.line ?? 0,
      ]
    }
    try JSONSerialization.data(withJSONObject: ["findings": expected])
      .write(to: folder.appending(path: "expected.json"))
  }

  private static func validate(_ folder: URL) async throws {
    let python = validators.appending(path: "bin/python").path
    try #require(
      FileManager.default.isExecutableFile(atPath: python),
      "scripts/setup installs what this test needs into .build/validators")
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Validators/validate.py")
    let child = ChildProcess(
      executable: python,
      arguments: [
        "-B", script.path, folder.path, schema.path,
        validators.appending(path: "junit-10.xsd").path,
      ], environment: ["PATH": "/usr/bin:/bin"], limit: 300)
    let result = try await child.run()
    #expect(
      result.outcome == .exited(0), "\(result.standardOutput)\n\(result.standardError)")
  }

  /// The names in our schema are those in the code.
  @Test func theSchemaKnowsEveryName() throws {
    let root = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.schema))
    let definitions = try #require((root as? [String: Any])?["$defs"] as? [String: [String: Any]])
    func names(_ definition: String) -> [String]? { definitions[definition]?["enum"] as? [String] }
    #expect(names("kind") == Finding.Kind.allCases.map(\.rawValue))
    #expect(names("status") == Finding.Status.allCases.map(\.rawValue))
    #expect(names("severity") == Finding.Severity.allCases.map(\.rawValue))
    #expect(names("objectKind") == SharedObject.Kind.allCases.map(\.rawValue))
    #expect(names("holdMode") == HoldMode.allCases.map(\.rawValue))
    #expect(names("operation") == OperationKind.allCases.map(\.name))
    #expect(names("jitter") == JitterPolicy.allCases.map(\.rawValue))
  }
}

extension HostileText {
  /// No literal may have these.
  private static let noncharacters = String(
    String.UnicodeScalarView([0xFDD0, 0x1FFFE].compactMap { Unicode.Scalar($0 as UInt32) }))

  /// With what has broken a writer of one of the formats.
  static let all =
    fixed + [
      "]]>", "-->", "<!--", "<![CDATA[", "&#0;", "&amp;lt;", "a\rb\r", "\n", "\u{FFFE}",
      "a::b%0Ac%25,d=e", "::error::x", "\n::error::x", "%", "100%25", ",", ":", "=",
      "|", "\\|", "a | b\n| - |", "`", "``` `a`", "`````", "*a* _b_ ~~c~~ **d**", "# a #", "- a",
      "1. a", "> a", "    a", "  a  b  ", "\u{3000}a\u{A0}", "[a](1)", "![a](b)", "[a]: b", "{0}",
      "{{", "}", "[", "]", "@somebody #1 :tada: $x$ www.a.b https://a.b a@b.c", "<details>",
      "</details>", "</summary>", "</code></pre>", "<script>x</script>", "<a href=\"x\">", "---",
      "a/b",
      "/", "//", "../a", "a b?c#d;e", "C:\\a", "file://a",
      "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
      "\u{202E}\u{2066}\u{200F}", noncharacters, "x\u{0}y",
      String(repeating: "|<]]>`&%\u{0}", count: 1_250),
    ]
}
