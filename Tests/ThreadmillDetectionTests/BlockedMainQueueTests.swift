import Testing
import ThreadmillDetection
import ThreadmillModel

/// What keeps the main queue from going on is a warning, once for each place.
@Suite struct BlockedMainQueueTests {
  @Test func aLongBlockIsToldByItsSubmission() throws {
    var detectors = Detectors(without: [])
    let found = detectors.happened(happening(.mainQueueHeld))
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

  /// The block is over when it is told of, and with it its stack; what it ran is known.
  @Test func aLongBlockNamesItsFunction() throws {
    var detectors = Detectors(without: [])
    var held = happening(.mainQueueHeld)
    held.numbers[2] = 0x77
    let finding = try #require(detectors.happened(held).first)
    #expect(finding.participants.map(\.frames) == [[Frame(address: 0x77)]])
    #expect(finding.participants.map(\.submitted) == [[Frame(address: 1)]])
  }

  @Test func aLongJobHasNoFunction() throws {
    var detectors = Detectors(without: [])
    let finding = try #require(detectors.happened(happening(.mainQueueHeld)).first)
    #expect(finding.participants.map(\.frames) == [[]])
  }

  @Test func aLongWaitIsToldByItsStack() throws {
    var detectors = Detectors(without: [])
    let finding = try #require(detectors.happened(happening(.mainThreadWaited)).first)
    #expect(finding.severity == .warning)
    #expect(finding.title.contains("by a wait for semaphore L7"))
    #expect(finding.participants.map(\.frames) == [[Frame(address: 9)]])
    #expect(finding.facts.map(\.frames) == [[Frame(address: 1)], [Frame(address: 2)]])
  }

  @Test(arguments: [Happening.Kind.mainQueueHeld, .mainThreadWaited])
  func onePlaceIsToldOnce(_ kind: Happening.Kind) {
    var detectors = Detectors(without: [])
    #expect(detectors.happened(happening(kind)).count == 1)
    #expect(detectors.happened(happening(kind)).isEmpty)
  }

  /// Two blocks are two findings, also in the merged report.
  @Test func twoPlacesAreTwoFindings() {
    var detectors = Detectors(without: [])
    var other = happening(.mainQueueHeld)
    other.places[0] = [Frame(address: 5, function: "other()")]
    var first = happening(.mainQueueHeld)
    first.places[0] = [Frame(address: 1, function: "first()")]
    let found = detectors.happened(first) + detectors.happened(other)
    #expect(Set(found.map(\.fingerprint)).count == 2)
  }

  private func happening(_ kind: Happening.Kind) -> Happening {
    let object = SharedObject(
      id: LockID(7), kind: kind == .mainQueueHeld ? .serialQueue : .semaphore)
    return Happening(
      kind: kind, thread: ThreadSnapshot(thread: ThreadID(1), held: [], stack: [Frame(address: 9)]),
      objects: [object], places: [[Frame(address: 1)], [Frame(address: 2)], [Frame(address: 2)]],
      numbers: [600, 2, 0, 0])
  }
}
