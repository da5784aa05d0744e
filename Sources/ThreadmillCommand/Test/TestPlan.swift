import Foundation
import ThreadmillModel

/// One call of `threadmill test`, as it was typed, over what the environment says.
package struct TestPlan: Hashable, Sendable {
  /// The folder of the package, as it was typed; `nil` for the current one.
  package var packagePath: String?
  /// `nil` for Swift's own choice, or that of ``TestPackage`` for a build with Thread Sanitizer.
  package var scratchPath: String?
  package var choice: TestChoice
  package var isSanitized: Bool
  /// The options of every process, without the seed and the path of its report.
  package var options: Options
  package var policy: JitterPolicy
  /// The seed of the first run. All other seeds are derived from it.
  package var seed: Seed
  /// `nil` for as many as there is time for.
  package var count: Int?
  package var seconds: Int?
  package var stopsAtFailure: Bool
  /// XCTest's classes run side by side, in processes of their own.
  package var isParallel: Bool
  /// Each schedule of an exploration runs in a process of its own.
  package var isIsolated: Bool
  /// Seconds for one test; `nil` as long as it makes progress.
  package var timeout: Int?
  /// The part that is done here; `nil` for the whole.
  package var shard: Report.Run.Shard?
  /// The path of the merged report; `nil` for none.
  package var report: String?

  /// Without a word about it, nothing is disturbed. Who wants several runs, or names a seed, wants
  /// jitter, which is a portfolio then.
  ///
  /// - Parameter environment: `THREADMILL_OPTIONS` in it counts where no switch says otherwise, and
  ///   so does what an engine says of shards.
  package init(_ arguments: Arguments, environment: [String: String]) throws {
    let values = arguments.values
    let said = environment[Options.variable, default: ""]
    let usual = try Options(parsing: said)
    var defaults = Options()
    let isRepeated = usual.repetitions != nil || usual.time != nil || usual.seed != nil
    if isRepeated || Self.switchesForJitter.contains(where: arguments.has) {
      defaults.jitter = .portfolio
    }
    // Such a build sees every atomic access of an exploration.
    let explores = arguments.has("--explore") || usual.mode == .explore
    if explores && arguments.has("--sanitize") { defaults.memory = .weak }
    var options = OptionSwitches.options(
      arguments, over: try Options(parsing: said, over: defaults))
    packagePath = values["--package-path"]
    scratchPath = values["--scratch-path"]
    choice = TestChoice(filter: values["--filter"], skip: values["--skip"])
    isSanitized = arguments.has("--sanitize")
    isParallel = arguments.has("--parallel")
    isIsolated = arguments.has("--isolate")
    timeout = values["--timeout"].flatMap { Int($0) }
    shard = try values["--shard"].flatMap(TestShard.parse) ?? TestShard.find(in: environment)
    shard?.campaign = values["--campaign"] ?? TestShard.campaign(in: environment)
    if shard == nil, arguments.has("--campaign") {
      throw WrongInput("--campaign names what shards belong to; expected --shard I/N as well")
    }
    if arguments.has("--explore") { options.mode = .explore }
    // An exploration chooses the order itself.
    if options.mode == .explore { options.jitter = .off }
    if options.mode == .explore, options.confirms {
      throw WrongInput(
        "--confirm explores the tests that have a lock order cycle, and --explore explores all of"
          + " them; expected one of the two")
    }
    if isIsolated, options.mode != .explore, !options.confirms || isSanitized {
      throw WrongInput(
        "--isolate gives each schedule of an exploration a process of its own; expected --explore"
          + " as well, or --confirm without --sanitize")
    }
    policy = options.jitter
    seed = options.seed ?? (options.mode == .explore ? Seed(rawValue: 1) : .random)
    seconds = values["--time"].flatMap { Int($0) } ?? options.time
    count =
      values["--repeat"].flatMap { Int($0) } ?? options.repetitions ?? (seconds == nil ? 1 : nil)
    stopsAtFailure =
      (values["--until"].flatMap(Options.Until.init) ?? options.until) == .failure
    report = options.report
    (options.repetitions, options.time, options.until) = (nil, nil, .failure)
    self.options = options
  }

  private static let switchesForJitter = ["--budget", "--repeat", "--seed", "--time", "--until"]

  /// The time limit of a test.
  var limit: TestLimit { timeout.map(TestLimit.seconds) ?? .usual }

  /// The seed of one run, counted from 1; the first has the one that was given, so that a single
  /// one can be run again.
  package func seed(ofNumber number: Int) -> Seed {
    number == 1 ? seed : Seed.derived(from: seed, number)
  }

  /// The options for the processes of one run.
  package func options(for run: Tally.Run) -> Options {
    var options = options
    options.jitter = run.policy
    options.seed = explores ? seed(ofNumber: run.number) : run.seed
    options.report = nil
    options.confirms = options.confirms && !confirmsByExploring
    return options
  }

  /// Whether tests in which a lock order cycle was found are explored after all runs.
  ///
  /// A process with Thread Sanitizer tries its cycles out at its own end, because explorations with
  /// Thread Sanitizer need another build.
  package var confirmsByExploring: Bool { options.confirms && !isSanitized }

  /// The options for an exploration of one test, counted from 1, that is led to these lines, unless
  /// the user has named others.
  package func options(ofExploration number: Int, towards lines: [CodeLine]) -> Options {
    var options = undisturbed
    options.mode = .explore
    options.seed = Seed(rawValue: UInt64(number))
    if options.towards.isEmpty { options.towards = lines }
    return options
  }

  /// The options for a process that tries its cycles out at its own end.
  package var optionsOfSteering: Options {
    var options = undisturbed
    options.confirms = true
    options.seed = seed
    return options
  }

  private var undisturbed: Options {
    var options = options
    (options.report, options.confirms, options.jitter) = (nil, false, .off)
    return options
  }

  /// Whether every test is explored, in a process of its own.
  package var explores: Bool { options.mode == .explore }

  /// The same for one schedule.
  package func replaying(_ schedule: Schedule) -> TestPlan {
    var plan = self
    plan.options.mode = .explore
    plan.options.jitter = .off
    plan.options.schedule = schedule
    return plan
  }

  /// The command line for that.
  package func command(replaying schedule: Schedule, of test: String) -> String {
    // A schedule is one way to go: nothing is left to be tried out.
    let others = OptionSwitches.namesOfChance.union(OptionSwitches.namesOfExplorations)
      .union(["confirm", "schedule"])
    let options = OptionSwitches.words(for: options, without: others)
    return (["threadmill", "replay"] + words + options + [test.shellQuoted, schedule.description])
      .joined(separator: " ")
  }

  /// The switches that name the package and the build.
  private var words: [String] {
    [("--package-path", packagePath), ("--scratch-path", scratchPath)].flatMap { name, value in
      value.map { [name, $0.shellQuoted] } ?? []
    } + (isSanitized ? ["--sanitize", "thread"] : [])
  }

  /// The command line for one run.
  ///
  /// - Parameter filter: what is run of it; else what the call was filtered by.
  package func command(repeating run: Tally.Run, of filter: String? = nil) -> String {
    var words = ["threadmill", "test"]
    func add(_ name: String, _ value: String?) {
      if let value { words += [name, value.shellQuoted] }
    }
    add("--package-path", packagePath)
    add("--scratch-path", scratchPath)
    add("--filter", filter ?? choice.filter)
    add("--skip", choice.skip)
    add("--sanitize", isSanitized ? "thread" : nil)
    if isIsolated { words.append("--isolate") }
    if explores {
      words.append("--explore")
    } else if run.policy != .off {
      add("--jitter", run.policy.rawValue)
    }
    add("--seed", explores ? seed(ofNumber: run.number).description : run.seed?.description)
    let budget = options.jitterBudget
    add("--budget", run.policy == .off || budget == Options().jitterBudget ? nil : String(budget))
    if isParallel { words.append("--parallel") }
    add("--timeout", timeout.map(String.init))
    words += OptionSwitches.words(for: options, without: OptionSwitches.namesOfChance)
    return words.joined(separator: " ")
  }
}
