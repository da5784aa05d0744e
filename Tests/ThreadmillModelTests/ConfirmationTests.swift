import Testing

@testable import ThreadmillModel

/// A cycle after another run has deadlocked in it.
@Suite struct ConfirmationTests {
  private func thread(
    _ number: UInt32, role: String, holds: [UInt64], wants: UInt64
  ) -> Finding.Participant {
    Finding.Participant(
      thread: ThreadID(number), role: role, frames: [Frame(address: UInt64(number))],
      holds: holds.map { .init(object: LockID($0)) }, wants: LockID(wants))
  }

  /// The other run counts its locks differently, and 2 is another one there.
  @Test func itsLocksHaveTheCyclesNames() {
    let cycle = Finding(
      kind: .lockOrderCycle, status: .potential, title: "t",
      participants: [
        thread(1, role: "holds mutex L1 and takes mutex L2", holds: [1], wants: 2),
        thread(2, role: "holds mutex L2 and takes mutex L1", holds: [2], wants: 1),
      ],
      objects: [1, 2].map { SharedObject(id: LockID($0), kind: .mutex) }, tests: ["a"], count: 3)
    let confirmed = cycle.confirmed(
      by: [
        thread(5, role: "holds mutex L4 and waits for mutex L7", holds: [2, 4], wants: 7),
        thread(3, role: "holds mutex L7 and waits for mutex L4", holds: [7], wants: 4),
      ], tries: 4, seed: 42)
    var expected = cycle
    expected.status = .confirmed
    expected.seed = 42
    expected.confirmation = .init(
      tries: 4,
      deadlock: [
        thread(5, role: "holds mutex L1 and waits for mutex L2", holds: [1], wants: 2),
        thread(3, role: "holds mutex L2 and waits for mutex L1", holds: [2], wants: 1),
      ])
    #expect(confirmed == expected)
    #expect(confirmed.fingerprint == cycle.fingerprint)
  }
}
