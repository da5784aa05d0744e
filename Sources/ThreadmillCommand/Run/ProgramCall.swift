import Foundation
import ThreadmillModel

/// The arguments of a command that runs one program: the options for the program's process, and
/// what becomes of the report.
struct ProgramCall {
  var options: Options
  let judging: ReportJudging
  let outputs: ReportOutputs
  let program: ForegroundRun

  init(_ arguments: Arguments) throws {
    let environment = ProcessInfo.processInfo.environment
    let given = try Options(parsing: environment[Options.variable, default: ""])
    judging = try ReportJudging(arguments)
    outputs = ReportOutputs(arguments)
    options = OptionSwitches.options(arguments, over: given)
    judging.tell(&options)
    outputs.tell(&options)
    program = try ForegroundRun(arguments.operands, environment: environment)
  }
}
