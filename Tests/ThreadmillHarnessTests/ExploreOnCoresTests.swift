import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// `threadmill explore` with several processes of the program at the same time.
@Suite(.enabled(if: !isThreadSanitized, "a sanitized library cannot be preloaded"))
struct ExploreOnCoresTests {
  /// A program and a strategy, and what comes of them.
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    var strategy = "portfolio"
    var status: Int32 = 1

    var testDescription: String { (words + [strategy]).joined(separator: " ") }
  }

  static let cases =
    ["lost-update", "filled-twice", "lost-signal", "deadlock", "not-joined"].map {
      Case(words: [$0])
    }
    + ["portfolio", "reads-from", "uniform-random-walk", "pct", "exhaustive"].map {
      Case(words: ["two-changes", "repaired"], strategy: $0, status: 0)
    }
    + [
      Case(words: ["runs-once"], status: 0),
      Case(words: ["two-changes"], strategy: "reads-from", status: 0),
      Case(words: ["two-changes"], strategy: "pct"),
    ]

  /// Everything that is said and written, but for what differs from run to run.
  @Test(arguments: cases)
  func theNumberOfCoresChangesNothing(_ expected: Case) async throws {
    let alone = try await explore(expected, cores: 1)
    #expect(alone.status == .exited(expected.status), "\(alone.said)")
    for cores in [2, 4] {
      let together = try await explore(expected, cores: cores)
      #expect(together.status == alone.status)
      #expect(together.said == alone.said)
      #expect(together.exploration == alone.exploration)
      #expect(together.schedules == alone.schedules)
      #expect(together.stories == alone.stories)
    }
  }

  /// A failure that comes only of another process at the same time is none.
  @Test func processesThatDisturbEachOtherRunOneAfterTheOther() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let child = try await ExploreCommand.run(
      ["--cores", "4", "--schedules", "200", "--", program(), "owns-file"]
        + [directory.file("owned").path], in: directory)
    #expect(child.outcome == .exited(0), "\(child.standardError)")
    let words =
      "threadmill: processes of the program disturb each other, so only one runs at a time\n"
    #expect(child.standardError.contains(words), "\(child.standardError)")
  }

  @Test(arguments: [1, 3])
  func eachProcessHasAnEmptyFolderForItsFiles(_ cores: Int) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let folder = directory.file("temporary")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let child = try await ExploreCommand.run(
      ["--cores", "\(cores)", "--schedules", "60", "--", program(), "leaves-folder"],
      in: directory, environment: ["TMPDIR": folder.path])
    #expect(child.outcome == .exited(0), "\(child.standardError)")
    #expect(!child.standardError.contains("disturb"), "\(child.standardError)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  /// Two processes that never end run when the command is asked to end.
  @Test(arguments: ["TERM", "INT", "HUP"])
  func noProcessIsLeftBehind(_ signal: String) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let folder = directory.file("temporary")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let begun = directory.file("begun").path
    // The pipe has an end when the last process that has it open has ended.
    let script = #"""
      mkfifo "$1/held"
      cat "$1/held" & held=$!
      env --default-signal=INT "$0" explore --cores 2 -- "$2" ends-once "$1/begun" 9>"$1/held" &
      tool=$!
      trap "kill -$3 $tool" USR1
      wait $tool
      wait $tool
      status=$?
      wait $held
      exit $status
      """#
    let tool = try Program.named("threadmill").path
    let child = ChildProcess(
      executable: "/bin/sh",
      arguments: ["-c", script, tool, directory.url.path, try program(), signal],
      environment: Program.environment(options: nil).merging(["TMPDIR": folder.path]) { $1 },
      limit: Program.limit)
    let result = try await Slots.children.occupy {
      try await child.run(
        stop: .asked(by: SIGUSR1) { _ in
          FileManager.default.contents(atPath: begun)?.count == 3
        })
    }
    let numbers = ["TERM": SIGTERM, "INT": SIGINT, "HUP": SIGHUP]
    #expect(result.outcome == .exited(128 + (numbers[signal] ?? 0)), "\(result.standardError)")
    #expect(
      result.standardError.contains("threadmill explore: interrupted, so this is no result\n"),
      "\(result.standardError)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  private func program() throws -> String { try Program.named("harness-launches-c").path }

  /// The result of an exploration, without all that differs from run to run.
  private struct Result {
    var status: ChildProcess.Outcome
    var said: String
    var exploration: ReportFile.Exploration?
    var schedules: [String?]
    var stories: [ReportFile.Story?]
  }

  private func explore(_ expected: Case, cores: Int) async throws -> Result {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let switches = [
      "--cores", "\(cores)", "--seed", "7", "--strategy", expected.strategy, "--schedules", "120",
      "--json", file.path,
    ]
    let child = try await ExploreCommand.run(
      switches + ["--", program()] + expected.words, in: directory)
    let report = try #require(try ReportFile(at: file))
    return Result(
      status: child.outcome,
      said: child.standardError.replacing(directory.url.path, with: "")
        .replacing("--cores \(cores) ", with: ""),
      exploration: report.explorations?.first,
      schedules: report.accusations.map(\.schedule), stories: report.accusations.map(\.story))
  }
}
