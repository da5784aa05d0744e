import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// `threadmill test --confirm`: the tests of potential lock order cycles are explored.
@Suite(
  .serialized, .disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"))
struct ConfirmedTestsTests {
  /// The places of a thread: of what it holds, and of what it waits for.
  private struct Places: Hashable {
    var held: [String]
    var waits: String

    init(_ participant: ReportFile.Participant) {
      held = participant.holds.map { Self.name(of: $0.frames) }
      waits = Self.name(of: participant.frames)
    }

    init(held: [String], waits: String) { (self.held, self.waits) = (held, waits) }

    private static func name(of frames: [ReportFile.Frame]) -> String {
      frames.firstUserFrame.map { "\($0.function ?? "?") \($0.line ?? 0)" } ?? ""
    }
  }

  private static let up = Places(held: ["Pantry.moveUp() 14"], waits: "Pantry.moveUp() 15")
  private static let down = Places(held: ["Pantry.moveDown() 24"], waits: "Pantry.moveDown() 25")

  private func threadmill(
    _ command: String, _ words: String...
  ) async throws -> (result: ChildProcess.Result, report: ReportFile) {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let result = try await Fixture.stranger.threadmill(command, ["--json", file.path] + words)
    return (result, try #require(try ReportFile(at: file), "\(result.standardError)"))
  }

  private func cycle(of test: String, in report: ReportFile) throws -> ReportFile.Finding {
    let cycles = report.accusations.filter { $0.tests.contains { $0.hasSuffix(test) } }
    #expect(cycles.map(\.kind) == ["lockOrderCycle"])
    let cycle = try #require(cycles.first)
    #expect(cycle.tests.count == 1)
    #expect(cycle.objects.map(\.kind) == ["mutex", "mutex"])
    #expect(Set(cycle.participants.map(Places.init)) == [Self.up, Self.down])
    return cycle
  }

  /// A test of each library, whose threads have not met: one finding, with the schedule in which
  /// they do, and that schedule does it again.
  @Test(arguments: ["Meetings/movesAtOnce()", "OldMeetings.testMovesAtOnce"])
  func aCycleIsConfirmedByASchedule(_ test: String) async throws {
    let filter = test.contains("Old") ? "OldMeetings/testMovesAtOnce" : "movesAtOnce"
    let (result, report) = try await threadmill("test", "--confirm", "--filter", filter)
    #expect(result.outcome == .exited(1), "\(result.standardError)")
    #expect(report.accusations.count == 1)
    let cycle = try cycle(of: test, in: report)
    #expect(cycle.status == "confirmed" && cycle.severity == "error" && cycle.count == 1)
    let schedule = try Schedule(parsing: try #require(cycle.schedule))
    let confirmation = try #require(cycle.confirmation)
    #expect(confirmation.tries > 0)
    #expect(
      confirmation.deadlock.map { $0.map(Places.init) } == cycle.participants.map(Places.init))
    let name = try #require(cycle.tests.first)
    #expect(confirmation.test == name)
    #expect(
      cycle.facts?.map(\.text) == [
        "schedule \(confirmation.tries) of \(name) reaches this deadlock"
      ]
    )
    #expect(report.explorations?.map(\.test) == [name])
    // The exploration was led to both second locks.
    let lines = try #require(report.explorations?.first?.towards).map(\.line)
    let names = lines.map { $0.split(separator: "/").last.map(String.init) }
    #expect(Set(names) == ["Shelf.swift:15", "Shelf.swift:25"])
    // Both have their first lock at the end, under the names of the finding.
    let story = try #require(cycle.story)
    let locks = story.steps.suffix(3).filter { $0.operation == "lock" }
    #expect(Set(locks.map(\.column)).count == 2)
    #expect(Set(locks.map(\.object)) == Set(cycle.objects.map { "mutex \($0.id)" }))
    #expect(result.standardOutput.contains("reached in \(confirmation.tries) schedule"))
    #expect(result.standardOutput.hasSuffix(" \(schedule)\n"), "\(result.standardOutput)")

    let again = try await threadmill("replay", name, schedule.description)
    #expect(again.result.outcome == .exited(1), "\(again.result.standardError)")
    let deadlocks = again.report.accusations.filter { $0.schedule != nil }
    #expect(deadlocks.map(\.kind) == ["deadlock"])
    #expect(deadlocks.map { Set($0.participants.map(Places.init)) } == [[Self.up, Self.down]])
    #expect(again.result.standardOutput.hasSuffix("failed under this schedule again\n"))
  }

  /// An exploration that is led to the two second locks reaches the deadlock in the first schedule
  /// in which no step at a line passes.
  @Test func aTestIsLedToLines() async throws {
    let lines = ["Shelf.swift:15", "Pantry/Shelf.swift:25"]
    let (result, report) = try await threadmill(
      "test", "--explore", "--filter", "OldMeetings/testMovesAtOnce", "--towards",
      lines.joined(separator: ","))
    #expect(result.outcome == .exited(1), "\(result.standardError)")
    let deadlocks = report.accusations.filter { $0.schedule != nil }
    #expect(deadlocks.map(\.kind) == ["deadlock"])
    #expect(deadlocks.map { Set($0.participants.map(Places.init)) } == [[Self.up, Self.down]])
    let explored = try #require(report.explorations?.first)
    #expect(explored.schedules <= 8 && explored.towards?.map(\.line) == lines)
  }

  /// A line that the program does not have is no reason to explore in another way.
  @Test func aLineWithoutCodeIsNamed() async throws {
    let result = try await Fixture.stranger.threadmill(
      "test", ["--explore", "--filter", "startsEmpty", "--towards", "Shelf.swift:1"])
    #expect(result.outcome == .exited(2), "\(result.standardError)")
    let words = "it cannot be led to Shelf.swift:1: no code there; the nearest line with code is 4"
    #expect(result.standardOutput.contains(words), "\(result.standardOutput)")
  }

  /// One thread begins when the other has ended, which no order changes and nothing says.
  @Test func aCycleThatCannotDeadlockStaysPotential() async throws {
    let (result, report) = try await threadmill("test", "--confirm", "--filter", "movesBothWays")
    #expect(result.outcome == .exited(1), "\(result.standardError)")
    #expect(report.accusations.count == 1)
    let cycle = try cycle(of: "movesBothWays()", in: report)
    #expect(cycle.status == "potential" && cycle.schedule == nil && cycle.story == nil)
    let name = try #require(cycle.tests.first)
    let count = try #require(report.explorations?.first?.schedules)
    #expect(count > 1)
    #expect(
      cycle.facts?.map(\.text) == [
        "all \(count) schedules of \(name) were tried, and none reached this deadlock"
      ])
    // It was steered in real time as well.
    #expect((cycle.confirmation?.tries ?? 0) > 0 && cycle.confirmation?.deadlock == nil)
  }

  @Test func aTestThatCannotBeExploredSaysWhy() async throws {
    let (result, report) = try await threadmill("test", "--confirm", "--filter", "IsMeasured")
    #expect(result.outcome == .exited(1), "\(result.standardError)")
    #expect(report.accusations.count == 1)
    let cycle = try cycle(of: "testMovesWhileItIsMeasured", in: report)
    #expect(cycle.schedule == nil && cycle.confirmation != nil)
    let name = try #require(cycle.tests.first)
    #expect(cycle.facts?.map(\.text) == ["\(name) was not explored: it measures its speed"])
  }

  /// A task that is resumed under the lock of its cancellation handler: no turnstile sees both
  /// orders, so that the run that is watched has no finding.
  @Test func ordersOfDifferentObjectsAreTriedOut() async throws {
    let watched = try await threadmill("test", "--filter", "admitsOrCancels")
    #expect(watched.result.outcome == .exited(0), "\(watched.result.standardError)")
    #expect(watched.report.findings.isEmpty)
    let candidate = try #require(watched.report.classCandidates?.first)
    #expect(watched.report.classCandidates?.count == 1)
    #expect(Set(candidate.objects.map(\.kind)) == ["mutex", "taskStatusLock"])
    let words = "1 order of locks taken both ways round by different objects"
    #expect(watched.result.standardOutput.contains(words), "\(watched.result.standardOutput)")

    let (result, report) = try await threadmill("test", "--confirm", "--filter", "admitsOrCancels")
    #expect(result.outcome == .exited(1), "\(result.standardError)")
    #expect(report.classCandidates == nil && report.accusations.count == 1)
    let cycle = try #require(report.accusations.first)
    #expect(cycle.kind == "lockOrderCycle" && cycle.status == "confirmed")
    #expect(cycle.fingerprint == candidate.fingerprint)
    let schedule = try Schedule(parsing: try #require(cycle.schedule))
    #expect(result.standardOutput.hasSuffix(" \(schedule)\n"), "\(result.standardOutput)")
    let waits = cycle.participants.map { $0.frames.firstUserFrame?.line }
    #expect(Set(waits) == [42, 44])
  }

  /// Tests that sleep between the two actions that deadlock: in an exploration, time passes while
  /// one of the two is held. In real time 60 ms lie between them.
  @Test(arguments: ["collectsParcels", "readsNewspapers", "readsLetters"])
  func sleepsDoNotKeepTwoActionsApart(_ test: String) async throws {
    let (result, report) = try await threadmill(
      "test", "--jitter", "off", "--confirm", "--filter", "Cancellations/\(test)")
    #expect(result.outcome == .exited(1), "\(result.standardOutput)")
    let cycle = try #require(report.accusations.first)
    #expect(report.accusations.map(\.kind) == ["lockOrderCycle"] && cycle.status == "confirmed")
    #expect(cycle.objects.contains { $0.kind == "taskStatusLock" })
    let schedule = try Schedule(parsing: try #require(cycle.schedule))
    #expect(schedule.forcedSwitches <= 3)

    let name = try #require(cycle.tests.first)
    let again = try await threadmill("replay", name, schedule.description)
    #expect(again.result.outcome == .exited(1), "\(again.result.standardOutput)")
    #expect(again.report.accusations.filter { $0.schedule != nil }.map(\.kind) == ["deadlock"])
    #expect(again.result.standardOutput.hasSuffix("failed under this schedule again\n"))
  }

  /// No schedule makes them meet, so it is a line at the end and no finding.
  @Test func ordersThatNeverMeetAreNoFinding() async throws {
    let (result, report) = try await threadmill("test", "--confirm", "--filter", "movesInTurn")
    #expect(result.outcome == .exited(0), "\(result.standardError)")
    #expect(report.findings.isEmpty)
    let candidate = try #require(report.classCandidates?.first)
    #expect(candidate.schedule == nil && candidate.confirmation?.deadlock == nil)
    let count = try #require(report.explorations?.first?.schedules)
    #expect(candidate.confirmation?.tries == count)
    let name = try #require(candidate.tests.first)
    let line = "  not confirmed: \(candidate.title) ("
    #expect(result.standardOutput.contains(line), "\(result.standardOutput)")
    #expect(candidate.facts?.last?.text.contains("schedules of \(name)") == true)
  }

  @Test func aHierarchyOfOneClassIsNoCandidate() async throws {
    let (result, report) = try await threadmill("test", "--confirm", "--filter", "keepsToAHie")
    #expect(result.outcome == .exited(0), "\(result.standardError)")
    #expect(report.findings.isEmpty && report.classCandidates == nil)
    #expect(report.explorations == nil)
  }

  @Test func withoutACycleNothingIsTriedOut() async throws {
    let (result, report) = try await threadmill("test", "--confirm", "--filter", "startsEmpty")
    #expect(result.outcome == .exited(0), "\(result.standardError)")
    #expect(report.run.processes == 1)
    #expect(report.explorations == nil && report.accounting["exploredTests"] == nil)
  }
}
