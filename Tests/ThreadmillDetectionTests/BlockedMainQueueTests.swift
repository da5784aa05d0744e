import Testing
import ThreadmillDetection
import ThreadmillModel

/// A long block or wait on the main queue is a warning, once for each place.
@Suite struct BlockedMainQueueTests {
  @Test func aLongBlockIsToldByItsSubmission() throws {
    var detectors = Detectors(without: [])
    let found = detectors.happened(.mainQueueHeld(held))
    let finding = try #require(found.first)
    #expect(found.count == 1)
    #expect(finding.kind == .blockedMainQueue)
    #expect(finding.severity == .warning)
    #expect(
      finding.title
        == "Main queue held for 600 ms by one block, while 2 other blocks were queued there")
    #expect(finding.participants.map(\.submitted) == [[Frame(address: 1)]])
    #expect(finding.facts.map(\.frames) == [[Frame(address: 2)]])
  }

  /// The finding comes after the block has ended, and without its stack; its function is known.
  @Test func aLongBlockNamesItsFunction() throws {
    var detectors = Detectors(without: [])
    var held = held
    held.function = 0x77
    let finding = try #require(detectors.happened(.mainQueueHeld(held)).first)
    #expect(finding.participants.map(\.frames) == [[Frame(address: 0x77)]])
    #expect(finding.participants.map(\.submitted) == [[Frame(address: 1)]])
  }

  @Test func aLongJobHasNoFunction() throws {
    var detectors = Detectors(without: [])
    let finding = try #require(detectors.happened(.mainQueueHeld(held)).first)
    #expect(finding.participants.map(\.frames) == [[]])
  }

  @Test func aLongWaitIsToldByItsStack() throws {
    var detectors = Detectors(without: [])
    let finding = try #require(detectors.happened(.mainThreadWaited(waited)).first)
    #expect(finding.severity == .warning)
    #expect(finding.title.contains("by a wait for semaphore L7"))
    #expect(finding.participants.map(\.frames) == [[Frame(address: 9)]])
    #expect(finding.facts.map(\.frames) == [[Frame(address: 1)], [Frame(address: 2)]])
  }

  @Test func onePlaceIsToldOnce() {
    for happening in [Happening.mainQueueHeld(held), .mainThreadWaited(waited)] {
      var detectors = Detectors(without: [])
      #expect(detectors.happened(happening).count == 1)
      #expect(detectors.happened(happening).isEmpty)
    }
  }

  @Test func switchedOff() {
    var detectors = Detectors(without: [.blockedMainQueue])
    #expect(detectors.happened(.mainQueueHeld(held)).isEmpty)
    #expect(detectors.happened(.mainThreadWaited(waited)).isEmpty)
  }

  /// Two blocks are two findings, also in the merged report.
  @Test func twoPlacesAreTwoFindings() {
    var detectors = Detectors(without: [])
    var (other, first) = (held, held)
    other.submitted = [Frame(address: 5, function: "other()")]
    first.submitted = [Frame(address: 1, function: "first()")]
    let found = [first, other].flatMap { detectors.happened(.mainQueueHeld($0)) }
    #expect(Set(found.map(\.fingerprint)).count == 2)
  }

  private let thread = ThreadSnapshot(
    thread: ThreadID(1), held: [], stack: [Frame(address: 9)])

  private var held: Happening.MainQueueHeld {
    Happening.MainQueueHeld(
      thread: thread, queue: SharedObject(id: LockID(7), kind: .serialQueue),
      submitted: [Frame(address: 1)],
      waiters: .init(
        milliseconds: 600, count: 2, submitted: [[Frame(address: 2)], [Frame(address: 2)]]))
  }

  private var waited: Happening.MainThreadWaited {
    Happening.MainThreadWaited(
      thread: thread, object: SharedObject(id: LockID(7), kind: .semaphore),
      waiters: .init(
        milliseconds: 600, count: 2,
        submitted: [[Frame(address: 1)], [Frame(address: 2)], [Frame(address: 2)]]))
  }
}
