import Foundation
import ThreadmillFormats
import ThreadmillModel
import ThreadmillReporting

extension Command {
  static let explore = Command(
    name: "explore",
    sentence: "Run a program under many schedules, each in a process of its own.",
    switches: (OptionSwitches.ofPrograms + ReportJudging.switches + ReportOutputs.switches)
      .sorted { $0.name < $1.name },
    operands: .program(placeholder: "EXECUTABLE ARGUMENT…"),
    examples: [
      ("threadmill explore -- ./server --selftest", "Look for an order of its threads that fails."),
      (
        "threadmill explore --towards cache.c:12,cache.c:40 -- ./server --selftest",
        "Bring threads to two lines at the same time."
      ),
      ("threadmill explore --schedule tm1:… -- ./server --selftest", "Fail in the same way again."),
    ],
    fails: "the program failed under a schedule: a status other than 0, a crash, a standstill, or a"
      + " finding"
  ) { arguments, console in
    try ExploreProgramCommand(arguments, console).run()
  }
}

/// One call of `threadmill explore`.
private struct ExploreProgramCommand {
  private let call: ProgramCall
  private let console: Console

  init(_ arguments: Arguments, _ console: Console) throws {
    var call = try ProgramCall(arguments)
    (call.options.mode, call.options.jitter) = (.explore, .off)
    call.options.seed = call.options.seed ?? Seed(rawValue: 1)
    self.call = call
    self.console = console
  }

  func run() throws -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    let additions = [
      // A schedule that fails runs many times, and each time would wait for a backtrace.
      "SWIFT_BACKTRACE": "enable=no",
      // What the loader does late, it would do in every schedule.
      "LD_BIND_NOW": "1",
      // Thread Sanitizer waits for a second at the end of each process.
      "TSAN_OPTIONS": "atexit_sleep_ms=0:" + environment["TSAN_OPTIONS", default: ""],
    ]
    var told = call.options
    // A standstill is seen at once.
    told.hang = 0
    if told.cores == 0 { told.cores = min(MachineFacts.Processors.current.free, Options.mostCores) }
    let result = try call.program.run(
      telling: told,
      adding: { scratch in
        additions.merging(["THREADMILL_PROGRAM": "explore:\(scratch.url.path)"]) { $1 }
      }, console)
    if case .signalled(let number) = result.outcome {
      let isAsked = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGKILL].contains(number)
      console.complain(
        isAsked
          ? "threadmill explore: interrupted, so this is no result\n"
          : "Threadmill internal error: signal \(number) ended the exploration; please report this\n"
      )
      return isAsked ? .program(128 + number) : .harnessFailed
    }
    guard let report = result.report, report.accounting["exploredPrograms"] != nil else {
      let unwritten = call.outputs.write(result.report ?? RunReport.empty, context(), console)
      console.complain(
        "threadmill explore: \(call.program.words[0].printable) was not explored, so this is no"
          + " result\n")
      if let unwritten { throw unwritten }
      return .wrongUsage
    }
    return try tell(report)
  }

  private func tell(_ report: Report) throws -> ExitStatus {
    let report = try call.judging.judge(report, for: "explore", console)
    let unwritten = call.outputs.write(report, context(), andTo: call.options.report, console)
    let text = String(decoding: ReportFormat.text.bytes(of: report, context()), as: UTF8.self)
    console.complain("\n\(text)")
    let hasDiverged = report.accounting["replaysThatDiverged", default: 0] > 0
    if hasDiverged {
      console.complain(
        "threadmill explore: the program did not follow the schedule: it is another program, or"
          + " depends on more than the order of its threads\n")
    }
    if let unwritten { throw unwritten }
    return hasDiverged || report.findings.contains(where: \.counts) ? .findings : .nothingFound
  }

  private func context() -> ReportContext {
    var context = ReportContext.here(command: command(replaying: call.options.schedule))
    context.repetition = { finding in
      finding.schedule.flatMap { try? Schedule(parsing: $0) }.map { command(replaying: $0) }
    }
    return context
  }

  /// The command line of the same exploration, or of one schedule.
  private func command(replaying schedule: Schedule?) -> String {
    var again = call.options
    again.schedule = schedule
    let left: Set =
      schedule == nil ? [] : OptionSwitches.namesOfExplorations.union(["cores", "seed"])
    let words = OptionSwitches.words(for: again, without: left)
    return (["threadmill", "explore"] + words + ["--"] + call.program.words.map(\.shellQuoted))
      .joined(separator: " ")
  }
}
