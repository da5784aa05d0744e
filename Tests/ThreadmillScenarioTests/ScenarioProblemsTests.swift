import Testing
import ThreadmillScenarios

/// Scenarios that must be refused, and why they are.
@Suite struct ScenarioProblemsTests {
  typealias Expectation = Scenario.Expectation

  /// One of which nothing is wrong, unless it gets another expectation than its own.
  private func scenario(
    fault: Scenario.Fault = .deadlocks,
    flawed: Expectation? = .init(.hangs, observe: .finds("hang"), explore: .finds("hang")),
    harmful: Expectation? = nil, hasHarmful: Bool = false,
    repaired: Expectation? = .init(.ends, observe: .silent)
  ) -> Scenario {
    var expectations: [Scenario.Variant: Expectation] = [:]
    expectations[.flawed] = flawed
    expectations[.harmful] = harmful
    expectations[.repaired] = repaired
    let nothing: Scenario.Body = {}
    return Scenario(
      id: "test", fault: fault, summary: "A test.", expectations: expectations, flawed: nothing,
      harmful: hasHarmful ? nothing : nil, repaired: nothing)
  }

  private func problems(
    _ scenario: Scenario, _ proofs: HazardCatalogue.Proof...
  ) -> [String] {
    scenario.problems(proofs: Set(proofs))
  }

  @Test func aSoundOneHasNoProblem() {
    #expect(problems(scenario(), .observe, .explore) == [])
    let calm = Expectation(.ends, observe: .silent)
    #expect(problems(scenario(fault: .silent, flawed: calm, repaired: calm)) == [])
  }

  @Test func itHasToBeInTheCatalogue() {
    #expect(scenario().problems(proofs: nil) == ["test is not in the catalogue"])
  }

  @Test func everyProgramHasAnExpectation() {
    #expect(
      problems(scenario(repaired: nil), .observe, .explore) == ["repaired has no expectation"])
    let both = Expectation(.hangs, observe: .finds("hang"), explore: .finds("hang"))
    #expect(
      problems(scenario(harmful: both), .observe, .explore) == ["harmful has no program"])
    #expect(
      problems(scenario(hasHarmful: true), .observe, .explore) == ["harmful has no expectation"])
  }

  @Test func everyModeThatIsThereHasAVerdict() {
    let observed = Expectation(.hangs, observe: .finds("hang"))
    #expect(
      scenario(flawed: observed).problems(
        proofs: [.observe], available: Scenario.Mode.allCases) == [
          "flawed has no verdict for explore"
        ])
  }

  @Test func laterModesHaveVerdictsWhereTheCatalogueAsks() {
    #expect(
      problems(scenario(), .observe) == [
        "flawed has a verdict for explore, which the catalogue does not ask for"
      ])
    let observed = Expectation(.hangs, observe: .finds("hang"))
    #expect(
      problems(scenario(flawed: observed), .explore) == ["no variant proves explore"])
  }

  @Test func aKindHasToBeInReach() {
    let race = Expectation(
      .errs, observe: .finds("dataRace"), explore: .finds("assertionFailure"))
    #expect(
      problems(scenario(flawed: race), .explore) == ["flawed, observe: dataRace is out of reach"])
    let wrong = Expectation(.errs, observe: .missed, tsan: .finds("assertionFailure"))
    #expect(
      problems(scenario(flawed: wrong, repaired: .init(.ends, observe: .silent)), .tsan) == [
        "flawed, tsan: assertionFailure is out of reach",
        "flawed, tsan+jitter: assertionFailure is out of reach",
      ])
    let allowed = Expectation(
      .hangs, observe: .finds("hang", allowing: "lateWrite", "hiccup"), tsan: .finds("hang"),
      explore: .finds("hang"))
    #expect(
      problems(scenario(flawed: allowed), .explore) == [
        "flawed, observe: there is no kind hiccup", "flawed, observe: lateWrite is out of reach",
      ])
  }

  /// A mode that cannot find what the program does not do.
  @Test func aKindHasToFitTheOutcome() {
    let quick = Expectation(
      .errs, observe: .finds("hang"), tsan: .finds("crash"), explore: .finds("assertionFailure"))
    #expect(
      problems(scenario(flawed: quick), .explore) == [
        "flawed, observe: hang of a program that does not hang",
        "flawed, tsan: a crash of a program that does not trap",
        "flawed, tsan+jitter: a crash of a program that does not trap",
      ])
    // Another schedule may come to another end.
    let silent = Expectation(.hangs, observe: .missed, explore: .finds("assertionFailure"))
    #expect(problems(scenario(flawed: silent), .explore) == [])
  }

  @Test func aVerdictHasToMeanSomething() {
    let empty = Expectation(
      .hangs, observe: .finds(), tsan: .perhaps(), explore: .perhaps("hang", rate: 99))
    #expect(
      problems(scenario(flawed: empty), .explore) == [
        "flawed, observe: finds nothing that is required",
        "flawed, tsan: perhaps finds nothing",
        "flawed, tsan+jitter: perhaps finds nothing",
        "flawed, explore: a share of 99.0 of the runs",
      ])
  }

  @Test func theRepairedTwinIsRightAndSilent() {
    let late = Expectation(.delays, observe: .missed)
    #expect(
      problems(scenario(repaired: late), .observe, .explore) == [
        "repaired does not come to a good end", "repaired is not silent",
      ])
  }

  @Test func theTwinsOfACorrectProgramAreTheSame() {
    #expect(
      problems(scenario(fault: .silent), .explore) == ["the twins of a correct program differ"])
  }

  @Test func aFlawIsNotCalledCorrect() {
    let calm = Expectation(.hangs, observe: .silent, tsan: .finds("hang"), explore: .finds("hang"))
    #expect(problems(scenario(flawed: calm), .explore) == ["flawed is called correct"])
  }

  @Test(arguments: [Scenario.Outcome.ends, .mayErr, .mayHang])
  func aFlawDoesHarmInEveryRun(_ outcome: Scenario.Outcome) {
    let lucky = Expectation(
      outcome, observe: .finds("poolStarvation"), explore: .finds("poolStarvation"))
    #expect(
      problems(scenario(flawed: lucky), .explore) == ["no variant does harm in every run"])
  }

  @Test func theCulpritsAreNamed() {
    let flawed = Expectation(
      .hangs, observe: .finds("deadlock", allowing: "hang"), explore: .finds("deadlock"))
    let scenario = scenario(flawed: flawed)
    #expect(scenario.culpritProblems([:]) == ["deadlock names no culprits"])
    #expect(scenario.culpritProblems(["deadlock": [["cook()"]]]) == [])
    #expect(scenario.culpritProblems(["deadlock": [["cook()"]], "hang": [["serve()"]]]) == [])
    #expect(
      scenario.culpritProblems(["deadlock": [["cook()"]], "crash": [["serve()"]]]) == [
        "crash has culprits, and is never found"
      ])
    #expect(scenario.culpritProblems(["deadlock": [[]]]) == ["deadlock accuses nobody"])
  }

  @Test func aFlawIsFoundBySomebody() {
    let unseen = Expectation(.hangs, observe: .missed, tsan: .perhaps("hang"))
    let quiet = Expectation(.ends, observe: .silent)
    #expect(problems(scenario(flawed: unseen, repaired: quiet)) == ["no mode finds it"])
  }

  @Test func everyProofIsThere() {
    let found = scenario(
      flawed: .init(
        .hangs, observe: .missed, tsan: .finds("dataRace"),
        jitter: .perhaps("dataRace", rate: 0.99), explore: .missed),
      repaired: .init(.ends, observe: .silent))
    #expect(
      problems(found, .tsan, .jitter, .explore, .observe, .trap) == [
        "no variant proves explore", "no variant proves observe", "no variant proves trap",
      ])
    let trap = scenario(
      flawed: .init(.traps, observe: .finds("crash"), explore: .finds("crash")))
    #expect(problems(trap, .trap, .explore) == [])
    let chance = scenario(flawed: .init(.hangs, observe: .perhaps("hang"), explore: .finds("hang")))
    #expect(problems(chance, .observe, .explore) == ["no variant proves observe"])
  }
}
