import Testing
import ThreadmillTestSupport

/// Locks that are used against their rules are told with both places; uses that only look so are
/// not.
@Suite struct LockMisuseTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var program = "harness-plain-locks"
    var name: String
    var severity: String
    var lock = "mutex"
    /// The function that misuses the lock.
    var function: String
    /// The function at the other place.
    var other: String?

    var testDescription: String { name }
  }

  static let wrong = [
    Case(name: "unlocked-unheld", severity: "error", function: "unlocked_unheld"),
    Case(name: "unlocked-twice", severity: "error", function: "unlocked_twice"),
    Case(
      name: "read-write-unlocked-unheld", severity: "error", lock: "readWriteLock",
      function: "read_write_unlocked_unheld"),
    Case(
      name: "unlocked-elsewhere", severity: "warning", function: "unlock_mutex",
      other: "unlocked_elsewhere"),
    Case(
      name: "write-lock-unlocked-elsewhere", severity: "warning", lock: "readWriteLock",
      function: "unlock_rwlock", other: "write_lock_unlocked_elsewhere"),
    Case(
      name: "destroyed-held", severity: "warning", function: "destroyed_held",
      other: "destroyed_held"),
    Case(
      name: "read-write-destroyed-held", severity: "warning", lock: "readWriteLock",
      function: "read_lock_destroyed_held", other: "read_lock_destroyed_held"),
    Case(
      name: "used-destroyed", severity: "error", function: "used_destroyed",
      other: "used_destroyed"),
    Case(name: "awaited-without", severity: "error", function: "wait_a_little"),
    Case(
      name: "awaited-with-two", severity: "error", function: "wait_with_other",
      other: "wait_with_first"),
    Case(
      name: "awaited-destroyed", severity: "error", lock: "semaphore",
      function: "destroy_when_awaited", other: "awaited_destroyed"),
    Case(name: "ended-with", severity: "warning", function: "lock_and_end"),
    Case(
      program: "harness-objects", name: "lock-freed-held", severity: "warning",
      function: "freeHeldLock()", other: "freeHeldLock()"),
    Case(
      program: "harness-objects", name: "condition-without-lock", severity: "error",
      function: "waitWithoutLock()"),
  ]

  @Test(arguments: wrong) func isToldWithBothPlaces(_ sample: Case) async throws {
    let run = try await Watched(program: sample.program, arguments: [sample.name]).run()
    #expect(run.child.outcome == .exited(sample.severity == "error" ? 1 : 0))
    let accusations = try #require(run.report).accusations
    try #require(accusations.map(\.kind) == ["lockMisuse"])
    let finding = accusations[0]
    #expect(finding.status == "observed")
    #expect(finding.severity == sample.severity)
    #expect(finding.objects.first?.kind == sample.lock)
    try #require(finding.participants.count == 1)
    let actor = finding.participants[0]
    let frames = actor.frames.isEmpty ? actor.holds.first?.frames ?? [] : actor.frames
    #expect(frames.firstUserFrame?.function == sample.function)
    let facts = (finding.facts ?? []).map { $0.frames?.firstUserFrame?.function }
    #expect(facts == [sample.other].compactMap(\.self))
  }

  @Test(arguments: [
    "answered-by-an-error", "contended", "made-again", "destroyed-after-the-wait",
    "awaited-in-turn", "robust-owner-ended",
  ])
  func whatIsRightIsNotTold(_ name: String) async throws {
    let run = try await Watched(program: "harness-plain-locks", arguments: [name]).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }

  /// A mutex that another thread has released is no lock of its owner's any more, so that the owner
  /// waits for somebody when it takes the mutex again. The release itself stays a misuse.
  @Test func whatOthersReleaseMayBeTakenTwice() async throws {
    let run = try await Watched(
      program: "harness-plain-locks", arguments: ["taken-twice-as-a-turn"]
    ).run()
    #expect(run.child.outcome == .exited(0))
    #expect(Set(try #require(run.report).accusations.map(\.kind)) == ["lockMisuse"])
  }
}
