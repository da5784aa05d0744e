import Testing
import ThreadmillDetection
import ThreadmillModel

@Suite struct DataRaceTests {
  private static let now = RaceReport.Access(
    thread: ThreadID(2), address: 0x1018, writes: true, stack: [Frame(address: 1)],
    tests: ["second", "first"])
  private static let before = RaceReport.Access(
    thread: ThreadID(3), address: 0x1018, writes: false, stack: [Frame(address: 2)],
    tests: ["first"])

  private static func finding(_ change: (inout RaceReport) -> Void = { _ in }) throws -> Finding {
    var report = RaceReport(accesses: [now, before])
    change(&report)
    return try #require(DataRace(report).finding)
  }

  @Test func bothAccessesAreTold() throws {
    #expect(
      try Self.finding()
        == Finding(
          kind: .dataRace, status: .observed, severity: .error,
          title: "Data race: T2 writes 8 bytes that T3 read, and nothing orders the two",
          participants: [
            .init(thread: ThreadID(2), role: "writes 8 bytes", frames: [Frame(address: 1)]),
            .init(thread: ThreadID(3), role: "read 8 bytes", frames: [Frame(address: 2)]),
          ],
          tests: ["first", "second"]))
  }

  @Test(arguments: [
    (RaceReport.Kind.variable, "Data race: T2 modifies a Swift variable that T3 read"),
    (.freed, "Use after free in a data race: T2 writes 8 bytes that T3 freed"),
    (.virtualTable(freed: false), "Data race on a virtual table: T2 writes 8 bytes that T3 read"),
    (.virtualTable(freed: true), "Data race on a virtual table: T2 writes 8 bytes that T3 freed"),
  ])
  func everyKindHasItsTitle(kind: RaceReport.Kind, title: String) throws {
    let finding = try Self.finding { $0.kind = kind }
    #expect(finding.title == title + ", and nothing orders the two")
    #expect(finding.kind == .dataRace)
  }

  @Test func sizesAndAtomicsAreTold() throws {
    let finding = try Self.finding {
      $0.accesses[0].size = 1
      $0.accesses[1].isAtomic = true
      $0.memory = .global(name: "sum")
    }
    #expect(
      finding.title
        == "Data race on sum: T2 writes 1 byte that T3 atomically read, and nothing orders the two")
    #expect(finding.facts == [.init("the memory at 0x1018 is global: sum")])
  }

  /// A free may begin anywhere before the access.
  @Test(
    arguments: [
      (
        RaceReport.Memory.heap(
          start: 0x1000, size: 48, by: ThreadID(1), allocated: [Frame(address: 9)]),
        "the memory at 0x1018 is at offset 24 of a block of 48 bytes, allocated by T1", [9]
      ),
      (
        .heap(start: 0x2000, size: 48, by: nil, allocated: []),
        "the memory at 0x1018 is in a block of 48 bytes, allocated", []
      ),
      (.global(name: nil), "the memory at 0x1018 is global", []),
      (.stack(of: ThreadID(4)), "the memory at 0x1018 is on the stack of T4", []),
      (.threadLocal(of: nil), "the memory at 0x1018 is thread-local", []),
      (
        .file(number: 7, by: ThreadID(1), opened: [Frame(address: 9)]),
        "it is about file descriptor 7, used by T1", [9]
      ),
    ] as [(RaceReport.Memory, String, [UInt64])])
  func memoryIsTold(memory: RaceReport.Memory, text: String, frames: [UInt64]) throws {
    let facts = try Self.finding { $0.memory = memory }.facts
    #expect(facts == [.init(text, frames: frames.map { Frame(address: $0) })])
  }

  @Test func threadsAndSleepAreTold() throws {
    let finding = try Self.finding {
      $0.threads = [
        .init(id: ThreadID(2), name: "main"),
        .init(id: ThreadID(3), name: "crane", creator: ThreadID(2), created: [Frame(address: 5)]),
        .init(id: ThreadID(9), creator: ThreadID(2), created: [Frame(address: 6)]),
      ]
      $0.slept = [Frame(address: 7)]
      $0.submitted = [Frame(address: 8)]
    }
    #expect(finding.participants.map(\.threadName) == ["main", "crane"])
    #expect(finding.participants.map(\.submitted) == [[Frame(address: 8)], []])
    #expect(
      finding.facts == [
        .init(
          "T2 slept between the two, which makes them look ordered and does not order them",
          frames: [Frame(address: 7)]),
        .init("T3 was created by T2", frames: [Frame(address: 5)]),
      ])
  }

  @Test func locksAreToldOfTheirHolder() throws {
    let mine = SharedObject(id: LockID(1), kind: .mutex)
    let other = SharedObject(id: LockID(2), kind: .mutex)
    let finding = try Self.finding {
      $0.held = [Hold(lock: LockID(1), site: [Frame(address: 4)])]
      $0.heldObjects = [mine]
      $0.mutexes = [
        .init(address: 0x10, object: mine, isHeldNow: true), .init(address: 0x20, object: other),
        .init(address: 0x30, created: [Frame(address: 6)]),
      ]
    }
    #expect(finding.objects == [mine, other])
    #expect(
      finding.facts == [
        .init("T2 holds mutex L1, taken", frames: [Frame(address: 4)]),
        .init("T3 held mutex L2"),
        .init("T3 held a lock at 0x30, first used", frames: [Frame(address: 6)]),
      ])
  }

  /// Which access comes first is chance.
  @Test func bothOrdersAreOneRace() throws {
    let first = Frame(address: 1, function: "deposit()")
    let second = Frame(address: 2, function: "audit()")
    let one = try Self.finding {
      ($0.accesses[0].stack, $0.accesses[1].stack) = ([first], [second])
      $0.held = [Hold(lock: LockID(1), site: [Frame(address: 4, function: "lock()")])]
    }
    let other = try Self.finding {
      ($0.accesses[0].stack, $0.accesses[1].stack) = ([second], [first])
      $0.slept = [Frame(address: 7)]
    }
    #expect(one.fingerprint == other.fingerprint)
  }

  @Test func oneAccessIsNoRace() {
    #expect(DataRace(RaceReport(accesses: [Self.now])).finding == nil)
  }
}
