import Testing
import ThreadmillModel

@testable import ThreadmillCommand

/// What `threadmill test` makes of switches and environment.
@Suite struct TestPlanTests {
  private static let schedule = "tm1:DACBBAAAAAAwjQRBZBh"

  private func plan(_ words: String..., options: String = "seed=42") throws -> TestPlan {
    guard case .run(let command, let arguments) = try CommandLineParser().parse(["test"] + words)
    else { throw UsageError.noCommand(allowed: []) }
    #expect(command.name == "test")
    return try TestPlan(arguments, environment: [Options.variable: options])
  }

  /// A package's own list of its tests (LinuxMain.swift) may have a test twice.
  @Test func aTestThatIsListedTwiceIsOne() {
    let tests = #"{"name": "testA"}, {"name": "testB"}, {"name": "testA"}"#
    let suite = #"{"name": "M.Tests", "tests": [\#(tests)]}"#
    let listed = TestBinary.tests(.xctest, in: #"{"name": "All tests", "tests": [\#(suite)]}"#)
    #expect(listed.map(\.name) == ["M.Tests/testA", "M.Tests/testB"])
  }

  @Test func nothingSaidIsOneRunThatDisturbsNothing() throws {
    #expect(try plan(options: "").policy == .off)
    #expect(try plan("--sanitize", "thread", "--parallel", options: "hang=5").policy == .off)
    #expect(try plan(options: "").limit == .standstill(120))
    #expect(try plan("--timeout", "9", options: "").limit == .seconds(9))
  }

  @Test(arguments: [["--repeat", "3"], ["--until", "end"], ["--time", "3"], ["--seed", "3"]])
  func whoeverWantsRunsOrASeedWantsJitter(_ words: [String]) throws {
    let arguments = Arguments(values: [words[0]: words[1]])
    #expect(try TestPlan(arguments, environment: [:]).policy == .portfolio)
    let off = Arguments(values: [words[0]: words[1], "--jitter": "off"])
    #expect(try TestPlan(off, environment: [:]).policy == .off)
  }

  /// Only such a build sees all atomic accesses; what the options say comes first.
  @Test func explorationsUnderTheSanitizerHaveWeakMemory() throws {
    #expect(try plan("--explore", "--sanitize", "thread").options.memory == .weak)
    #expect(try plan("--sanitize", "thread", options: "mode=explore").options.memory == .weak)
    let strong = try plan("--explore", "--sanitize", "thread", options: "memory=strong")
    #expect(strong.options.memory == .strong)
    #expect(try plan("--explore").options.memory == .strong)
    #expect(try plan("--sanitize", "thread").options.memory == .strong)
    #expect(try plan("--explore", options: "memory=weak").options.memory == .weak)
  }

  @Test func aSeedIsOneRunOfAPortfolio() throws {
    let plan = try plan()
    #expect(plan.policy == .portfolio)
    #expect(plan.count == 1)
    #expect(plan.seconds == nil)
    #expect(plan.stopsAtFailure)
    #expect(plan.seed == Seed(rawValue: 42))
    #expect(plan.report == nil)
    #expect(!plan.isSanitized)
  }

  @Test func withoutASeedThereIsAnotherEachTime() throws {
    let (one, other) = (try plan(options: ""), try plan(options: ""))
    #expect(one.seed != other.seed)
  }

  @Test func switchesComeBeforeOptions() throws {
    let options = "jitter=light seed=1 repeat=2 time=3 until=failure jitterbudget=4 report=r.json"
    let said = try plan(options: options)
    #expect(said.policy == .light && said.seed == Seed(rawValue: 1) && said.count == 2)
    #expect(said.seconds == 3 && said.stopsAtFailure && said.report == "r.json")
    #expect(said.options.jitterBudget == 4)
    let typed = try plan(
      "--jitter", "heavy", "--seed", "5", "--repeat", "6", "--time", "7", "--until", "end",
      "--budget", "8", "--sanitize", "thread", options: options)
    #expect(typed.policy == .heavy && typed.seed == Seed(rawValue: 5) && typed.count == 6)
    #expect(typed.seconds == 7 && !typed.stopsAtFailure && typed.report == "r.json")
    #expect(typed.options.jitterBudget == 8 && typed.isSanitized)
  }

  @Test func aShardIsTypedOrSaidByAnEngine() throws {
    #expect(try plan("--shard", "2/5").shard == Report.Run.Shard(index: 2, total: 5))
    #expect(try plan().shard == nil)
  }

  @Test func aCampaignBelongsToShards() throws {
    #expect(try plan("--shard", "2/5", "--campaign", "c 1").shard?.campaign == "c 1")
    let error = #expect(throws: WrongInput.self) { try plan("--campaign", "c") }
    #expect(
      error?.lines == ["--campaign names what shards belong to; expected --shard I/N as well"])
  }

  @Test func jitterCanBeSwitchedOff() throws {
    #expect(try plan(options: "jitter=off").policy == .off)
    #expect(try plan("--jitter", "off").policy == .off)
  }

  @Test func timeAloneIsALimit() throws {
    #expect(try plan("--time", "60").count == nil)
    #expect(try plan("--time", "60", "--repeat", "5").count == 5)
  }

  /// The processes do one run: who repeats them is the command. What else was said reaches them.
  @Test func theProcessesAreToldTheirRun() throws {
    let plan = try plan(
      "--repeat", "9", options: "seed=1 until=end time=5 hang=7 report=all.json without=crash")
    let run = Tally.Run(number: 3, policy: .starve, seed: plan.seed(ofNumber: 3))
    let told = plan.options(for: run)
    let seed = Seed.derived(from: Seed(rawValue: 1), 3)
    #expect(
      told.text == "hang=7 jitter=starve seed=\(seed) without=crash")
  }

  @Test func theFirstSeedIsTheGivenOne() throws {
    let plan = try plan("--seed", "7")
    #expect(plan.seed(ofNumber: 1) == Seed(rawValue: 7))
    let seeds = (1...100).map { plan.seed(ofNumber: $0) }
    #expect(Set(seeds).count == 100)
  }

  /// What is printed leads to the same run.
  @Test func theCommandRepeatsARun() throws {
    let plan = try plan(
      "--package-path", "my bank", "--filter", "a|b's", "--sanitize", "thread", "--repeat", "50",
      "--budget", "20", "--until", "end", "--scratch-path", "/tmp/build")
    let run = Tally.Run(number: 3, policy: .nearMiss, seed: Seed(rawValue: 99))
    let command = plan.command(repeating: run)
    #expect(
      command == """
        threadmill test --package-path 'my bank' --scratch-path /tmp/build --filter 'a|b'\\''s' \
        --sanitize thread --jitter near-miss --seed 99 --budget 20
        """)
    let other = try self.plan(
      "--skip", "Slow", "--parallel", "--timeout", "9", "--hang", "3", "--confirm")
    #expect(
      other.command(repeating: run) == """
        threadmill test --skip Slow --jitter near-miss --seed 99 --parallel --timeout 9 --confirm \
        --hang 3
        """)
    let off = Tally.Run(number: 1, policy: .off, seed: nil)
    #expect(try self.plan().command(repeating: off) == "threadmill test")
    #expect(
      try self.plan().command(repeating: off, of: "M.S/t") == "threadmill test --filter M.S/t")
    let chosen = try self.plan("--filter", "M")
    #expect(chosen.command(repeating: off, of: "M.S/t") == "threadmill test --filter M.S/t")
    #expect(chosen.command(repeating: off) == "threadmill test --filter M")
  }

  /// A schedule says who goes when; whatever else decides about the run is said beside it.
  @Test func theCommandReplaysASchedule() throws {
    let schedule = try Schedule(parsing: Self.schedule)
    let plan = try plan(
      "--package-path", "my bank", "--explore", "--schedules", "20", "--strategy", "pct", "--seed",
      "7", "--pool", "2", "--sanitize", "thread", options: "without=dataRace hang=3")
    #expect(
      plan.command(replaying: schedule, of: "M.S/a(b:)") == """
        threadmill replay --package-path 'my bank' --sanitize thread --hang 3 --pool 2 \
        --without dataRace 'M.S/a(b:)' \(Self.schedule)
        """)
    // The command that replayed it says the same again.
    for plan in try [self.plan(), self.plan().replaying(schedule)] {
      #expect(
        plan.command(replaying: schedule, of: "M.one")
          == "threadmill replay M.one \(Self.schedule)")
    }
  }

  /// A cycle of several tests may be confirmed by a schedule of any of them.
  @Test func theCommandReplaysTheTestOfTheSchedule() throws {
    var finding = Finding(
      kind: .lockOrderCycle, status: .confirmed, title: "cycle", tests: ["M.one", "M.two"])
    #expect(try plan().command(replaying: finding) == nil)
    finding.schedule = Self.schedule
    #expect(
      try plan().command(replaying: finding) == "threadmill replay M.one \(Self.schedule)")
    finding.confirmation = .init(tries: 2, test: "M.two")
    #expect(
      try plan().command(replaying: finding) == "threadmill replay M.two \(Self.schedule)")
  }

  /// The processes of the runs only watch: their cycles are tried out when all runs are over.
  @Test func cyclesAreTriedOutAfterTheRuns() throws {
    let plan = try plan(
      "--confirm", "--repeat", "5", "--schedules", "70", "--hang", "3", options: "seed=7")
    let run = Tally.Run(number: 2, policy: .light, seed: Seed(rawValue: 8))
    #expect(plan.confirmsByExploring)
    #expect(plan.options(for: run).text == "hang=3 jitter=light schedules=70 seed=8")
    let first = plan.options(ofExploration: 1, towards: [])
    #expect(first.text == "hang=3 mode=explore schedules=70 seed=1")
    let line = CodeLine(file: "/a b/bank.c", line: 3)
    let second = plan.options(ofExploration: 2, towards: [line])
    #expect(
      second.text == #"hang=3 mode=explore schedules=70 seed=2 towards="/a b/bank.c:3""#)
    let chosen = try self.plan("--confirm", "--towards", "own.c:5")
    #expect(
      chosen.options(ofExploration: 1, towards: [line]).text
        == "mode=explore seed=1 towards=own.c:5")
    #expect(plan.optionsOfSteering.text == "confirm=true hang=3 schedules=70 seed=7")
    let schedule = try Schedule(parsing: Self.schedule)
    #expect(
      plan.command(replaying: schedule, of: "M.one")
        == "threadmill replay --hang 3 M.one \(Self.schedule)")
  }

  /// To explore with Thread Sanitizer takes another build, so the process tries them out itself.
  @Test func aSanitizedProcessTriesItsCyclesOut() throws {
    let plan = try plan("--confirm", "--sanitize", "thread")
    #expect(!plan.confirmsByExploring)
    let run = Tally.Run(number: 1, policy: .off, seed: nil)
    #expect(plan.options(for: run).confirms)
  }

  @Test(arguments: [["--confirm"], []]) func whatIsExploredIsNotConfirmed(_ words: [String]) {
    let error = #expect(throws: WrongInput.self) {
      _ =
        words.isEmpty
        ? try plan("--explore", options: "confirm=true") : try plan("--explore", words[0])
    }
    #expect(
      error?.lines == [
        "--confirm explores the tests that have a lock order cycle, and --explore explores all of"
          + " them; expected one of the two"
      ])
  }

  /// Schedules have processes of their own where something is explored.
  @Test func explorationsAreIsolated() throws {
    let run = Tally.Run(number: 1, policy: .off, seed: nil)
    let plan = try plan("--explore", "--isolate")
    #expect(plan.isIsolated)
    #expect(plan.command(repeating: run) == "threadmill test --isolate --explore --seed 42")
    #expect(try self.plan("--isolate", "--confirm").isIsolated)
    #expect(try self.plan("--isolate", options: "mode=explore").isIsolated)
    #expect(try !self.plan("--explore").isIsolated)
    #expect(throws: WrongInput.self) {
      _ = try self.plan("--isolate", "--confirm", "--sanitize", "thread")
    }
    let error = #expect(throws: WrongInput.self) { _ = try self.plan("--isolate") }
    #expect(
      error?.lines == [
        "--isolate gives each schedule of an exploration a process of its own; expected --explore"
          + " as well, or --confirm without --sanitize"
      ])
  }

  @Test(arguments: [
    ["--repeat", "0"], ["--seed", "-1"], ["--jitter", "purple"], ["--until", "never"],
    ["--time", "0"], ["--budget", "96"], ["--timeout", "0"], ["--skip", "("], ["--shard", "0/2"],
    ["--shard", "1/2", "--campaign", ""], ["--shard", "1/2", "--campaign", "a\nb"],
    ["--shard", "3/2"], ["--shard", "1"], ["--shard", "1/2/3"], ["--hang", "soon"],
    ["--sanitize", "address"], ["--filter"], ["tests"],
  ])
  func whatIsWrongIsRefused(_ words: [String]) {
    #expect(throws: UsageError.self) { try CommandLineParser().parse(["test"] + words) }
  }

  @Test func badOptionsAreRefused() {
    #expect(throws: InvalidOptions.self) { try plan(options: "jitter=purple") }
  }
}
