import Foundation
import ThreadmillModel
import ThreadmillReporting

extension Command {
  static let report = Command(
    name: "report",
    sentence: "Merge the reports of runs and shards, and judge, compare or convert the result.",
    switches: (ReportOutputs.switches + ReportJudging.switches + [
      Switch(
        "--compare", takes: .path,
        "Say which findings are new, gone or the same since this report; only new ones count.")
    ]).sorted { $0.name < $1.name },
    operands: .some(placeholder: "FILE"),
    fails: "an error or a warning counts"
  ) { arguments, console in
    try ReportCommand(arguments, console).run()
  }
}

/// One call of `threadmill report`.
private struct ReportCommand {
  private static let name = "report"
  private let files: [String]
  private let outputs: ReportOutputs
  private let judging: ReportJudging
  private let comparison: ReportComparison?
  private let console: Console

  init(_ arguments: Arguments, _ console: Console) throws(WrongInput) {
    files = arguments.operands
    outputs = ReportOutputs(arguments)
    judging = try ReportJudging(arguments)
    comparison = try arguments.values["--compare"].map(ReportComparison.init)
    if comparison != nil, arguments.has("--baseline") {
      throw WrongInput("--compare and --baseline both say what is known; expected one of them")
    }
    self.console = console
  }

  func run() throws -> ExitStatus {
    let (union, campaigns, areAllGood) = readAll()
    guard !union.isEmpty else {
      complain("no report is left to merge")
      return .wrongUsage
    }
    var report = union.report
    let gaps = report.gaps
    for gap in gaps { complain("\(gap.words) missing: this report is partial") }
    if !gaps.isEmpty, let mixture = campaigns.mixture {
      complain(mixture)
      return .wrongUsage
    }
    report = try judging.judge(
      report, isWhole: areAllGood && gaps.isEmpty, for: Self.name, console)
    let compared = comparison?.compare(report)
    report = compared?.report ?? report
    let unwritten = outputs.write(report, .here(), console, isTold: false)
    if outputs.isEmpty {
      console.say(TextReport(folder: FileManager.default.currentDirectoryPath).text(for: report))
    }
    if let compared { console.say(compared.text) }
    if let unwritten { throw unwritten }
    if !gaps.isEmpty { return .harnessFailed }
    if !areAllGood { return .wrongUsage }
    return report.findings.contains(where: \.counts) ? .findings : .nothingFound
  }

  /// Those that can be read, and whether all can; says what is wrong with the others.
  private func readAll() -> (union: ReportUnion, campaigns: Campaigns, areAllGood: Bool) {
    var union = ReportUnion()
    var campaigns = Campaigns()
    let stacks = KnownStacks()
    var areAllGood = true
    for file in files {
      do throws(WrongInput) {
        let stored = try StoredReport(file: file, knowing: stacks)
        campaigns.add(stored.report, from: file)
        let isNew = union.add(stored)
        if !isNew { complain("\(file): everything in it was counted already") }
      } catch {
        error.lines.forEach(complain)
        areAllGood = false
      }
    }
    return (union, campaigns, areAllGood)
  }

  private func complain(_ line: String) {
    console.complain("threadmill \(Self.name): \(line.printable)\n")
  }
}

extension StoredReport {
  /// The report in a file; what is wrong with it is told with the byte.
  init(file: String, knowing stacks: KnownStacks = KnownStacks()) throws(WrongInput) {
    guard let bytes = try WrongInput.contents(of: file) else {
      throw WrongInput("\(file.printable): there is no such file")
    }
    do { try self.init(parsing: bytes, knowing: stacks) } catch {
      throw WrongInput("\(file.printable): \(error)")
    }
  }
}
