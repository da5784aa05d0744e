import Testing
import ThreadmillModel

@testable import ThreadmillDetection

@Suite struct CrashTests {
  private let call = Frame(address: 7)
  private let below = Frame(address: 9)

  private func dying(_ stack: Backtrace, signal: Int32 = 6) -> Happening {
    .crashed(
      .init(
        thread: ThreadSnapshot(
          thread: ThreadID(3), held: [], stack: stack, tests: ["Bank/close()"]),
        signal: signal))
  }

  @Test func itNamesTheSignalAndTheTest() throws {
    var detectors = Detectors(without: [])
    let finding = try #require(detectors.happened(dying([below, call])).first)
    #expect(finding.kind == .crash)
    #expect(finding.title == "Crash: an abort (SIGABRT)")
    #expect(finding.tests == ["Bank/close()"])
    #expect(finding.participants.map(\.frames) == [[below, call]])
  }

  /// A signal that has no words in the table is still a crash.
  @Test func anUnknownSignalKeepsItsNumber() {
    var detectors = Detectors(without: [])
    #expect(detectors.happened(dying([], signal: 31)).map(\.title) == ["Crash: signal 31"])
  }

  @Test func aDeathThatWasNamedIsNotNamedAgain() {
    var detectors = Detectors(without: [])
    let finding = Finding(
      kind: .unbalancedGroup, status: .observed, title: "",
      participants: [.init(thread: ThreadID(3), role: "", frames: [call])])
    detectors.found(finding)
    #expect(detectors.happened(dying([below, call])).isEmpty)
    #expect(detectors.happened(dying([below])).map(\.kind) == [.crash])
  }

  @Test func switchedOffItIsSilent() {
    var detectors = Detectors(without: [.crash])
    #expect(detectors.happened(dying([call])).isEmpty)
  }

  @Test func theRuntimesFunctionTellsTheCause() {
    let cause = Frame(address: 1, function: "swift_abortRetainUnowned", isSystem: true)
    let user = Frame(address: 2, function: "Settings.setVolume(_:)")
    let finding = Finding(
      kind: .crash, status: .observed, title: "Crash: an abort (SIGABRT)",
      participants: [.init(thread: ThreadID(1), role: "dies", frames: [cause, user])])
    #expect(
      Crash.withCause(finding).title
        == "Crash: an unowned reference was used after its object was gone")
  }
}
