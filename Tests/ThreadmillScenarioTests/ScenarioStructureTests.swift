import Foundation
import Testing
import ThreadmillScenarios
import ThreadmillTestSupport

/// What every scenario must have before it may say anything about a checker.
@Suite struct ScenarioStructureTests {
  /// Kinds of findings, as in the vocabulary of reports.
  private static let kinds: Set<String> = [
    "dataRace", "lockOrderCycle", "deadlock", "selfDeadlock", "queueReentry", "priorityInversion",
    "poolStarvation", "blockedMainQueue", "unbalancedGroup", "operationCycle", "operationMisuse",
    "semaphoreMisuse", "queueMisuse", "continuationMisuse", "confinementViolation",
    "lockAcrossSuspension", "lateWrite", "hang", "assertionFailure", "crash",
  ]

  @Test func theCatalogueHasEveryRow() {
    #expect(
      Scenario.all.map(\.id) == [
        "broken-confinement", "unowned-setter", "early-notify", "cancelled-leave",
        "sync-on-current-queue", "main-sync-from-main", "sync-through-target", "mutual-queue-sync",
        "hammer-and-saw", "opposite-transfer", "three-lock-ring", "lock-and-queue", "relock",
        "upgrade-read-lock", "cancel-under-lock", "callback-under-lock", "operation-cycle",
        "wait-inside-queue", "never-finished-operation", "missing-signal", "missing-leave",
        "group-wait-on-own-queue", "completion-on-blocked-queue", "lock-across-await",
        "starved-pool", "thread-explosion", "dropped-continuation", "semaphore-inversion",
        "lock-inversion", "queue-inversion", "raised-queue", "unbalanced-leave", "operation-twice",
        "cancel-before-start", "semaphore-freed-in-use", "suspended-release", "resumed-twice",
        "blocked-main", "gate-lock",
        "one-thread-both-orders", "ordered-by-join", "try-lock-backoff", "recursive-relock",
        "reused-address", "contended-mutex", "continuation-handoff", "barrier-work-item",
        "semaphore-as-event", "own-queue-sync", "hand-over-hand", "qos-matched-wait",
      ])
    #expect(Set(Scenario.all.map(\.id)).count == Scenario.all.count)
  }

  @Test(arguments: Scenario.all) func aScenarioHasATwinAndVerdicts(_ scenario: Scenario) throws {
    #expect(Set(scenario.variants).isSuperset(of: [.flawed, .repaired]))
    #expect(Set(scenario.expectations.keys) == Set(scenario.variants))
    for (_, expectation) in scenario.expectations {
      #expect(Set(expectation.verdicts.keys) == Set(Scenario.Mode.allCases))
      for verdict in expectation.verdicts.values {
        #expect(verdict.required.union(verdict.allowed).isSubset(of: Self.kinds))
        #expect(verdict == .silent || !verdict.required.isEmpty)
      }
    }
    let repaired = try #require(scenario.expectations[.repaired])
    #expect(repaired.outcome == .ends)
    #expect(repaired.verdicts.values.allSatisfy { $0 == .silent })
    let flawed = try #require(scenario.expectations[.flawed])
    #expect((flawed == repaired) == (scenario.fault == .silent))
  }

  /// A flaw that does no harm by itself needs a variant in which it does.
  @Test(arguments: Scenario.all) func aFlawDoesHarm(_ scenario: Scenario) {
    guard scenario.fault != .silent else { return }
    let outcomes = scenario.expectations.values.map(\.outcome)
    #expect(outcomes.contains { $0 != .ends })
  }

  @Test(arguments: Scenario.all) func aScenarioTellsItsStory(_ scenario: Scenario) throws {
    #expect(scenario.summary.hasSuffix("."))
    let file = Self.folder.appending(path: scenario.fault.rawValue)
      .appending(path: Self.fileName(of: scenario))
    let story = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("  /// ") }.joined(separator: "\n")
    let parts =
      scenario.fault == .silent
      ? ["What people write", "Why it looks dangerous", "Why it is correct"]
      : ["What people write", "Why it breaks", "How it shows", "Repair"]
    for part in parts { #expect(story.contains("**\(part).** ")) }
  }

  @Test(arguments: Scenario.Fault.allCases) func noFileIsForgotten(_ fault: Scenario.Fault) throws {
    let folder = Self.folder.appending(path: fault.rawValue).path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let registered = Scenario.all.filter { $0.fault == fault }.map(Self.fileName(of:))
    #expect(Set(files) == Set(registered))
  }

  private static let folder = Checkout.root.appending(path: "Scenarios")

  private static func fileName(of scenario: Scenario) -> String {
    scenario.id.split(separator: "-").map(\.capitalized).joined() + ".swift"
  }
}

extension Scenario: CustomTestStringConvertible {
  public var testDescription: String { id }
}
