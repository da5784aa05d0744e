import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A report that cannot be written is an error, and costs neither the findings nor anybody's file.
@Suite struct ReportPathTests {
  private static let program = Watched.scenario("hammer-and-saw", "flawed")

  /// Texts that are not a report: not JSON, other JSON, JSON that looks like one, half a report.
  static let foreign = [
    "let shed = ToolShed()\n", "{}\n", "[1, 2]\n", #"{"pins": [], "version": 3}"#,
    #"{"version": 1, "findings": 7, "run": {}}"#, #"{"version": 1, "findings": [{"kin"#,
  ]

  @Test func aFolderThatIsNotThere() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.url.appending(path: "no/such/folder/report.json")
    try check(try await Self.program.run(report: file), names: file)
  }

  @Test func aFolderInItsPlace() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    try check(try await Self.program.run(report: directory.url), names: directory.url)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [])
  }

  @Test(arguments: foreign) func somebodyElsesFile(_ text: String) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("Package.resolved")
    try text.write(to: file, atomically: false, encoding: .utf8)
    let before = try FileManager.default.attributesOfItem(atPath: file.path)
    try check(try await Self.program.run(report: file), names: file)
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
    let after = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
    #expect(after[.modificationDate] as? Date == before[.modificationDate] as? Date)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(names == ["Package.resolved"])
  }

  @Test func aLinkIsNotFollowed() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (link, target) = (directory.file("report.json"), directory.file("target"))
    try "".write(to: target, atomically: false, encoding: .utf8)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    try check(try await Self.program.run(report: link), names: link)
    #expect(try Data(contentsOf: target).isEmpty)
  }

  /// A program without a mistake of its own fails too: its run was to have a report.
  @Test func aCleanProgramFailsToo() async throws {
    let file = URL(filePath: "/nowhere/report.json")
    let result = try await Watched.scenario("hammer-and-saw", "repaired").run(report: file)
    #expect(result.outcome == .exited(1))
    #expect(result.standardError.split(separator: "\n").count == 1)
    #expect(result.standardError.contains(file.path))
  }

  /// A relative path means the folder in which the program was started, wherever it went since.
  @Test func aRelativePath() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var child = try Self.program.child(options: "report=report.json")
    child.arguments = ["-C", directory.url.path, child.executable] + child.arguments
    child.executable = "/usr/bin/env"
    #expect(try await child.run().outcome == .exited(1))
    let report = try #require(try ReportFile(at: directory.file("report.json")))
    #expect(report.kinds == ["lockOrderCycle"])
  }

  private func check(_ result: ChildProcess.Result, names file: URL) throws {
    #expect(result.outcome == .exited(1))
    #expect(result.standardOutput == "")
    let errors = result.standardError.split(separator: "\n").filter {
      $0.hasPrefix("threadmill: ")
    }
    try #require(errors.count == 1)
    #expect(errors[0].contains(file.path))
    for words in ["Lock order cycle", "frameWall", "cutRafter"] {
      #expect(result.standardError.contains(words))
    }
  }
}
