import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// `threadmill test`, from its switches to its exit status.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct TestProgramTests {
  private static let fixture = Fixture.swiftTesting

  @Test func theFirstFindingEndsIt() async throws {
    let result = try await Self.fixture.threadmillTest(
      ["--filter", "mustFindOppositeOrdersOnTwoThreads", "--jitter", "light", "--repeat", "3"],
      options: "seed=7")
    #expect(result.outcome == .exited(1))
    #expect(result.standardError.hasSuffix("\ntest: 1 of 3, 1 failed\n"))
    let text = result.standardOutput
    #expect(text.contains("\n  1 of 1  20.7% to 100.0%  first: run 1, light, seed 7  Lock order "))
    #expect(
      text.contains(
        "Threadmill: 1 run, 1 failed; stopped at the first failure, --until end goes on\n"))
    // What the seed repeats is told in numbers.
    #expect(text.contains("Threadmill: with the same seed, 5 of 5 further runs failed\n"))
    let fingerprint = try #require(text.firstMatch(of: #/fingerprint +(\w+)/#)?.output.1)
    let last = try #require(text.split(separator: "\n").last)
    #expect(last.hasPrefix("To repeat: threadmill test --package-path "))
    #expect(last.hasSuffix(" --jitter light --seed 7"))

    // The last line does what it says.
    let again = try await shell(String(last.dropFirst("To repeat: ".count)))
    #expect(again.outcome == .exited(1))
    #expect(again.standardOutput.contains("fingerprint  \(fingerprint)\n"))
    #expect(again.standardOutput.split(separator: "\n").last == last)
  }

  @Test func untilTheEndAllAreCounted() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let result = try await Self.fixture.threadmillTest(
      [
        "--filter", "mustFindOppositeOrdersOnTwoThreads", "--jitter", "light", "--repeat", "2",
        "--until", "end", "--seed", "7",
      ], options: "report=\(file.path)")
    #expect(result.outcome == .exited(1))
    #expect(result.standardOutput.contains("\n  2 of 2  34.2% to 100.0%  first: run 1, light, "))
    #expect(result.standardOutput.contains("Threadmill: 2 runs, 2 failed\n"))
    let report = try #require(try ReportFile(at: file))
    #expect(report.accusations.map(\.count) == [2])
    #expect(report.accusations.map(\.seed) == [7])
    // The finding is why the test fails; nothing has to be told beside it.
    #expect(!result.standardOutput.contains("failed: SwiftTestingUserTests."))
  }

  @Test func withoutAFindingNothingIsWrong() async throws {
    let result = try await Self.fixture.threadmillTest(
      ["--filter", "mustStaySilentWithOneThread", "--repeat", "2"])
    #expect(result.outcome == .exited(0), "\(result.standardOutput)")
    // One thread takes both orders: a note, which fails nothing.
    #expect(result.standardOutput.hasPrefix("note: Lock order cycle in one thread: "))
    #expect(result.standardOutput.hasSuffix("Threadmill: 2 runs, 0 failed\n"))
    // Nobody said which: a portfolio, which begins with these.
    for policy in ["heavy", "priority"] {
      let line = try Regex("\n  \(policy) +1 run ")
      #expect(result.standardOutput.contains(line))
    }
  }

  private func shell(_ command: String) async throws -> ChildProcess.Result {
    var environment = Program.environment(options: nil)
    environment["PATH"] = "\(try Program.folder.path):\(environment["PATH", default: ""])"
    let child = ChildProcess(
      executable: "/bin/sh", arguments: ["-c", command], environment: environment, limit: 600)
    return try await Self.fixture.occupy { try await child.run() }
  }
}
