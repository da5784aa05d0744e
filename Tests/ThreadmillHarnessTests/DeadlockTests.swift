import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A deadlock is told as soon as it is there, with every thread of it, by a program that never
/// ends.
@Suite struct DeadlockTests {
  /// One of the threads: where it stands, what it has, what it waits for.
  struct Part: Hashable, Sendable {
    struct Hold: Hashable, Sendable {
      var kind: String
      var mode = "exclusive"
      /// The function that took it; `nil` where no call was made.
      var function: String?
    }

    var function: String?
    var holds: [Hold]
    /// `nil` for the end of the other thread.
    var wants: String?
  }

  struct Deadlock: Sendable, CustomTestStringConvertible {
    var name: String
    var parts: Set<Part>
    /// How it ends where nobody ends it; `nil` if it does not.
    var fate: ChildProcess.Outcome?

    var testDescription: String { name }
  }

  @Test(arguments: deadlocks) func isToldWithAllItsThreads(_ deadlock: Deadlock) async throws {
    let program = Watched(program: "harness-standstill", arguments: [deadlock.name])
    let run = try await program.runUntilItSays("Deadlock: ")
    #expect([.stopped, deadlock.fate].contains(run.child.outcome))
    let report = try #require(run.report)
    let findings = report.accusations.filter { $0.kind == "deadlock" }
    try #require(findings.count == 1)
    #expect(findings[0].status == "observed")
    #expect(findings[0].parts == deadlock.parts)
    #expect(findings[0].participants.count == deadlock.parts.count)
    #expect(findings[0].isClosed)
    #expect(run.child.standardError.contains(findings[0].title))
  }
}

extension ReportFile.Finding {
  fileprivate var parts: Set<DeadlockTests.Part> {
    Set(
      participants.map { participant in
        DeadlockTests.Part(
          function: participant.frames.firstUserFrame?.function,
          holds: participant.holds.map { hold in
            DeadlockTests.Part.Hold(
              kind: kind(of: hold.object) ?? "", mode: hold.mode,
              function: hold.frames.firstUserFrame?.function)
          }, wants: participant.wants.flatMap(kind))
      })
  }

  /// Whether whatever is waited for is held by another one of them.
  fileprivate var isClosed: Bool {
    participants.allSatisfy { waiter in
      guard let wanted = waiter.wants else { return waiter.role.contains("waits for the end of") }
      return participants.contains { other in
        other.thread != waiter.thread && other.holds.contains { $0.object == wanted }
      }
    }
  }

  private func kind(of object: String) -> String? { objects.first { $0.id == object }?.kind }
}

extension DeadlockTests {
  static let deadlocks = [
    Deadlock(
      name: "mutexes",
      parts: [mutexes("Shed.frameWall()"), mutexes("Shed.cutRafter()")]),
    Deadlock(
      name: "three-mutexes",
      parts: [
        mutexes("Stove.cookSoup()"), mutexes("Stove.cookFish()"), mutexes("Stove.cookSauce()"),
      ]),
    Deadlock(
      name: "mutex-and-join",
      parts: [
        Part(
          function: "Foreman.callItADay()",
          holds: [.init(kind: "mutex", function: "Foreman.callItADay()")], wants: nil),
        Part(function: "Foreman.cleanUp()", holds: [], wants: "mutex"),
      ]),
    Deadlock(
      name: "mutex-and-main-queue",
      parts: [
        Part(
          function: "Errand.callHome()",
          holds: [.init(kind: "mutex", function: "Errand.callHome()")], wants: "serialQueue"),
        Part(
          function: "Errand.stayAtHome()", holds: [.init(kind: "serialQueue")], wants: "mutex"),
      ]),
    Deadlock(
      name: "mutex-and-queue",
      parts: [
        Part(
          function: "Cache.lookUp()", holds: [.init(kind: "mutex", function: "Cache.lookUp()")],
          wants: "serialQueue"),
        Part(
          function: "Cache.cleanUp()",
          holds: [.init(kind: "serialQueue", function: "Cache.cleanUpLater()")], wants: "mutex"),
      ]),
    Deadlock(
      name: "queues",
      parts: [
        Part(
          function: "Books.enterIntoJournal()",
          holds: [.init(kind: "serialQueue", function: "Books.post()")], wants: "serialQueue"),
        Part(
          function: "Books.enterIntoLedger()",
          holds: [.init(kind: "serialQueue", function: "Books.settle()")], wants: "serialQueue"),
      ]),
    // The kernel refuses to let the second one wait, and the standard library traps.
    Deadlock(
      name: "swift-mutexes",
      parts: [
        swiftMutexes("Couple.greet()"), swiftMutexes("Couple.wave()"),
      ], fate: .signalled(SIGILL)),
    Deadlock(
      name: "read-write-lock",
      parts: [
        Part(
          function: "Atlas.readAndCount()",
          holds: [.init(kind: "readWriteLock", mode: "shared", function: "Atlas.readAndCount()")],
          wants: "mutex"),
        Part(
          function: "Atlas.countAndWrite()",
          holds: [.init(kind: "mutex", function: "Atlas.countAndWrite()")], wants: "readWriteLock"),
      ]),
  ]

  private static func mutexes(_ function: String) -> Part {
    Part(function: function, holds: [.init(kind: "mutex", function: function)], wants: "mutex")
  }

  private static func swiftMutexes(_ function: String) -> Part {
    Part(
      function: "closure #1 in \(function)",
      holds: [.init(kind: "synchronizationMutex", function: function)],
      wants: "synchronizationMutex")
  }
}
