import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting

extension Command {
  static let test = Command(
    name: "test",
    sentence: "Build the tests of a package that depends on Threadmill, and run them under jitter,"
      + " again and again if that is wanted.",
    switches: ([
      Switch(
        "--budget", takes: .budget, "Delay no thread for more of the time than so many percent."),
      Switch("--filter", takes: .expression, "Only tests that 'swift test --filter' takes."),
      Switch(
        "--jitter", takes: .anyPolicy, "Disturb threads in this way; else by a portfolio of all."),
      Switch("--package-path", takes: .path, "The package; else that in the current folder."),
      Switch("--repeat", takes: .count, "Run the tests so often, each time with another seed."),
      Switch("--sanitize", takes: .sanitizer, "Build and run them with Thread Sanitizer."),
      Switch("--scratch-path", takes: .path, "Build in this folder."),
      Switch("--seed", takes: .seed, "The seed of the first run, from which all others follow."),
      Switch("--time", takes: .seconds, "Begin no further run after so long."),
      Switch(
        "--until", takes: .until,
        "Stop at the first run that fails, as without this, or at the end."),
    ] + ReportJudging.switches).sorted { $0.name < $1.name }
  ) { arguments, console in
    try TestCommand(arguments, console).run()
  }
}

/// One call of `threadmill test`.
private struct TestCommand {
  private let plan: TestPlan
  private let package: TestPackage
  private let console: Console
  private let judging: ReportJudging

  init(_ arguments: Arguments, _ console: Console) throws {
    let environment = ProcessInfo.processInfo.environment
    var plan = try TestPlan(arguments, environment: environment)
    judging = try ReportJudging(arguments)
    judging.tell(&plan.options)
    self.plan = plan
    package = TestPackage(plan, environment: environment)
    self.console = console
  }

  func run() throws -> ExitStatus {
    console.complain("building: \(package.buildCommand.joined(separator: " "))\n")
    let built = try Interruption.heeding { [package] in try await package.build() }
    guard built.outcome == .exited(0) else {
      console.say(built.output)
      return .findings
    }
    let series = try Interruption.heeding { [plan, package, console] in
      var series = TestSeries(plan, of: package)
      let progress = Progress("test", total: plan.count, wrong: "failed", console: console)
      defer { progress.end() }
      while let run = series.next() {
        let hasPassed = try await series.perform(run)
        progress.advance(past: run.policy.rawValue, isWrong: !hasPassed)
      }
      return series
    }
    return try tell(series)
  }

  /// Says what came of it; what the first failing run printed comes first, the findings last.
  private func tell(_ series: TestSeries) throws -> ExitStatus {
    guard var report = series.report else {
      series.firstFailure.map { console.say($0.output) }
      console.complain(
        "threadmill test: no test was watched; its target has to depend on the product"
          + " ThreadmillTesting or ThreadmillXCTest\n")
      return .wrongUsage
    }
    report = try judging.judge(report, for: "test", console)
    if let path = plan.report { try ReportFile.write(report, to: path) }
    console.say(TestSummary(series, report, plan).text)
    return series.firstFailure == nil ? .nothingFound : .findings
  }
}

extension Switch.Value {
  fileprivate static let budget = Switch.Value(
    placeholder: "PERCENT", allowed: "a whole number from 0 to 95"
  ) { Int($0).map { (0...95).contains($0) } ?? false }

  fileprivate static let expression = Switch.Value(
    placeholder: "RE", allowed: "a regular expression"
  ) { (try? Regex($0)) != nil && !$0.isEmpty }

  fileprivate static let anyPolicy = Switch.Value(
    placeholder: "POLICY", allowed: JitterPolicy.allCases.map(\.rawValue).joined(separator: ", ")
  ) { JitterPolicy(rawValue: $0) != nil }

  fileprivate static let seconds = Switch.Value(
    placeholder: "SECONDS", allowed: "a whole number from 1 to 604800"
  ) { Int($0).map { (1...604_800).contains($0) } ?? false }

  fileprivate static let until = Switch.Value(
    placeholder: Options.Until.allCases.map(\.rawValue).joined(separator: "|"),
    allowed: Options.Until.allCases.map(\.rawValue).joined(separator: ", ")
  ) { Options.Until(rawValue: $0) != nil }
}
