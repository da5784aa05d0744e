import Testing
import ThreadmillDetection
import ThreadmillModel

/// Nobody can repair what XCTest or Foundation does inside.
@Suite struct LibrariesOwnTests {
  private static func frame(_ image: String, isSystem: Bool = true) -> Frame {
    Frame(address: 7, image: image, isSystem: isSystem)
  }

  private static let (users, foundation) =
    (frame("Bank", isSystem: false), frame("libFoundation.so"))
  private static let (xctest, dispatch) = (frame("libXCTest.so"), frame("libdispatch.so"))

  private func severity(
    _ kind: Finding.Kind = .priorityInversion, of objects: [SharedObject], wants: LockID? = nil
  ) -> Finding.Severity {
    let thread = Finding.Participant(
      thread: ThreadID(1), role: "waits", frames: [Self.users], wants: wants)
    return Finding(
      kind: kind, status: .observed, severity: .warning, title: "", participants: [thread],
      objects: objects
    ).graded.severity
  }

  private func mutex(
    _ id: UInt64 = 1, _ created: Backtrace = [], variable: Frame? = nil
  ) -> SharedObject {
    SharedObject(id: LockID(id), kind: .mutex, created: created, variable: variable)
  }

  /// One frame of the user's on the way to Foundation, and the object is the user's.
  @Test(
    arguments: [
      ([foundation, xctest, users], .note), ([foundation, dispatch], .note),
      ([foundation, users], .warning), ([foundation, users, xctest], .warning),
      ([users, xctest], .warning), ([], .warning),
    ] as [(Backtrace, Finding.Severity)])
  func theMakerDecides(_ created: Backtrace, _ severity: Finding.Severity) {
    #expect(self.severity(of: [mutex(1, created)]) == severity)
  }

  @Test func aVariableBelongsToItsImage() {
    #expect(severity(of: [mutex(variable: Self.foundation)]) == .note)
    #expect(severity(of: [mutex(variable: Self.users)]) == .warning)
  }

  /// What a thread holds besides has no say.
  @Test func theAwaitedObjectDecides() {
    let (own, users) = (
      mutex(1, [Self.xctest, Self.users]), mutex(2, [Self.foundation, Self.users])
    )
    #expect(severity(of: [own, users], wants: LockID(1)) == .note)
    #expect(severity(of: [own, users], wants: LockID(2)) == .warning)
    #expect(severity(of: [own, users]) == .warning)
  }

  @Test(arguments: Finding.Kind.allCases)
  func aProcessThatStandsStillIsNoNote(_ kind: Finding.Kind) {
    let graded: Set<Finding.Kind> = [
      .priorityInversion, .lockMisuse, .semaphoreMisuse, .queueMisuse, .unbalancedGroup,
    ]
    let severity = severity(kind, of: [mutex(1, [Self.foundation, Self.dispatch])])
    #expect(severity == (graded.contains(kind) ? .note : .warning))
  }
}
