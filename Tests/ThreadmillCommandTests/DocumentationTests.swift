import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

@testable import ThreadmillCommand

/// What the documents say of the command line is what it does.
@Suite(.serialized) struct DocumentationTests {
  @Test func theDocumentationHasTheHelp() throws {
    let texts = [CommandHelp.overview()] + Command.table.map(CommandHelp.text)
    try check("commands", in: Self.commandLine, fenced(texts.joined(separator: "\n")))
  }

  @Test func theDocumentationShowsTheDoctor() throws {
    try check(
      "doctor", in: Self.commandLine, fenced(DoctorReport(MachineFacts.readme.diagnoses).text()))
  }

  @Test func theFactsAreListed() throws {
    let rows = MeasuredFact.table.map { "| \($0.sentence) | `\($0.suite)` |" }
    let head = [
      "| fact, measured with Swift \(MeasuredFact.toolchain) | tested by |", "| --- | --- |",
    ]
    try check("facts", in: "CONTRIBUTING.md", (head + rows).joined(separator: "\n"))
  }

  @Test func everyFactHasItsTest() throws {
    let tests = Checkout.root.appending(path: "Tests")
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    var sources = ""
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      sources += try String(contentsOf: file, encoding: .utf8)
    }
    for fact in MeasuredFact.table {
      #expect(sources.contains("struct \(fact.suite) "), "\(fact.sentence)")
    }
  }

  @Test(arguments: FindingKind.allCases) func aKindHasItsPage(_ kind: FindingKind) throws {
    let page = KindPages.page(of: kind)
    let document = KindPages.document(of: kind)
    let found = try GeneratedBlock.document(document, wanted: page)
    #expect(found == page, "\(document): \(GeneratedBlock.advice)")
  }

  @Test func theDocumentationListsTheKinds() throws {
    try check("kinds", in: "\(KindPages.folder)/Threadmill.md", KindPages.index)
  }

  /// Every page is reached, and every link of a page or another document leads somewhere.
  @Test func theDocumentationCanBeBuilt() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let result = try await Self.script("docs", directory.file("site"))
    #expect(result.outcome == .exited(0), "\(result.standardOutput)\(result.standardError)")
    for page in ["documentation/threadmill", "documentation/threadmill/gettingstarted"] {
      let file = directory.file("site/\(page)/index.html")
      #expect(FileManager.default.fileExists(atPath: file.path), "\(page)")
    }
    let front = try String(contentsOf: directory.file("site/index.html"), encoding: .utf8)
    #expect(front.contains("documentation/threadmill/"))
  }

  @Test func aFolderOfOtherFilesIsNoSite() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    try Data("mine".utf8).write(to: directory.file("thesis.txt"))
    #expect(try await Self.script("docs", directory.url).outcome == .exited(2))
    #expect(try Data(contentsOf: directory.file("thesis.txt")) == Data("mine".utf8))
  }

  /// Of the links of a document, the dead ones are named with their lines.
  @Test func deadLinksAreNamed() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let page = """
      # One page: its links

      Alive: [here](#one-page-its-links), [there](other.md#a-b), [file](data/x.csv), [web](https://a.b).
      Dead: [gone](gone.md), and [no heading](other.md#c).
      `[code](gone.md)` is no link. [Out](../README.md)

      ```
      [code](gone.md)
      ```

      [reference]: gone.csv
      """
    try FileManager.default.createDirectory(
      at: directory.file("data"), withIntermediateDirectories: true)
    let files = ["page.md": page, "other.md": "## `A` *b*\n", "data/x.csv": ""]
    for (name, text) in files { try Data(text.utf8).write(to: directory.file(name)) }
    let result = try await Self.script("lib/links", directory.url)
    #expect(result.outcome == .exited(1))
    #expect(
      result.standardError.split(separator: "\n") == [
        "page.md:4: gone.md: there is no gone.md",
        "page.md:4: other.md#c: other.md has no such heading",
        "page.md:5: ../README.md: leads out of the repository",
        "page.md:11: gone.csv: there is no gone.csv",
      ])
  }

  @Test func theVersionIsThatOfTheChangelog() throws {
    let newest = try changelog("## ").dropFirst().first
    let match = newest?.wholeMatch(of: #/\[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d/#)
    #expect(match?.1 == Tool.version[...])
  }

  /// The sections that a new entry goes to are there, before the first version.
  @Test func theChangelogHasAPlaceForWhatIsNew() throws {
    #expect(try changelog("## ").first == "[Unreleased]")
    #expect(try changelog("### ").prefix(3) == ["Added", "Changed", "Fixed"])
  }

  /// One screen and a half: what is more goes to the documentation.
  @Test func theReadmeIsShort() throws {
    let file = Checkout.root.appending(path: "README.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 150)
  }

  private static let commandLine = "\(KindPages.folder)/CommandLine.md"

  /// Runs a script of ours, which takes a folder.
  private static func script(_ name: String, _ folder: URL) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: Checkout.root.appending(path: "scripts/\(name)").path, arguments: [folder.path],
      environment: ProcessInfo.processInfo.environment, limit: 120)
    return try await Slots.children.occupy { try await child.run() }
  }

  /// Returns the headings of the changelog that begin with `mark`, without it.
  private func changelog(_ mark: String) throws -> [String] {
    let file = Checkout.root.appending(path: "CHANGELOG.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix(mark) }.map {
      String($0.dropFirst(mark.count))
    }
  }

  private func fenced(_ text: String) -> String {
    "```\n\(text.trimmingCharacters(in: .newlines))\n```"
  }

  private func check(_ name: String, in document: String, _ wanted: String) throws {
    let found = try GeneratedBlock.text(name, in: document, wanted: wanted)
    #expect(found == wanted, "\(document): \(GeneratedBlock.advice)")
  }
}
