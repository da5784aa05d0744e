import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// The program that runs two others in turns, for `scripts/campaigns/suite-bench`.
@Suite struct TurnsTests {
  private func takeTurns(_ arguments: [String]) async throws -> ChildProcess.Result {
    try await ChildProcess(
      executable: Program.named("threadmill-bench-turns").path, arguments: arguments,
      environment: Program.environment(options: nil), limit: Program.limit
    ).run()
  }

  /// Both programs run to their ends, however many turns that takes, and have their lines in the
  /// order of their names. A program that counts far takes more of the processor than one that does
  /// nothing.
  @Test(arguments: [["/bin/sh", "/bin/true"], ["/bin/true", "/bin/sh"]])
  func bothAreRunToTheirEnds(_ programs: [String]) async throws {
    let loop = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
    let result = try await takeTurns(["1"] + programs + ["-c", loop])
    #expect(result.outcome == .exited(0), "\(result.standardError)")
    let lines = result.standardOutput.split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Double($0) }
    }
    #expect(lines.map(\.count) == [2, 2])
    #expect((lines[0][1] > lines[1][1]) == (programs[0] == "/bin/sh"), "\(lines)")
  }

  @Test func aProgramThatFailsIsNamed() async throws {
    let result = try await takeTurns(["20", "/bin/true", "/bin/false"])
    #expect(result.outcome == .exited(1))
    #expect(result.standardError == "threadmill-bench-turns: /bin/false failed: run it by itself\n")
    let missing = try await takeTurns(["20", "/bin/true", "/no/such/program"])
    #expect(missing.outcome == .exited(1))
    #expect(missing.standardError.contains("/no/such/program"))
  }

  @Test(arguments: [["20", "/bin/true"], ["0", "/bin/true", "/bin/true"], []])
  func wrongUsageIsSaid(_ words: [String]) async throws {
    let result = try await takeTurns(words)
    #expect(result.outcome == .exited(2))
    #expect(result.standardError.contains("usage: threadmill-bench-turns MILLISECONDS FIRST"))
  }
}
