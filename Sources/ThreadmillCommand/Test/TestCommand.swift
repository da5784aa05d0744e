import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting

extension Command {
  static let test = Command(
    name: "test",
    sentence: "Build the tests of any package, and watch them run.",
    switches: ([
      Switch(
        "--campaign", takes: .campaign,
        "The campaign that this shard belongs to, so that shards of two campaigns are not mixed up;"
          + " the default is $\(TestShard.campaignVariable), or the job of Slurm, GitHub or GitLab."
      ),
      Switch(
        "--explore",
        "Run each test under many schedules; in each of them, one thread, block or task runs at a"
          + " time."
      ).under(.chance),
      Switch(
        "--filter", takes: .expression,
        "Run only tests whose name (Module.Suite/test()) matches this expression."),
      Switch(
        "--isolate",
        "Give each schedule of an exploration a process of its own, so that schedules share no"
          + " memory and no static variables."
      ).under(.chance),
      Switch(
        "--parallel", "Run classes of XCTest side by side, one for each core."),
      Switch(
        "--package-path", takes: .path, "The package's folder; the default is the current folder."),
      Switch(
        "--repeat", takes: .count, "Run the tests this many times, each time with another seed."
      ).under(.chance),
      Switch("--sanitize", takes: .sanitizer, "Build and run with Thread Sanitizer.").under(
        .search),
      Switch("--scratch-path", takes: .path, "Build in this folder."),
      Switch(
        "--shard", takes: .shard,
        "Run only this part of the tests; without this switch, Bazel, gtest, Slurm or GitLab may"
          + " name the part."),
      Switch("--skip", takes: .expression, "Run no tests whose name matches this expression."),
      Switch("--time", takes: .seconds, "Start no further run after this long.").under(.chance),
      Switch(
        "--timeout", takes: .seconds,
        "End a test that runs for longer, report what its threads did, and go on with the others;"
          + " without this switch, only a test that makes no progress for 120 s is ended."),
      Switch(
        "--until", takes: .until,
        "Stop at the first run that fails (failure, the default), or after all runs (end)."
      ).under(.chance),
      Switch("--verbose", "Print what the tests print.").under(.output),
    ] + OptionSwitches.all + OptionSwitches.ofExplorations + ReportJudging.switches
      + ReportOutputs.switches)
      .sorted { $0.name < $1.name },
    examples: [
      ("threadmill test", "Watch the tests of the package in this folder."),
      ("threadmill test --sanitize thread", "Find data races as well."),
      ("threadmill test --repeat 50", "Disturb the tests, and stop at the first failure."),
      ("threadmill test --confirm", "Find out which lock order cycles deadlock."),
      ("threadmill test --explore --filter Bank", "Run some tests in many orders of their steps."),
    ],
    fails: "a test failed (an error that was found fails its test, a warning does not), or the"
      + " tests do not build"
  ) { arguments, console in
    try TestCommand(arguments, console).run()
  }
}

/// One call of `threadmill test`.
private struct TestCommand {
  private let plan: TestPlan
  private let package: TestPackage
  private let console: Console
  private let outputs: ReportOutputs
  private let judging: ReportJudging
  private let isVerbose: Bool

  init(_ arguments: Arguments, _ console: Console) throws {
    let environment = ProcessInfo.processInfo.environment
    var plan = try TestPlan(arguments, environment: environment)
    judging = try ReportJudging(arguments)
    outputs = ReportOutputs(arguments)
    isVerbose = arguments.has("--verbose")
    judging.tell(&plan.options)
    outputs.tell(&plan.options)
    self.plan = plan
    package = TestPackage(plan, environment: environment)
    self.console = console
  }

  func run() throws -> ExitStatus {
    let built = try Interruption.heeding { [package, console] in
      try await package.build(console)
    }
    guard built.outcome == .exited(0) else {
      console.say(built.output)
      console.complain(
        "threadmill test: the tests do not build; no test was run, and no report was written\n")
      return .findings
    }
    let series = try Interruption.heeding { [plan, package, console, isVerbose] in
      var process = package.process(try package.binary(), limit: plan.limit)
      let all = try await process.list()
      let chosen = try plan.choice.chosen(from: all)
      let progress = Progress("test", total: plan.count, wrong: "failed", console: console)
      defer { progress.end() }
      let tests = TestProgress(
        progress, total: TestShard.share(of: chosen, run: 1, plan.shard).count)
      process.progress = tests
      var series = TestSeries(
        plan, chosen,
        in: TestRound(
          process: process, all: all, isParallel: plan.isParallel, isApart: plan.explores,
          isIsolated: plan.isIsolated))
      while !Task.isCancelled, let run = series.next() {
        tests.begin()
        let result = try await series.perform(run)
        if isVerbose { console.say(result.output) }
        progress.advance(past: run.policy.rawValue, isWrong: !result.hasPassed)
      }
      try await series.measureRecurrence { progress.note("the failing run again: \($0) of 5") }
      try await series.confirmCycles { progress.note($0) }
      return series
    } interrupted: { series in
      console.complain("threadmill test: interrupted; this is what was found so far\n")
      do { _ = try tell(series, isWhole: false) } catch {
        console.complain("threadmill test: \(error)\n")
      }
    }
    return try tell(series)
  }

  private func exploredNothing() -> ExitStatus {
    console.complain(
      "threadmill test: no test was explored, so this is no result; without --explore, the tests"
        + " are watched as they run\n")
    return .wrongUsage
  }

  /// Says what came of it, the findings last.
  ///
  /// - Parameter isWhole: whether all tests have run to their end.
  private func tell(_ series: TestSeries, isWhole: Bool = true) throws -> ExitStatus {
    let mayBeEmpty = series.tally.runs == 0 || !isWhole
    guard var report = series.report ?? (mayBeEmpty ? RunReport.empty : nil) else {
      series.firstFailure.map { console.say($0.output) }
      console.complain(
        "threadmill test: no test was watched: the package links Threadmill without the product"
          + " ThreadmillTesting or ThreadmillXCTest, or its tests called _exit\n")
      return .wrongUsage
    }
    report.run.shard = plan.shard
    report = try judging.judge(report, isWhole: isWhole, for: "test", console)
    let again = plan.command(repeating: series.firstFailure, report)
    let unwritten = outputs.write(
      report, plan.context(of: series, report, command: again), andTo: plan.report, console)
    console.say(TestSummary(series, report, plan).text)
    if let unwritten { throw unwritten }
    if series.firstFailure != nil || series.hasFoundByTrial(report) { return .findings }
    return isWhole && plan.hasExploredNothing(report) ? exploredNothing() : .nothingFound
  }
}

extension TestPlan {
  /// Whether all tests were to be explored, and none was.
  fileprivate func hasExploredNothing(_ report: Report) -> Bool {
    explores && shard == nil && report.accounting["exploredTests", default: 0] == 0
  }
}

extension Switch.Value {
  fileprivate static let expression = Switch.Value(
    placeholder: "RE", allowed: "a regular expression"
  ) { (try? Regex($0)) != nil && !$0.isEmpty }

  fileprivate static let shard = Switch.Value(
    placeholder: "I/N", allowed: "two whole numbers, such as 2/5 for the second of five parts"
  ) { TestShard.parse($0) != nil }

  fileprivate static let campaign = Switch.Value(
    placeholder: "ID", allowed: "1 to 200 letters without control characters"
  ) { TestShard.isCampaign($0) }

  fileprivate static let seconds = Switch.Value(
    placeholder: "SECONDS", allowed: "a whole number from 1 to 604800"
  ) { Int($0).map { (1...604_800).contains($0) } ?? false }

  fileprivate static let until = Switch.Value(
    placeholder: Options.Until.allCases.map(\.rawValue).joined(separator: "|"),
    allowed: Options.Until.allCases.map(\.rawValue).joined(separator: ", ")
  ) { Options.Until(rawValue: $0) != nil }
}
