import Testing
import ThreadmillChildren
import ThreadmillScenarios
import ThreadmillTestSupport

@testable import ThreadmillCommand

/// What `threadmill scenarios run` says around a run.
@Suite struct ScenarioTellingTests {
  private static let source = """
    extension Scenario {
      /// Two workers share one hammer and one saw, and each of them needs both, now and then even
      /// at one time.
      ///
      /// **What people write.** Hammer, then saw.
      ///
      /// **Repair.** One order.
      static let hammerAndSaw = Scenario(
        flawed: { ToolShed().cutRafter() },
        harmful: {
          let shed = ToolShed()
          shed.cutRafter()
        },
        repaired: {
          let shed = ToolShed()
          shed.cutRafterHammerFirst()
        })
    }

    private final class ToolShed {
      func cutRafter() { saw() }
      func cutRafterHammerFirst() { hammer() }
    }
    """

  private func telling(
    _ variant: Scenario.Variant = .flawed, isColoured: Bool = false
  ) throws -> ScenarioTelling {
    ScenarioTelling(
      try #require(Scenario.named("hammer-and-saw")), try Story(source: Self.source),
      variant: variant, isSanitized: false, ink: Ink(isColoured: isColoured))
  }

  private static let beginning = """
    hammer-and-saw
      Two workers share one hammer and one saw, and each of them needs both, now and then even
      at one time.

    What people write
      Hammer, then saw.

    The flawed program, watched


    """

  private static let end = """
      It hung, and was stopped after 3 s. Threadmill found: deadlock, lockOrderCycle.

    Repair
      One order.

    --- harmful
    +++ repaired
    @@ -1,6 +1,6 @@
     let shed = ToolShed()
    -shed.cutRafter()
    +shed.cutRafterHammerFirst()

     private final class ToolShed {
    -  func cutRafter() { saw() }
    +  func cutRafterHammerFirst() { hammer() }
     }

    source  Scenarios/Deadlocks/HammerAndSaw.swift
    next    threadmill scenarios run hammer-and-saw --variant harmful

    """

  private static let run = WatchedRun(
    ending: .stopped, seconds: 3, kinds: ["lockOrderCycle", "deadlock"])

  @Test func itTellsTheStoryTheEndAndTheRepair() throws {
    #expect(try telling().beginning == Self.beginning)
    #expect(try telling().end(after: Self.run) == Self.end)
  }

  /// Colours change no letter, and a diff has its own.
  @Test func coloursAreOnTopOfTheText() throws {
    let coloured = try telling(isColoured: true)
    let text = coloured.beginning + coloured.end(after: Self.run)
    #expect(text.replacing(#/\u{1B}\[\d+m/#, with: "") == Self.beginning + Self.end)
    for line in [
      "\u{1B}[1mhammer-and-saw\u{1B}[0m", "\u{1B}[31m-shed.cutRafter()\u{1B}[0m",
      "\u{1B}[32m+shed.cutRafterHammerFirst()\u{1B}[0m", "\u{1B}[36m@@ -1,6 +1,6 @@\u{1B}[0m",
    ] {
      #expect(text.contains("\(line)\n"))
    }
  }

  @Test(
    arguments: [
      (.exited(0), [], "It came to its end. Threadmill found nothing."),
      (.exited(64), [], "It came to its end, with a wrong result. Threadmill found nothing."),
      (.exited(1), [], "It ended with status 1. Threadmill found nothing."),
      (.exited(1), ["hang"], "It ended with status 1, for what was found. Threadmill found: hang."),
      (.signalled(5), [], "It was killed by signal 5 (SIGTRAP). Threadmill found nothing."),
      (.signalled(60), [], "It was killed by signal 60. Threadmill found nothing."),
      (.stopped, [], "It hung, and was stopped after 20 s. Threadmill found nothing."),
    ] as [(ChildProcess.Outcome, Set<String>, String)])
  func whatBecameOfItIsSaid(_ ending: ChildProcess.Outcome, _ kinds: Set<String>, _ words: String) {
    #expect(WatchedRun(ending: ending, seconds: 20, kinds: kinds).sentences == words)
  }

  @Test func aBlindSpotIsAdmitted() {
    let run = WatchedRun(ending: .exited(64), kinds: [], blindness: .always)
    #expect(run.sentences.hasSuffix("found nothing: this is a known blind spot."))
    let once = WatchedRun(ending: .exited(0), kinds: [], blindness: .unlessExplored)
    #expect(once.sentences.hasSuffix("found nothing in this one run: an exploration finds it."))
    let seeing = WatchedRun(ending: .exited(1), kinds: ["hang"], blindness: .always)
    #expect(seeing.sentences.hasSuffix("Threadmill found: hang."))
  }

  /// A data race is not shown by a run that cannot see it.
  @Test(
    arguments: [
      ("lazy-init", true), ("quiet-counter", true), ("broken-confinement", false),
      ("hammer-and-saw", false), ("synced-accessors", false), ("gate-lock", false),
    ])
  func itIsWatchedWhereThereIsSomethingToSee(_ id: String, wantsSanitizer: Bool) throws {
    let scenario = try #require(Scenario.named(id))
    #expect(ScenarioWatch.wantsSanitizer(scenario) == (isThreadSanitized || wantsSanitizer))
  }

  @Test(arguments: Scenario.all) func everyScenarioIsTold(_ scenario: Scenario) throws {
    let telling = ScenarioTelling(
      scenario, try scenario.story(), variant: .flawed, isSanitized: true,
      ink: Ink(isColoured: false))
    #expect(telling.beginning.contains("program, watched, in a build with Thread Sanitizer\n"))
    let end = telling.end(after: WatchedRun(ending: .exited(0), kinds: []))
    let lines = (telling.beginning + end).split(separator: "\n")
    #expect(lines.filter { $0.count > 100 } == [])
    #expect(end.contains("\n--- ") == (scenario.fault != .silent))
    #expect(end.contains("\nRepair\n") == (scenario.fault != .silent))
    #expect(end.contains("\nWhy it is correct\n") == (scenario.fault == .silent))
  }

  @Test(
    arguments: [
      ([], ""), (["\n", "\n"], ""), (["\none\n"], "one\n\n"), (["one"], "one\n\n"),
      (["\n", "one\n", "\n\n", "two\n\n\n"], "one\n\n\ntwo\n\n"),
    ])
  func whatAProgramSaysIsSetOff(_ pieces: [String], _ text: String) {
    var output = SetOffText()
    let written = pieces.map { output.next($0) }.joined()
    #expect(written + output.end == text)
  }
}
