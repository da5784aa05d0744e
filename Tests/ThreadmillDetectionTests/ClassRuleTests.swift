import Testing
import ThreadmillDetection
import ThreadmillModel

/// Two locks of one class, nested both ways round by one piece of code that only one thread ran
/// yet.
@Suite struct ClassRuleTests {
  /// `transfer` takes its source at 101 and its target at 102; it is called at `line`.
  private func transfer(
    _ source: UInt64, _ target: UInt64, line: UInt64 = 50, time: UInt32, under gate: [Hold] = [],
    in scene: inout Scene
  ) -> [LockOrderGraph.Verdict] {
    scene.strand(
      1, time: time, holds: gate + [.lock(source, at: [101, line, 1])], takes: .lock(target),
      stack: [102, line, 1])
  }

  private func accounts(created: [[UInt64]] = [[7, 8], [7, 8]]) -> Scene {
    Scene([.mutex(1, created: created[0]), .mutex(2, created: created[1]), .mutex(3 as UInt64)])
  }

  @Test func oneThreadTransfersBothWays() {
    var scene = accounts()
    #expect(transfer(1, 2, time: 1, in: &scene) == [])
    let verdicts = transfer(2, 1, time: 2, in: &scene)
    #expect(verdicts.watched == [[1, 2]])
    let expected = Finding(
      kind: .lockOrderCycle, status: .potential, severity: .warning,
      title: "Two locks of one class are nested without a fixed order: mutex L1 and mutex L2",
      participants: [(1, 2), (2, 1)].map { held, wanted in
        Finding.Participant(
          thread: ThreadID(1), role: "holds mutex L\(held) and takes mutex L\(wanted)",
          frames: [102, 50, 1].map { Frame(address: $0) },
          holds: [
            Finding.HeldObject(
              object: LockID(held), frames: [101, 50, 1].map { Frame(address: $0) })
          ],
          wants: LockID(wanted))
      },
      objects: [.mutex(1, created: [7, 8]), .mutex(2, created: [7, 8])])
    #expect(verdicts.findings == [expected])
    #expect(scene.graph.filtered.map(\.reason) == ["one thread only"])
  }

  @Test func callersDoNotMatter() {
    var scene = accounts()
    _ = transfer(1, 2, line: 50, time: 1, in: &scene)
    #expect(transfer(2, 1, line: 60, time: 2, in: &scene).findings.map(\.severity) == [.warning])
  }

  @Test func onceForEachClass() {
    var scene = accounts()
    scene.graph.declare(.mutex(4, created: [7, 8]))
    _ = transfer(1, 2, time: 1, in: &scene)
    #expect(transfer(2, 1, time: 2, in: &scene).findings.count == 1)
    #expect(transfer(2, 1, time: 3, in: &scene).findings == [])
    _ = transfer(1, 4, time: 4, in: &scene)
    #expect(transfer(4, 1, time: 5, in: &scene).findings == [])
  }

  @Test func orderedStrandsWarnToo() {
    var scene = accounts()
    _ = transfer(1, 2, time: 1, in: &scene)
    let verdicts = scene.strand(
      2, knows: [1: 1], holds: [.lock(2, at: [101, 90, 9])], takes: .lock(1), stack: [102, 90, 9])
    #expect(verdicts.findings.map(\.severity) == [.warning])
  }

  @Test func concurrentStrandsAreAnError() {
    var scene = accounts()
    _ = transfer(1, 2, time: 1, in: &scene)
    let verdicts = scene.strand(
      2, holds: [.lock(2, at: [101, 90, 9])], takes: .lock(1), stack: [102, 90, 9])
    #expect(verdicts.findings.map(\.severity) == [.error])
  }

  @Test(arguments: [[[7, 8], [7, 9]], [[7, 8], [7]], [[], []]] as [[[UInt64]]])
  func otherClassesAreSilent(created: [[UInt64]]) {
    var scene = accounts(created: created)
    _ = transfer(1, 2, time: 1, in: &scene)
    let verdicts = transfer(2, 1, time: 2, in: &scene)
    #expect(verdicts.findings == [])
    #expect(verdicts.watched == [[1, 2]])
  }

  @Test func otherCodeIsSilent() {
    var scene = accounts()
    _ = transfer(1, 2, time: 1, in: &scene)
    let verdicts = scene.strand(
      1, time: 2, holds: [.lock(2, at: [201, 50, 1])], takes: .lock(1), stack: [202, 50, 1])
    #expect(verdicts.findings == [])
    #expect(verdicts.watched == [[1, 2]])
  }

  @Test func sameWrapperInOtherCodeIsSilent() {
    var scene = accounts()
    let lock: UInt64 = 900
    _ = scene.strand(
      1, time: 1, holds: [.lock(1, at: [lock, 101, 50])], takes: .lock(2), stack: [lock, 102, 50])
    let other = scene.strand(
      1, time: 2, holds: [.lock(2, at: [lock, 201, 60])], takes: .lock(1), stack: [lock, 202, 60])
    #expect(other.findings == [])
    let same = scene.strand(
      1, time: 3, holds: [.lock(2, at: [lock, 101, 70])], takes: .lock(1), stack: [lock, 102, 70])
    #expect(same.findings.map(\.severity) == [.warning])
  }

  @Test(arguments: [(site: 3, stack: 9), (site: 9, stack: 3)])
  func stacksThatWereCutShort(site: Int, stack: Int) {
    var scene = accounts()
    for (time, line) in [(1, 50), (2, 60)] as [(UInt32, UInt64)] {
      let callers = [line, 5, 4, 3, 2, 1]
      let (held, wanted) = time == 1 ? (1, 2) : (2, 1) as (UInt64, UInt64)
      let verdicts = scene.strand(
        1, time: time, holds: [.lock(held, at: Array(([900, 101] + callers).prefix(site)))],
        takes: .lock(wanted), stack: Array(([900, 102] + callers).prefix(stack)))
      #expect(verdicts.findings.map(\.severity) == (time == 1 ? [] : [.warning]))
    }
  }

  @Test func oneCallInALoopIsItsOwnPlace() {
    var scene = accounts()
    _ = scene.strand(
      1, time: 1, holds: [.lock(1, at: [300, 50])], takes: .lock(2), stack: [300, 50])
    let other = scene.strand(
      1, time: 2, holds: [.lock(2, at: [400, 60])], takes: .lock(1), stack: [400, 60])
    #expect(other.findings == [])
    let same = scene.strand(
      1, time: 3, holds: [.lock(2, at: [300, 50])], takes: .lock(1), stack: [300, 50])
    #expect(same.findings.map(\.severity) == [.warning])
  }

  @Test func earlierPlaceIsNotForgotten() {
    var scene = accounts()
    _ = transfer(1, 2, time: 1, in: &scene)
    _ = scene.strand(
      1, time: 2, holds: [.lock(1, at: [201, 50, 1])], takes: .lock(2), stack: [202, 50, 1])
    #expect(transfer(2, 1, time: 3, in: &scene).findings.map(\.severity) == [.warning])
  }

  @Test func withoutStacksThereIsNoPlace() {
    var scene = accounts()
    _ = scene.strand(1, time: 1, holds: [.lock(1)], takes: .lock(2))
    #expect(scene.strand(1, time: 2, holds: [.lock(2)], takes: .lock(1)).findings == [])
  }

  @Test func gateLockIsNoAccident() {
    var scene = accounts()
    _ = transfer(1, 2, time: 1, under: [.lock(3)], in: &scene)
    #expect(transfer(2, 1, time: 2, under: [.lock(3)], in: &scene) == [])
  }

  @Test func handOverHandIsSilent() {
    var scene = Scene((1...4).map { .mutex($0, created: [7, 8]) })
    for (time, lock) in (1...3 as ClosedRange<UInt64>).enumerated() {
      let verdicts = scene.strand(
        1, time: UInt32(time), holds: [.lock(lock, at: [300, 50])], takes: .lock(lock + 1),
        stack: [300, 50])
      #expect(verdicts == [])
    }
    #expect(scene.graph.filtered == [])
  }
}
