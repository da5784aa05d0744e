import Testing
import ThreadmillTestSupport

/// Waits between two pieces of work for which somebody chose a quality of service, and between
/// others.
///
/// Every wait lasts far longer than the limit; what differs is who waits for whom, over what.
@Suite struct PriorityTests {
  /// The kind of what is waited for.
  static let inverted: [(name: String, object: String)] = [
    ("lock", "mutex"), ("lock-utility", "mutex"), ("lock-on-threads", "mutex"),
    ("swift-mutex", "synchronizationMutex"), ("item-on-plain-queue", "mutex"),
    ("enforced-item", "mutex"), ("item-keeps-queue-quality", "mutex"), ("target-queue", "mutex"),
    ("group", "group"), ("group-left", "group"),
    ("work-item", "workItem"), ("submitted-signal", "semaphore"), ("signal-in-time", "semaphore"),
    ("operation", "operation"), ("urgent-operation", "mutex"), ("task", "mutex"),
  ]

  static let innocent = [
    "equal", "inherited", "not-enforced", "passed-on", "higher", "nobody-chose", "holder-unknown",
    "waiter-unknown",
    "interactive-and-initiated", "main-waits", "default-pool", "plain-operation", "plain-task",
    "default-thread", "idle-consumer", "idle-worker", "throttle", "cancelled-backlog",
    "no-backlog",
  ]

  static let crowded = ["utility-before-background", "background-before-utility"]

  static let hardlyHeld = ["unlocked-by-another", "slot-of-earlier-block", "reader-behind-writer"]

  @Test func everyCaseIsTested() async throws {
    let run = try await Watched(program: "harness-priorities", arguments: ["list"]).run()
    let names = run.child.standardOutput.split(separator: "\n").map(String.init)
    #expect(names == Self.inverted.map(\.name) + Self.crowded + Self.innocent + Self.hardlyHeld)
  }

  /// One of them sleeps in a task, which is worth a word of its own.
  @Test(arguments: inverted) func bothSidesAreTold(_ name: String, _ object: String) async throws {
    let run = try await Watched(
      program: "harness-priorities", arguments: [name], options: "without=poolStarvation"
    ).run()
    #expect(run.child.outcome == .exited(0), "a warning does not change the status")
    let findings = try #require(run.report).accusations
    #expect(findings.map(\.kind) == ["priorityInversion"])
    let finding = try #require(findings.first)
    #expect(finding.severity == "warning")
    #expect(finding.objects.first?.kind == object)
    #expect(finding.participants.count == 2)
    #expect(finding.participants.first?.frames.firstUserFrame != nil)
  }

  /// One of them unlocks a mutex of another thread, which is a misuse of its own.
  @Test(arguments: innocent + hardlyHeld) func nobodyIsAccused(_ name: String) async throws {
    let run = try await Watched(
      program: "harness-priorities", arguments: [name], options: "without=lockMisuse"
    ).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }

  /// Of two who keep the urgent one out, the one of lower quality is to blame.
  @Test(arguments: crowded) func theLowestIsNamed(_ name: String) async throws {
    let run = try await Watched(program: "harness-priorities", arguments: [name]).run()
    let findings = try #require(run.report).accusations
    #expect(
      findings.map(\.title) == [
        "Priority inversion: user-initiated or higher work waits for concurrent queue \"store\", "
          + "which runs background work"
      ])
  }

  /// The stack of a block goes on where it was submitted.
  @Test func whereItWasSubmitted() async throws {
    let run = try await Watched(program: "harness-priorities", arguments: ["lock"]).run()
    let finding = try #require(run.report?.accusations.first)
    let places = finding.participants.map { $0.submitted?.firstUserFrame?.function }
    #expect(places == ["Meeting.run(at:_:)", "Meeting.run(at:_:)"])
  }

  /// Below the limit it is a note, which only the report file has.
  @Test func aShortWaitIsANote() async throws {
    let options = "inversionlimit=3600000"
    let run = try await Watched(
      program: "harness-priorities", arguments: ["lock"], options: options
    ).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(try #require(run.report).accusations.map(\.severity) == ["note"])
  }

  /// A queue is there to be synced onto; below the limit that is worth nothing at all.
  @Test func aShortSyncIsNothing() async throws {
    let run = try await Watched.scenario(
      "queue-inversion", "flawed", options: "inversionlimit=3600000"
    ).run()
    #expect(run.child.outcome == .exited(0))
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }
}
