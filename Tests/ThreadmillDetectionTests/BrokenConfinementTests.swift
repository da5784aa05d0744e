import Testing
import ThreadmillDetection
import ThreadmillModel

@Suite struct BrokenConfinementTests {
  private static let use = [Frame(address: 0x10), Frame(address: 0x20)]
  private static let made = [Frame(address: 0x30)]
  private static let context = SharedObject(
    id: LockID(5), kind: .confined, label: "Context", created: made)
  private static let queue = SharedObject.queue(6, "database")
  private static let bank = SharedObject(id: LockID(0), kind: .actor, label: "Bank")

  private static func broken(
    _ object: SharedObject, of place: SharedObject, at stack: Backtrace = use,
    tests: [String] = []
  ) -> Happening {
    let thread = ThreadSnapshot(thread: ThreadID(3), held: [], stack: stack, tests: tests)
    return .confinementBroken(
      .init(thread: thread, object: object, place: place, confiner: ThreadID(1)))
  }

  @Test func namesTheUseAndWhereItWasConfined() throws {
    var detectors = Detectors(without: [])
    let found = detectors.happened(Self.broken(Self.context, of: Self.queue, tests: ["t"]))
    #expect(
      found == [
        Finding(
          kind: .confinementViolation, status: .observed,
          title: """
            Confinement violation: Context belongs to serial queue "database" and is used elsewhere
            """,
          participants: [
            .init(
              thread: ThreadID(3), role: #"uses Context outside serial queue "database""#,
              frames: Self.use),
            .init(
              thread: ThreadID(1), role: #"confined Context to serial queue "database""#,
              frames: Self.made),
          ],
          objects: [Self.context, Self.queue], tests: ["t"])
      ])
  }

  /// An actor is named by its type. It is not among the objects, as nothing else is known of it.
  @Test func ofAnActor() throws {
    var detectors = Detectors(without: [])
    let found = detectors.happened(Self.broken(Self.context, of: Self.bank))
    let finding = try #require(found.first)
    #expect(finding.participants.first?.role == "uses Context outside actor Bank")
    #expect(finding.objects == [Self.context])
  }

  @Test func oncePerPlaceAndTest() {
    var detectors = Detectors(without: [])
    var other = Self.context
    other.id = LockID(9)
    let happenings = [
      Self.broken(Self.context, of: Self.queue, tests: ["a"]),
      Self.broken(Self.context, of: Self.queue, tests: ["a"]),
      Self.broken(other, of: Self.queue, tests: ["a"]),
      Self.broken(Self.context, of: Self.queue, tests: ["b"]),
      Self.broken(Self.context, of: Self.queue, at: [Frame(address: 0x11)], tests: ["a"]),
    ]
    #expect(happenings.map { detectors.happened($0).count } == [1, 0, 0, 1, 1])
  }

  @Test func switchedOff() {
    var detectors = Detectors(without: [.confinementViolation])
    #expect(detectors.happened(Self.broken(Self.context, of: Self.queue)) == [])
  }
}
