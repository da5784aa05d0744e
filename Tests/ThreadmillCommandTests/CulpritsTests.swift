import Testing
import ThreadmillModel
import ThreadmillScenarios

@testable import ThreadmillCommand

/// A finding of the right kind that accuses the wrong functions, or the wrong objects, is wrong.
@Suite struct CulpritsTests {
  private static let file = "/somewhere/MutualQueueSync.swift"

  /// What the scenario `mutual-queue-sync` leads to.
  private static let right: Finding = {
    let (ledger, journal) = (LockID(1), LockID(2))
    return Finding(
      kind: .deadlock, status: .observed, title: "",
      participants: [
        participant("Journal.note(_:)", holds: ledger, wants: journal),
        participant("Ledger.currentBalance.getter", holds: journal, wants: ledger),
      ],
      objects: [
        SharedObject(id: ledger, kind: .serialQueue, label: "ledger"),
        SharedObject(id: journal, kind: .serialQueue, label: "journal"),
      ])
  }()

  private static func participant(
    _ function: String, holds: LockID, wants: LockID
  ) -> Finding.Participant {
    Finding.Participant(
      thread: ThreadID(1), role: "",
      frames: [
        Frame(address: 1, function: "closure of a library", file: "/elsewhere/Library.swift"),
        Frame(address: 2, function: function, file: file),
      ],
      holds: [Finding.HeldObject(object: holds)], wants: wants)
  }

  private func problem(_ change: (inout Finding) -> Void) throws -> String? {
    var finding = Self.right
    change(&finding)
    let scenario = try #require(Scenario.named("mutual-queue-sync"))
    return Culprits.problem(with: finding, in: scenario)
  }

  @Test func theRightOnesAreAccused() throws {
    #expect(try problem { _ in } == nil)
  }

  @Test func anotherFunctionIsWrong() throws {
    let said = try problem { $0.participants[0].frames[1].function = "Journal.read()" }
    #expect(
      said == """
        deadlock must accuse ["Journal.note(_:) → serialQueue journal", \
        "Ledger.currentBalance.getter → serialQueue ledger"], \
        but accuses ["Journal.read() → serialQueue journal", \
        "Ledger.currentBalance.getter → serialQueue ledger"]
        """)
  }

  @Test func anotherObjectIsWrong() throws {
    #expect(try problem { $0.objects[0].label = "main" } != nil)
    #expect(try problem { $0.objects[0].kind = .concurrentQueue } != nil)
  }

  @Test func oneOfTwoIsTooFew() throws {
    #expect(try problem { $0.participants.removeLast() } != nil)
  }

  @Test func whatIsWantedIsHeldByAnother() throws {
    #expect(
      try problem { $0.participants[1].holds = [] }
        == "the participants of deadlock do not hold what the others want")
  }

  /// A kind that may come besides, but need not, has no culprits.
  @Test func whatNeedNotBeFoundNamesNobody() throws {
    #expect(
      try problem {
        $0.kind = .hang
        $0.participants = []
      } == nil)
  }

  /// The verdict of a run is that of its kinds and of its culprits, in each mode.
  @Test(arguments: [Trial.Mode.observe, .tsan, .jitter, .explore])
  func aRunIsJudgedByItsCulprits(_ mode: Trial.Mode) throws {
    let scenario = try #require(Scenario.named("mutual-queue-sync"))
    let trial = try #require(Trial.all([scenario], in: [mode]).first { $0.variant == .harmful })
    var wrong = Self.right
    wrong.participants[0].frames = []
    let problems = [Self.right, wrong].map { finding in
      let seen = Sighting(ending: .exited(1), kinds: ["deadlock"], accusations: [finding])
      return trial.problem(seen, isSanitized: false)
    }
    #expect(problems[0] == nil)
    #expect(problems[1] != nil)
  }
}
