import Testing
import ThreadmillChildren
import ThreadmillScenarios

@testable import ThreadmillCommand

/// What is held against what: every outcome with every end, every verdict with what was found.
@Suite struct JudgeTests {
  private func problem(
    _ outcome: Scenario.Outcome, _ verdict: Scenario.Verdict?, _ ending: ChildProcess.Outcome,
    _ kinds: Set<String>?, isSanitized: Bool = false
  ) -> String? {
    Judge.problem(
      outcome: outcome, verdict: verdict, seen: Sighting(ending: ending, kinds: kinds),
      isSanitized: isSanitized)
  }

  private static let endings: [ChildProcess.Outcome] = [
    .exited(0), .exited(1), .exited(64), .exited(66), .signalled(5), .stopped, .timedOut,
  ]

  @Test(
    arguments: [
      (.ends, [.exited(0)]), (.delays, [.exited(0)]), (.errs, [.exited(64)]),
      (.mayErr, [.exited(0), .exited(64)]), (.hangs, [.stopped, .timedOut]),
      (.mayHang, [.exited(0), .stopped, .timedOut]), (.traps, [.signalled(5)]),
    ] as [(Scenario.Outcome, [ChildProcess.Outcome])])
  func nobodyLooks(_ outcome: Scenario.Outcome, _ right: [ChildProcess.Outcome]) {
    #expect(Self.endings.filter { problem(outcome, nil, $0, nil) == nil } == right)
    #expect(Self.endings.filter { problem(outcome, nil, $0, []) == nil } == right)
    for ending in Self.endings { #expect(problem(outcome, nil, ending, ["hang"]) != nil) }
  }

  /// What is found changes how a program ends: it fails, or is ended for it.
  @Test(
    arguments: [
      (.ends, [.exited(1), .exited(66)]), (.delays, [.exited(0)]), (.errs, [.exited(64)]),
      (.mayErr, [.exited(1), .exited(64), .exited(66)]),
      (.hangs, [.exited(1), .stopped, .timedOut]),
      (.mayHang, [.exited(1), .exited(66), .stopped, .timedOut]), (.traps, [.signalled(5)]),
    ] as [(Scenario.Outcome, [ChildProcess.Outcome])])
  func somethingIsFound(_ outcome: Scenario.Outcome, _ right: [ChildProcess.Outcome]) {
    let verdict = Scenario.Verdict.finds(required: ["deadlock"], allowed: [])
    #expect(
      Self.endings.filter { problem(outcome, verdict, $0, ["deadlock"]) == nil } == right)
  }

  @Test func theSanitizerExitsWhereOthersDie() {
    #expect(problem(.traps, nil, .exited(66), nil, isSanitized: true) == nil)
    #expect(problem(.traps, nil, .exited(66), nil) != nil)
  }

  @Test(
    arguments: [
      (.silent, [], nil),
      (.silent, ["hang"], "finds hang, which must not be"),
      (.missed, [], nil),
      (.missed, ["hang"], "finds hang, which must not be"),
      (.perhaps(["hang"], rate: 1), [], nil),
      (.perhaps(["hang"], rate: 1), ["hang"], nil),
      (.perhaps(["hang"], rate: 1), ["crash"], "finds crash, which must not be"),
      (.finds(required: ["deadlock"], allowed: ["hang"]), ["deadlock"], nil),
      (.finds(required: ["deadlock"], allowed: ["hang"]), ["deadlock", "hang"], nil),
      (
        .finds(required: ["deadlock"], allowed: ["hang"]), ["hang"],
        "must find deadlock, but finds hang only"
      ),
      (
        .finds(required: ["deadlock", "hang"], allowed: []), [],
        "must find deadlock, hang, but finds nothing"
      ),
      (
        .finds(required: ["deadlock"], allowed: ["hang"]), ["crash"],
        "must find deadlock, but finds crash only, finds crash, which must not be"
      ),
    ] as [(Scenario.Verdict, Set<String>, String?)])
  func nothingMissingAndNothingOnTop(
    _ verdict: Scenario.Verdict, _ kinds: Set<String>, _ words: String?
  ) {
    #expect(problem(.delays, verdict, .exited(0), kinds) == words)
  }

  /// Who was killed while it hung had no time to write one.
  @Test func silenceIsAReport() {
    #expect(problem(.ends, .silent, .exited(0), nil) == "there is no report")
    #expect(problem(.hangs, .missed, .stopped, nil) == nil)
    #expect(problem(.traps, .missed, .signalled(5), nil) == "there is no report")
  }

  @Test func aWrongEndIsTold() {
    #expect(problem(.hangs, .missed, .exited(0), []) == "must hang, but ends well")
    #expect(
      problem(.ends, .silent, .exited(64), [])
        == "must come to its end, but ends with a wrong result")
    #expect(
      problem(.traps, nil, .timedOut, nil)
        == "must be killed by a signal, but is still running at the limit")
    #expect(
      problem(.errs, .missed, .exited(0), ["crash"])
        == "finds crash, which must not be; must end with a wrong result, but ends well")
  }

  /// A shaken schedule may do to a flawed program what else only steering does; nobody else may.
  @Test(
    arguments: [
      (.exited(1), ["lockOrderCycle"], true), (.stopped, ["deadlock"], true),
      (.exited(1), ["deadlock"], true), (.stopped, ["deadlock", "lockOrderCycle"], true),
      (.exited(64), ["lockOrderCycle"], true), (.exited(0), [], false), (.stopped, [], false),
      (.exited(1), ["dataRace"], false), (.signalled(5), ["deadlock"], false),
    ] as [(ChildProcess.Outcome, Set<String>, Bool)])
  func whatIsShakenMayDoTheHarm(
    _ ending: ChildProcess.Outcome, _ kinds: Set<String>, _ isRight: Bool
  ) throws {
    let seen = Sighting(ending: ending, kinds: kinds)
    let scenario = try #require(Scenario.named("hammer-and-saw"))
    let trials = Trial.all([scenario], in: [.tsan, .jitter]).filter { $0.variant == .flawed }
    let right = trials.map { $0.problem(seen, isSanitized: true) == nil }
    #expect(right == [isRight && ending == .exited(1) && kinds == ["lockOrderCycle"], isRight])
    let repaired = Trial.all([scenario], in: [.jitter]).filter { $0.variant == .repaired }
    #expect(
      repaired.map { $0.problem(seen, isSanitized: true) == nil } == [ending == .exited(0)])
  }

  /// Few finds are told apart from bad luck.
  @Test(
    arguments: [
      (0.99, 1, 1, false), (0.99, 0, 1, false), (0.99, 0, 2, true), (0.99, 18, 20, false),
      (0.99, 16, 20, true), (0.5, 0, 9, false), (0.5, 0, 10, true), (1, 19, 20, true),
      (1, 20, 20, false), (0, 0, 1_000, false), (0.99, 990, 1_000, false),
    ] as [(Double, Int, Int, Bool)])
  func aRateIsKeptOrNot(_ wanted: Double, _ found: Int, _ runs: Int, _ isTooRare: Bool) {
    let rate = Rate(wanted: wanted, found: found, runs: runs)
    #expect((rate.problem != nil) == isTooRare, "likelihood \(rate.likelihood)")
  }
}
