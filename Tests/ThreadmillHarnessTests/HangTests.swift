import Foundation
import Testing
import ThreadmillTestSupport

/// A program that stands still is told of, whole, and ended; one that only waits is left alone.
@Suite struct HangTests {
  /// One thread that is stuck: where, and on what.
  struct Stuck: Hashable {
    var function: String?
    var wants: String?
  }

  @Test func everyCornerIsShownAndNothingIdle() async throws {
    let run = try await stuck("three-corners")
    #expect(run.child.outcome == .exited(1))
    let accusations = try #require(run.report).accusations
    // That the office waits for itself is certain, and told before.
    #expect(accusations.map(\.kind).sorted() == ["deadlock", "hang", "hang", "hang"])
    let hangs = accusations.filter { $0.kind == "hang" }
    #expect(
      Set(hangs.map(\.corner)) == [
        [Stuck(function: "Bakery.sell()", wants: "semaphore")],
        [Stuck(function: "Office.answerLetters()", wants: "group")],
        [
          Stuck(function: "Ferry.board()", wants: "condition"),
          Stuck(function: "Ferry.castOff()", wants: "mutex"),
        ],
      ])
    for hang in hangs { #expect(run.child.standardError.contains(hang.title)) }
    let office = try #require(hangs.first { $0.participants[0].role.contains("group") })
    let facts = try #require(office.facts)
    // Thread Sanitizer enters the group once more for each block that is given to it.
    let functions = Set(facts.compactMap(\.frames?.firstUserFrame?.function))
    #expect(functions == ["Office.answerLetters()"])
  }

  /// Who waits for an operation is told what keeps it from starting, and that one, to the end.
  @Test func operationsSayWhyTheyAreNotFinished() async throws {
    let run = try await stuck("never-finish")
    #expect(run.child.outcome == .exited(1))
    let hangs = try #require(run.report).accusations
    #expect(
      Set(hangs.map(\.corner)) == [
        [Stuck(function: "sendOff(_:)", wants: "operation")]
      ])
    let said = hangs.map { hang in Set((hang.facts ?? []).map { nameless($0.text) }) }
    #expect(
      Set(said) == [
        ["Chore \"held\" is in a queue that is suspended"],
        [
          "Chore \"parcel\" does not start before Chore \"wrapping\" has finished",
          "Chore \"parcel\" does not start before Chore \"writing\" has finished",
          "Chore \"wrapping\" does not start before Endless has finished",
          "Chore \"writing\" does not start before Chore \"forgotten\" has finished",
          "Chore \"forgotten\" is in no queue, and nobody has started it",
          "Endless has begun, no thread is in it, and it does not say that it is finished",
        ],
      ])
    #expect(
      hangs.flatMap { $0.participants.map { nameless($0.role) } }.sorted() == [
        "runs BlockOperation \"packing\" and waits for Chore \"held\"",
        "waits for BlockOperation \"packing\"",
        "waits for Chore \"parcel\"",
      ])
  }

  /// Numbers of objects are chance.
  private func nameless(_ text: String) -> String { text.replacing(#/ L\d+/#, with: "") }

  /// What it prints to cannot be flushed, and that keeps nobody.
  @Test func aThreadThatHasTheOutputIsToldAndEnded() async throws {
    let run = try await stuck("print-for-ever")
    #expect(run.child.outcome == .exited(1))
    let hangs = try #require(run.report).accusations
    #expect(hangs.map(\.corner) == [[Stuck(function: "queueUp(_:)", wants: "semaphore")]])
  }

  /// Twenty threads at one door are not twenty stacks.
  @Test func aCrowdIsCounted() async throws {
    let run = try await stuck("crowd")
    let hangs = try #require(run.report).accusations
    #expect(hangs.map(\.corner) == [[Stuck(function: "queueUp(_:)", wants: "semaphore")]])
    #expect(hangs.map(\.participants.count) == [3])
    #expect(hangs.first?.title.contains("20 threads") == true)
  }

  @Test(arguments: [
    "sleep", "poll", "pipe", "child", "bounded-wait", "timer", "later", "run-loop-timer", "spin",
  ]) func waitingForSomethingIsNoHang(_ name: String) async throws {
    let run = try await stuck(name)
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(try #require(run.report).findings.isEmpty)
  }

  /// What keeps a thread from moving is the signal.
  @Test func beingStoppedIsNoHang() async throws {
    let run = try await Watched(
      program: "harness-stuck", arguments: ["stopped"], options: "hang=1"
    ).run { _ in .never }
    #expect(run.child.outcome == .exited(0))
    #expect(try #require(run.report).findings.isEmpty)
  }

  /// Nobody asked, and no test runs.
  @Test(arguments: ["", "hang=0", "hang=1 without=hang", "hang=1 detect=false"])
  func withoutTheOptionNothingLooks(_ options: String) async throws {
    let program = Watched(program: "harness-stuck", arguments: ["crowd"], options: options)
    let run = try await program.run { _ in isThreadSanitized ? .after(3) : .whenQuiet }
    #expect(run.child.outcome == .stopped)
    #expect(run.child.standardError == "")
  }

  @Test func quittingShowsWhatEveryThreadDoes() async throws {
    let run = try await Watched(program: "harness-stuck", arguments: ["busy"]).run()
    #expect(run.child.outcome == .signalled(SIGQUIT))
    let pictures = try #require(run.report).accusations
    #expect(pictures.map(\.kind) == ["hang"])
    let picture = try #require(pictures.first)
    #expect(picture.corner.contains(Stuck(function: "queueUp(_:)", wants: "semaphore")))
    // Thread Sanitizer keeps the question for a stack from a thread until that makes a call.
    if !isThreadSanitized {
      #expect(picture.corner.contains(Stuck(function: "dig(_:)", wants: nil)))
    }
    #expect(run.child.standardError.contains(picture.title))
  }

  @Test func aProgramMayDealWithQuittingItself() async throws {
    let run = try await Watched(program: "harness-stuck", arguments: ["own-quit"]).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
  }

  private func stuck(_ name: String) async throws -> Watched.Run {
    try await Watched(program: "harness-stuck", arguments: [name], options: "hang=1").run()
  }
}

extension ReportFile.Finding {
  fileprivate var corner: Set<HangTests.Stuck> {
    Set(
      participants.map { participant in
        HangTests.Stuck(
          function: participant.frames.firstUserFrame?.function,
          wants: objects.first { $0.id == participant.wants }?.kind)
      })
  }
}
