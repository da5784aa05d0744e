import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting

extension Command {
  static let replay = Command(
    name: "replay",
    sentence: "Run one test of a package under a schedule that failed before.",
    switches: ([
      Switch(
        "--package-path", takes: .path, "The package's folder; the default is the current folder."),
      Switch("--sanitize", takes: .sanitizer, "Build and run the test with Thread Sanitizer."),
      Switch("--scratch-path", takes: .path, "Build in this folder."),
    ] + OptionSwitches.ofReplays + ReportOutputs.switches).sorted { $0.name < $1.name },
    operands: .words("TEST SCHEDULE"),
    fails: "the test failed again, or did not follow the schedule"
  ) { arguments, console in
    try ReplayCommand(arguments, console).run()
  }
}

/// One call of `threadmill replay`.
private struct ReplayCommand {
  private let test: String
  private let schedule: Schedule
  private let plan: TestPlan
  private let package: TestPackage
  private let outputs: ReportOutputs
  private let console: Console

  init(_ arguments: Arguments, _ console: Console) throws {
    guard arguments.operands.count == 2 else {
      throw WrongInput(
        "expected the name of a test, such as Module.Suite/test(), and a schedule; here"
          + " \(arguments.operands.count == 1 ? "one of them" : "more") is given")
    }
    test = arguments.operands[0]
    do throws(ScheduleError) {
      schedule = try Schedule(parsing: arguments.operands[1])
    } catch {
      throw WrongInput(error.description)
    }
    let environment = ProcessInfo.processInfo.environment
    plan = try TestPlan(arguments, environment: environment).replaying(schedule)
    outputs = ReportOutputs(arguments)
    package = TestPackage(plan, environment: environment)
    self.console = console
  }

  func run() throws -> ExitStatus {
    let built = try Interruption.heeding { [package, console] in
      try await package.build(console)
    }
    guard built.outcome == .exited(0) else {
      console.say(built.output)
      console.complain("threadmill replay: the tests do not build; none was run\n")
      return .findings
    }
    let result = try Interruption.heeding { [package, plan, test, schedule] in
      let process = package.process(try package.binary(), limit: .usual)
      let all = try await process.list()
      let chosen = try TestChoice.named(test, in: all)
      let batch = TestBatch(
        tests: [chosen], all: all.filter { $0.library == chosen.library },
        isIsolated: schedule.isOfFreshProcess)
      return try await batch.run(in: process, telling: plan.options)
    }
    return try tell(result)
  }

  private func tell(_ result: TestBatch.Result) throws -> ExitStatus {
    var result = result
    result.explain()
    let report = result.report ?? RunReport.empty
    let isFound = report.findings.contains { $0.counts && $0.severity == .error }
    // The schedule belongs to one case of a test with arguments; the other cases do not follow it.
    let cases = report.accounting["exploredTests", default: 0]
    let hasDiverged =
      cases > 0 && report.accounting["replaysThatDiverged", default: 0] == cases && !isFound
    guard isFound || hasDiverged || report.accounting["exploredTests"] != nil else {
      console.say(result.output)
      console.complain(
        "threadmill replay: \(test.printable) explores nothing: it skips itself, or measures its"
          + " speed\n")
      return .wrongUsage
    }
    let command = plan.command(replaying: schedule, of: test)
    let context = ReportContext.here(command: command)
    let unwritten = outputs.write(report, context, console)
    if hasDiverged || (!result.hasPassed && !isFound) { console.say(result.output) }
    console.say(TextReport(context).text(for: report))
    if hasDiverged && plan.isSanitized {
      console.say(
        "Threadmill: this build also switches threads at memory accesses; to follow a schedule that"
          + " 'swift test' printed, call explore(replaying:) in the test\n")
    }
    console.say("Threadmill: the test \(verdict(result, isFound, hasDiverged))\n")
    if let unwritten { throw unwritten }
    return isFound || hasDiverged || !result.hasPassed ? .findings : .nothingFound
  }

  private func verdict(
    _ result: TestBatch.Result, _ isFound: Bool, _ hasDiverged: Bool
  ) -> String {
    if isFound { return "failed under this schedule again" }
    if hasDiverged { return "did not follow the schedule" }
    return result.hasPassed
      ? "followed the schedule, and did not fail"
      : "followed the schedule, and failed when it ran without one"
  }
}

extension TestChoice {
  /// The one of this name, as command lines or as findings have it.
  fileprivate static func named(_ name: String, in tests: [PackageTest]) throws -> PackageTest {
    if let exact = tests.first(where: { $0.name == name }) { return exact }
    let inFindings = tests.filter { test in
      let last = test.name.split(separator: ".").last.map { String($0) }
      return test.library == .xctest && last?.replacing("/", with: ".") == name
    }
    if inFindings.count == 1 { return inFindings[0] }
    // Says what is near.
    let chosen = try TestChoice(filter: NSRegularExpression.escapedPattern(for: name))
      .chosen(from: tests)
    guard chosen.count == 1 else {
      let names = chosen.prefix(3).map(\.name.printable).joined(separator: ", ")
      throw WrongInput("\(chosen.count) tests are called like \(name.printable): \(names)")
    }
    return chosen[0]
  }
}
