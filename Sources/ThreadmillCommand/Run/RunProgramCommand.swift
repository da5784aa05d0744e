import Foundation
import ThreadmillChildren
import ThreadmillFormats
import ThreadmillModel
import ThreadmillReporting

extension Command {
  static let run = Command(
    name: "run",
    sentence: "Watch any dynamically linked program and all programs that it starts.",
    switches: (OptionSwitches.all + ReportJudging.switches + ReportOutputs.switches)
      .sorted { $0.name < $1.name },
    operands: .program(placeholder: "EXECUTABLE ARGUMENT…"),
    fails: "the program ended with 0, and an error or a warning was found; else the program's own"
      + " status"
  ) { arguments, console in
    try RunProgramCommand(arguments, console).run()
  }
}

/// One call of `threadmill run`.
private struct RunProgramCommand {
  private let call: ProgramCall
  private let console: Console

  init(_ arguments: Arguments, _ console: Console) throws {
    call = try ProgramCall(arguments)
    self.console = console
  }

  func run() throws -> ExitStatus {
    let result = try call.program.run(telling: call.options, console)
    guard let report = result.report else {
      let unwritten = call.outputs.write(RunReport.empty, .here(command: command()), console)
      console.complain(
        "Threadmill: no findings; no process wrote a report: it was killed or called _exit\n")
      if let unwritten { throw unwritten }
      return .program(result.outcome.shellStatus)
    }
    return try tell(report, result.outcome)
  }

  private func tell(
    _ report: Report, _ outcome: ChildProcess.Outcome
  ) throws -> ExitStatus {
    let report = try call.judging.judge(report, for: "run", console)
    let context = ReportContext.here(command: command(report.run.seed))
    let unwritten = call.outputs.write(report, context, andTo: call.options.report, console)
    let text = String(decoding: ReportFormat.text.bytes(of: report, context), as: UTF8.self)
    console.complain("\n\(text)")
    if let unwritten { throw unwritten }
    let status = outcome.shellStatus
    let isAccused = report.findings.contains(where: \.counts)
    return status == 0 && isAccused ? .findings : .program(status)
  }

  /// The command line of the same run.
  private func command(_ seed: Seed? = nil) -> String {
    var again = call.options
    again.seed = call.options.jitter == .off ? nil : seed ?? call.options.seed
    return
      (["threadmill", "run"] + OptionSwitches.words(for: again) + ["--"]
      + call.program.words.map(\.shellQuoted)).joined(separator: " ")
  }
}

/// The report of the processes of one run.
enum RunReport {
  /// The report of processes that wrote none.
  static let empty = Report(findings: [], run: Report.Run(id: "", processes: 0))

  /// The report file, and what is in the mailbox beside it; `nil` if nobody has written either.
  static func read(_ path: String) throws -> Report? {
    let bytes = try? Data(contentsOf: URL(fileURLWithPath: path))
    let mail = ReportMailbox.content(beside: path)
    let reports = try bytes.map { [try JSONReport.report(from: Array($0))] } ?? []
    var whole = (reports + mail.reports).map(\.withoutCyclesOfDeadlocks)
      .reduce(nil as Report?) { $0?.merged(with: $1) ?? $1 }
    guard mail.lost > 0 else { return whole }
    whole = whole ?? empty
    whole?.accounting["reportsLost", default: 0] += mail.lost
    return whole
  }
}

extension ChildProcess.Outcome {
  /// The exit status that a shell would show.
  var shellStatus: Int32 {
    switch self {
    case .exited(let status): status
    case .signalled(let number): 128 + number
    case .timedOut, .stopped: 128 + SIGKILL
    }
  }
}
