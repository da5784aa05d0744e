import Testing
import ThreadmillChildren
import ThreadmillScenarios
import ThreadmillTestSupport

@testable import ThreadmillCommand

/// The real program, as a child.
@Suite struct ScenariosRunTests {
  private func run(_ arguments: String...) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: try Program.named("threadmill").path,
      arguments: ["scenarios", "run"] + arguments,
      environment: Program.environment(options: nil), limit: 120)
    return try await Slots.children.occupy { try await child.run() }
  }

  @Test func findingsAreShownWhereTheProgramRuns() async throws {
    let result = try await run("relock")
    #expect(result.outcome == .exited(ExitStatus.findings.rawValue))
    #expect(result.standardError == "")
    let parts = [
      "relock\n", "\nWhat people write\n", "\nThe flawed program, watched",
      "\n\nerror: Self-deadlock",
      "\n  It hung, and was stopped after ", "Threadmill found: selfDeadlock.", "\nRepair\n",
      "\n--- flawed\n+++ repaired\n@@ ", "\nsource  Scenarios/Deadlocks/Relock.swift\n",
    ]
    var rest = result.standardOutput[...]
    for part in parts {
      let found = try #require(rest.firstRange(of: part), "\(part): \(result.standardOutput)")
      rest = rest[found.upperBound...]
    }
  }

  @Test func aRepairedProgramHasNoFindings() async throws {
    let result = try await run("relock", "gate-lock", "--variant", "repaired")
    #expect(result.outcome == .exited(ExitStatus.nothingFound.rawValue))
    let calm = "It came to its end. Threadmill found nothing."
    #expect(result.standardOutput.ranges(of: calm).count == 2)
    #expect(result.standardOutput.contains("\nThe repaired program, watched"))
    #expect(result.standardOutput.contains("\n\n\ngate-lock\n"))
    #expect(result.standardOutput.contains("\nThe correct program, watched"))
  }

  @Test(
    arguments: [
      (["relock", "hamer-and-saw"], "\"hamer-and-saw\"; nearest: hammer-and-saw;"),
      (["relock", "--variant", "harmful"], "relock has no variant harmful; allowed: flawed, rep"),
      (
        ["relock", "--variant", "fixed"], "--variant \"fixed\" is not valid; allowed: flawed, harm"
      ),
      ([], "something is missing at the end; allowed: ID…"),
    ])
  func whatIsWrongIsNamedBeforeAnythingRuns(_ arguments: [String], _ words: String) throws {
    let said = Words()
    let status = Tool.run(["scenarios", "run"] + arguments, console: said.console)
    #expect(status == .wrongUsage)
    #expect(said.output == "")
    #expect(said.complaints.contains(words), "\(said.complaints)")
    #expect(said.complaints.hasSuffix("\nsee: threadmill scenarios run --help\n"))
  }

  @Test(
    arguments: [
      ("hammer-and-sickle", ["hammer-and-saw"]), ("gatelock", ["gate-lock"]),
      ("main-sync", ["main-sync-from-main"]),
    ])
  func nearOnesAreSuggested(_ word: String, _ near: [String]) {
    #expect(Scenario.near(word).prefix(near.count) == near[...])
    #expect(Scenario.near("queue").count == 3)
    #expect(Scenario.near("zzzzzzzzzzzzzzzzzzzzzzzzz").count == 1)
  }
}

/// Keeps what a command says.
private final class Words: @unchecked Sendable {
  // Commands say what they say on the thread that runs them, here the test's.
  private(set) var output = ""
  private(set) var complaints = ""

  var console: Console {
    Console(isColoured: false, say: { self.output += $0 }, complain: { self.complaints += $0 })
  }
}
