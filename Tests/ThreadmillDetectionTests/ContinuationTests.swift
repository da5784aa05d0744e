import Testing
import ThreadmillDetection
import ThreadmillModel

/// Continuations that are resumed more or less than once.
@Suite struct ContinuationTests {
  private let thread = ThreadSnapshot(
    thread: ThreadID(2), held: [.lock(9)], stack: [Frame(address: 20)], tests: ["a"])

  private func found(_ happening: Happening, without off: Set<Finding.Kind> = []) -> [Finding] {
    var detectors = Detectors(without: off)
    return detectors.happened(happening)
  }

  @Test func resumedTwice() {
    let happening = Happening.resumedTwice(
      .init(
        thread: thread, before: .init(at: [Frame(address: 30)], by: ThreadID(5)),
        made: [Frame(address: 40)]))
    let expected = Finding(
      kind: .continuationMisuse, status: .observed, severity: .error,
      title: "Continuation misuse: a continuation is resumed twice",
      participants: [
        Finding.Participant(
          thread: ThreadID(2), role: "resumes the continuation again",
          frames: [Frame(address: 20)]),
        Finding.Participant(
          thread: ThreadID(5), role: "resumed it before", frames: [Frame(address: 30)]),
      ],
      facts: [.init("the continuation was made", frames: [Frame(address: 40)])], tests: ["a"])
    #expect(found(happening) == [expected])
    #expect(found(happening, without: [.continuationMisuse]) == [])
  }

  /// Places that are not known are left out.
  @Test func resumedTwiceByUnknownCode() {
    let happening = Happening.resumedTwice(.init(thread: thread, before: .init(at: [])))
    #expect(found(happening).map(\.participants.count) == [1])
    #expect(found(happening).map(\.facts) == [[]])
  }

  @Test func dropped() {
    let inTheTask = Happening.continuationDropped(
      .init(thread: thread, awaits: [Frame(address: 50)]))
    #expect(found(inTheTask).flatMap(\.participants).map(\.frames) == [[Frame(address: 50)]])
    let elsewhere = Happening.continuationDropped(.init(thread: thread))
    #expect(found(elsewhere).flatMap(\.participants).map(\.frames) == [[Frame(address: 20)]])
    #expect(found(elsewhere).map(\.severity) == [.error])
    #expect(found(elsewhere, without: [.continuationMisuse]) == [])
  }
}
