import Testing
import ThreadmillModel

/// What one process says of a cycle of locks and of its deadlock, as it is read from a file.
@Suite struct DeadlockReportTests {
  /// Each thread holds one lock, and waits for the next one; lines tell places apart.
  private func finding(
    _ kind: Finding.Kind, _ status: Finding.Status, locks: [UInt64], lines: [Int],
    waiting: [Int?], tests: [String]
  ) -> Finding {
    func frames(_ line: Int?) -> Backtrace {
      line.map { [Frame(address: 0, function: "transfer", file: "/Bank.swift", line: $0)] } ?? []
    }
    var participants: [Finding.Participant] = []
    for (index, lock) in locks.enumerated() {
      let next = (index + 1) % locks.count
      participants.append(
        .init(
          thread: ThreadID(UInt32(index)), role: "waits", frames: frames(waiting[index]),
          holds: [.init(object: LockID(lock), frames: frames(lines[index]))],
          wants: LockID(locks[next])))
    }
    return Finding(
      kind: kind, status: status, title: "\(kind)", participants: participants, tests: tests)
  }

  private func told(_ cycle: Finding, _ deadlock: Finding) -> [Finding] {
    Report(findings: [deadlock, cycle], run: .init(id: "")).withoutCyclesOfDeadlocks.findings
  }

  private var cycle: Finding {
    finding(
      .lockOrderCycle, .potential, locks: [1, 2], lines: [10, 20], waiting: [11, 21], tests: ["a"])
  }

  /// The threads come in any order, and one may have no stack of where it waits.
  @Test func aDeadlockCarriesItsCycle() {
    let same = finding(
      .deadlock, .observed, locks: [2, 1], lines: [20, 10], waiting: [21, nil], tests: ["b"])
    var expected = same
    expected.tests = ["a", "b"]
    #expect(told(cycle, same) == [expected])
  }

  /// Another mistake with the same locks is told; so is a deadlock that only may be one.
  @Test func aCycleAtOtherPlacesStays() {
    let others = [
      finding(
        .deadlock, .observed, locks: [1, 2], lines: [10, 30], waiting: [11, 21], tests: []),
      finding(
        .deadlock, .observed, locks: [1, 2], lines: [10, 20], waiting: [11, 31], tests: []),
      finding(
        .deadlock, .observed, locks: [1, 3], lines: [10, 20], waiting: [11, 21], tests: []),
      finding(
        .deadlock, .observed, locks: [1, 2, 3], lines: [10, 20, 5], waiting: [11, 21, 6], tests: []),
      finding(
        .deadlock, .filtered, locks: [1, 2], lines: [10, 20], waiting: [11, 21], tests: []),
      finding(.hang, .observed, locks: [1, 2], lines: [10, 20], waiting: [11, 21], tests: []),
    ]
    for other in others { #expect(told(cycle, other) == [other, cycle]) }
  }

  private func told(_ follower: Finding, beside deadlock: Finding) -> [Finding] {
    Report(findings: [deadlock, follower], run: .init(id: "")).withoutConsequencesOfDeadlocks
      .findings
  }

  private var deadlock: Finding {
    finding(
      .deadlock, .observed, locks: [1, 2], lines: [10, 20], waiting: [11, 21], tests: ["a"])
  }

  /// The deadlock tells the tests and the facts of such a finding.
  @Test(arguments: [Finding.Kind.hang, .poolStarvation])
  func aDeadlockCarriesWhatFollows(kind: Finding.Kind) {
    var follower = deadlock
    (follower.kind, follower.tests, follower.facts) = (kind, ["b"], [.init("task 5 waits")])
    var expected = deadlock
    (expected.tests, expected.facts) = (["a", "b"], follower.facts)
    #expect(told(follower, beside: deadlock) == [expected])
    #expect(told(follower, beside: follower) == [follower, follower])
  }

  /// A thread more, another lock or another place may be another mistake; so may tasks alone.
  @Test(arguments: [Finding.Kind.hang, .poolStarvation])
  func whatOthersDoStays(kind: Finding.Kind) {
    let others = [
      finding(
        kind, .observed, locks: [1, 2, 3], lines: [10, 20, 30], waiting: [11, 21, 31], tests: []),
      finding(kind, .observed, locks: [1, 3], lines: [10, 20], waiting: [11, 21], tests: []),
      finding(kind, .observed, locks: [1, 2], lines: [10, 20], waiting: [11, 22], tests: []),
      finding(kind, .observed, locks: [], lines: [], waiting: [], tests: ["a"]),
    ]
    for other in others { #expect(told(other, beside: deadlock) == [deadlock, other]) }
    var picture = deadlock
    (picture.kind, picture.severity) = (kind, .warning)
    #expect(told(picture, beside: deadlock) == [deadlock, picture])
  }
}
