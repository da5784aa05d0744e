import ThreadmillModel
import ThreadmillReporting

/// The report as SARIF 2.1.0, for code scanning and for viewers.
///
/// One run of one tool. Results come with the most severe first and are cut where GitHub would
/// refuse the file; what was cut, dropped or ruled out is a notification of the invocation, and so
/// is a test that failed for something else than a finding. Paths are relative to `%SRCROOT%` below
/// the context's folder. A seed is a string, since numbers of 64 bits do not survive in JavaScript.
/// There is no `automationDetails`: who uploads two reports of one commit tells them apart by the
/// category of the upload.
package enum SARIFReport {
  package static func bytes(of report: Report, _ context: ReportContext) -> [UInt8] {
    bytes(of: report, context, mostBytes: SARIFCuts.mostBytes)
  }

  /// - Parameter mostBytes: what the file may come to when it is packed.
  static func bytes(of report: Report, _ context: ReportContext, mostBytes: Int) -> [UInt8] {
    let shown = report.shown
    var count = min(shown.count, SARIFCuts.mostResults)
    while true {
      let cuts = SARIFCuts(
        results: shown.count - count, byBytes: count < min(shown.count, SARIFCuts.mostResults))
      let bytes = document(run(of: report, shown.prefix(count), cuts, context))
      if bytes.count <= mostBytes || count == 0 { return bytes }
      let packed = PackedSize.limit(of: bytes)
      if packed <= mostBytes { return bytes }
      // Results are not equally long, so it may take more than one time.
      count = min(count - 1, count * mostBytes / packed)
    }
  }

  private static func document(_ run: JSON) -> [UInt8] {
    JSONReport.members(
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      ("version", .string("2.1.0")), ("runs", .array([run]))
    ).bytes
  }

  private static func run(
    of report: Report, _ shown: ArraySlice<Finding>, _ cuts: SARIFCuts, _ context: ReportContext
  ) -> JSON {
    var cuts = cuts
    let places = SARIFPlaces(context)
    let results = shown.map { finding in SARIFResult(finding, places).json(&cuts) }
    return JSONReport.members(
      ("tool", .object([.init("driver", driver)])),
      ("invocations", .array([invocation(of: report, cuts, places, context)])),
      ("originalUriBaseIds", places.baseIDs), ("columnKind", .string("utf16CodeUnits")),
      ("results", .array(results)), ("properties", properties(of: report, context)))
  }

  private static var driver: JSON {
    JSONReport.members(
      ("name", .string("Threadmill")),
      ("rules", .array(Finding.Kind.allCases.map(SARIFRule.json))))
  }

  /// The report was made, whatever it says: a program that failed is a finding.
  private static func invocation(
    of report: Report, _ cuts: SARIFCuts, _ places: SARIFPlaces, _ context: ReportContext
  ) -> JSON {
    let failed = report.unexplained.map { ("error", words(on: $0, context)) }
    let filtered = report.findings.count { $0.status == .filtered }
    let ruledOut =
      filtered > 0 ? [("note", "\(TextReport.plural(filtered, "candidate")) ruled out")] : []
    let owned = AccountWords.told(in: report).map { ("note", "\($0.words): \($0.count)") }
    let told = failed + cuts.sentences.map { ("warning", $0) } + ruledOut + owned
    let notifications = told.map { level, text in
      JSON.object([.init("level", .string(level)), .init("message", SARIFText.plain(text))])
    }
    return JSONReport.members(
      ("executionSuccessful", .boolean(true)), ("workingDirectory", places.folder),
      ("toolExecutionNotifications", notifications.isEmpty ? nil : .array(notifications)))
  }

  private static func words(on test: TestResult, _ context: ReportContext) -> String {
    let issues = test.issues(else: test.failure).map { issue in
      TextReport(context).place(of: issue).map { "\(issue.message) (\($0))" } ?? issue.message
    }
    let what = test.isSensitive ? "sensitive to timing" : "failed without a finding"
    return "\(test.name) \(what): \(issues.joined(separator: "; "))"
  }

  private static func properties(of report: Report, _ context: ReportContext) -> JSON {
    JSONReport.members(
      ("run", .string(report.run.id)), ("processes", .integer(report.run.processes)),
      ("mode", .string(report.run.mode)), ("sanitizer", report.run.sanitizer.map(JSON.string)),
      ("jitter", report.run.jitter.map { .string($0.rawValue) }),
      ("seed", report.run.seed.map { .string($0.description) }),
      ("repeat", TextReport(context).repetition(of: report).map(JSON.string)))
  }
}

/// How much GitHub takes of one file, and what had to be left out for that.
struct SARIFCuts: Hashable, Sendable {
  static let mostResults = 25_000
  /// The greatest size of the file, packed by gzip.
  static let mostBytes = 10_000_000
  /// The greatest number of places of one result, with its own.
  static let mostLocations = 1_000
  /// The greatest number of steps of one result.
  static let mostSteps = 10_000

  private(set) var results: Int
  /// Whether the packed file was too long, and not the list.
  private let byBytes: Bool
  private(set) var locations = 0
  private(set) var steps = 0

  init(results: Int, byBytes: Bool) { (self.results, self.byBytes) = (results, byBytes) }

  /// The first of them; the rest is counted.
  mutating func related<Value>(_ values: [Value]) -> [Value] {
    locations += max(0, values.count - (Self.mostLocations - 1))
    return Array(values.prefix(Self.mostLocations - 1))
  }

  /// Of several flows as many steps as there is room for; what has none left is empty.
  mutating func steps<Value>(_ flows: [[Value]]) -> [[Value]] {
    var room = Self.mostSteps
    return flows.map { flow in
      let kept = Array(flow.prefix(room))
      room -= kept.count
      steps += flow.count - kept.count
      return kept
    }
  }

  /// A sentence for each sort of thing that is missing.
  var sentences: [String] {
    [
      (
        results, "result", "the least severe",
        byBytes ? "10 MB of a packed file" : "\(Self.mostResults) results"
      ),
      (
        locations, "related location", "the last ones",
        "\(Self.mostLocations) locations of a result"
      ),
      (
        steps, "step of code flows", "the last ones", "\(Self.mostSteps) steps of a result"
      ),
    ].compactMap { count, noun, which, limit in
      guard count > 0 else { return nil }
      let many = noun.hasPrefix("step") ? "steps of code flows" : nil
      let cut = TextReport.plural(count, noun, many)
      return "\(cut) left out, \(which): GitHub takes \(limit)"
    }
  }
}
