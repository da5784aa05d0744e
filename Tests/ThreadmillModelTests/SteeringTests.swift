import Testing
import ThreadmillModel

/// What goes to a steered process and how its deadlock is recognised.
@Suite struct SteeringTests {
  // MARK: The plan

  private func plan(folder: String? = nil, report: String = "/tmp/r.json") -> SteeringPlan {
    SteeringPlan(
      edges: [
        .init(
          outer: [.init(image: "", offset: 0x10)],
          inner: [
            .init(image: "/lib/a b.so", offset: 0xFFFF_0000_1234), .init(image: "", offset: 0),
          ],
          skipped: 3),
        .init(outer: [], inner: [.init(image: "", offset: 0x2f)]),
      ], milliseconds: 70, folder: folder, report: report)
  }

  @Test(arguments: [nil, "/home/me/my work"]) func aPlanSurvivesItsText(folder: String?) throws {
    let plan = plan(folder: folder, report: "/tmp/with space/é.json")
    #expect(SteeringPlan(parsing: try #require(plan.text)) == plan)
  }

  @Test func aPathOfTwoLinesCannotBeWritten() {
    #expect(plan(report: "/tmp/a\nb").text == nil)
    #expect(plan(folder: "/tmp/a\nb").text == nil)
  }

  @Test(arguments: [
    "nonsense", "hold soon", "inner 0+1", "image /a\nouter\ninner 0+1", "outer 0 0+1",
    "image /a\nouter 0 1+1", "image /a\nouter 0 0+x", "image /a\nouter 0 0",
  ])
  func whatIsNoPlanIsRefused(_ text: String) { #expect(SteeringPlan(parsing: text) == nil) }

  // MARK: Places

  /// Who waits without a stack is known by where it took what it holds.
  @Test(arguments: [([1], [2], true), ([2], [1], true), ([1], [3], false), ([1], [1], false)])
  func aDeadlockIsKnownWithoutStacks(first: [UInt64], second: [UInt64], isBehind: Bool) throws {
    let cycle = finding(
      thread(1, holds: 1, took: [1], wants: 2, stack: [11]),
      thread(2, holds: 2, took: [2], wants: 1, stack: [12]))
    let deadlock = finding(
      thread(7, holds: 8, took: first, wants: 9, stack: []),
      thread(8, holds: 9, took: second, wants: 8, stack: [12]))
    let places = try #require(CyclePlaces(of: cycle))
    #expect(places.order(deadlock) == nil)
    #expect(places.isBehind(deadlock) == isBehind)
  }

  /// A thread that took `holds` at `took` and waits for `wants` with this stack.
  private func thread(
    _ number: UInt32, holds: UInt64, took: [UInt64], wants: UInt64, stack: [UInt64]
  ) -> Finding.Participant {
    .init(
      thread: ThreadID(number), role: "", frames: stack.map { Frame(address: $0) },
      holds: [.init(object: LockID(holds), frames: took.map { Frame(address: $0) })],
      wants: LockID(wants))
  }

  private func finding(_ threads: Finding.Participant...) -> Finding {
    Finding(kind: .lockOrderCycle, status: .potential, title: "", participants: threads)
  }

  private var cycle: Finding {
    finding(
      thread(1, holds: 1, took: [10, 11], wants: 2, stack: [12, 13]),
      thread(2, holds: 2, took: [20], wants: 3, stack: [22, 23]),
      thread(3, holds: 3, took: [30], wants: 1, stack: [32, 33]))
  }

  @Test func aCyclesPlacesAreThoseOfItsOwnLocks() {
    var cycle = cycle
    cycle.participants[0].holds.insert(
      .init(object: LockID(9), frames: [Frame(address: 90)]), at: 0)
    #expect(
      CyclePlaces(of: cycle)?.edges == [
        .init(outer: [10, 11], inner: [12, 13]), .init(outer: [20], inner: [22, 23]),
        .init(outer: [30], inner: [32, 33]),
      ])
  }

  /// Frames that were inlined into each other share an address, and so do a recursion's.
  @Test func anAddressIsThereOnceInARow() {
    let cycle = finding(
      thread(1, holds: 1, took: [10], wants: 2, stack: [12, 12, 13, 13, 13, 12]),
      thread(2, holds: 2, took: [20], wants: 1, stack: Array(100..<120)))
    let stacks = CyclePlaces(of: cycle)?.edges.map(\.inner)
    #expect(stacks == [[12, 13, 12], Array(100..<108)])
  }

  /// A worker may get the same block in several ways.
  @Test func aStackEndsWhereALibraryCalled() {
    var cycle = cycle
    let library = [Frame(address: 1, isSystem: true), Frame(address: 2, isSystem: true)]
    cycle.participants[0].frames = library + cycle.participants[0].frames + library
    #expect(CyclePlaces(of: cycle)?.edges[0].inner == [1, 2, 12, 13])
  }

  @Test func whatIsNoRingHasNoPlaces() {
    let open = finding(
      thread(1, holds: 1, took: [10], wants: 2, stack: [12]),
      thread(2, holds: 3, took: [20], wants: 1, stack: [22]))
    #expect(CyclePlaces(of: open) == nil)
    let silent = finding(
      thread(1, holds: 1, took: [10], wants: 2, stack: []),
      thread(2, holds: 2, took: [20], wants: 1, stack: [22]))
    #expect(CyclePlaces(of: silent) == nil)
    #expect(CyclePlaces(of: finding()) == nil)
  }

  // MARK: The deadlock

  /// The same ring with other numbers, begun at another thread.
  private func deadlock(from first: Int) -> Finding {
    let threads = [
      thread(7, holds: 4, took: [10, 11], wants: 6, stack: [12, 13]),
      thread(5, holds: 6, took: [20], wants: 5, stack: [22, 23, 24]),
      thread(6, holds: 5, took: [30], wants: 4, stack: [32, 33]),
    ]
    var deadlock = cycle
    deadlock.kind = .deadlock
    deadlock.participants = Array(threads[first...] + threads[..<first])
    return deadlock
  }

  @Test(arguments: 0..<3) func itsThreadsAreInTheOrderOfTheCycle(first: Int) throws {
    let places = try #require(CyclePlaces(of: cycle))
    let order = places.order(deadlock(from: first))
    #expect(order?.map(\.thread.rawValue) == [7, 5, 6])
  }

  @Test func anotherDeadlockIsNotTheCycle() throws {
    let places = try #require(CyclePlaces(of: cycle))
    var fewer = deadlock(from: 0)
    fewer.participants.removeLast()
    #expect(places.order(fewer) == nil)
    var elsewhere = deadlock(from: 0)
    elsewhere.participants[1].frames[0] = Frame(address: 99)
    #expect(places.order(elsewhere) == nil)
    var taken = deadlock(from: 0)
    taken.participants[1].holds[0].frames[0] = Frame(address: 99)
    #expect(places.order(taken) == nil)
    var backwards = deadlock(from: 0)
    backwards.participants.reverse()
    #expect(places.order(backwards) == nil)
  }
}

/// A test binary that is started again.
@Suite struct TestSelectionTests {
  private let binary = "/build/PackageTests.xctest"

  @Test func aProgramThatIsNoTestBinaryHasNone() {
    #expect(TestSelection(arguments: ["/bin/server", "--port", "1"]) == nil)
    #expect(TestSelection(arguments: []) == nil)
  }

  @Test func xctestIsGivenItsOwnNames() throws {
    let selection = try #require(
      TestSelection(arguments: [binary, "Bank.All/testA,Bank.All/testB"]))
    let known = ["All.testA": "Bank.All/testA", "All.testB": "Bank.All/testB"]
    #expect(
      selection.arguments(only: ["All.testB"], identifiers: known) == [binary, "Bank.All/testB"])
    #expect(
      selection.arguments(only: ["All.testA", "All.testB"], identifiers: known)
        == [binary, "Bank.All/testA,Bank.All/testB"])
    // Better all of them than too few.
    let all = [binary, "Bank.All/testA,Bank.All/testB"]
    #expect(selection.arguments(only: ["All.testA", "Other.test"], identifiers: known) == all)
    #expect(selection.arguments(only: [], identifiers: known) == all)
  }

  @Test func swiftTestingIsGivenPatternsAndNoFilesToWrite() throws {
    let arguments = [
      binary, "--testing-library", "swift-testing", "--event-stream-output-path", "/tmp/events",
      "--xunit-output=/tmp/x", "--filter", "transfer", "--no-parallel",
    ]
    let selection = try #require(TestSelection(arguments: arguments))
    let base = [binary, "--testing-library", "swift-testing"]
    #expect(
      selection.arguments(only: [], identifiers: [:])
        == base + ["--filter", "transfer", "--no-parallel"])
    #expect(
      selection.arguments(only: ["Bank.Suite/sum(a:)"], identifiers: [:])
        == base + ["--no-parallel", "--filter", #"^Bank\.Suite/sum\(a:\)(/|$)"#])
  }
}
