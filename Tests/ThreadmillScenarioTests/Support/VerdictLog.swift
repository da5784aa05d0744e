import Foundation
import ThreadmillScenarios
import ThreadmillTestSupport

/// Gathers what each run was expected to say and what it said, for whoever asks for a file of it.
actor VerdictLog {
  /// One variant in one mode.
  struct Row: Codable, Hashable, Sendable {
    var id: String
    var variant: String
    var mode: String
    var expected: [String]
    var seen: [String]
    var ok: Bool
  }

  private struct Content: Codable {
    var version = 1
    var rows: [Row]
  }

  /// Writes to the path in `THREADMILL_SCENARIOS_JSON`, and nowhere if there is none.
  static let shared = VerdictLog(
    file: ProcessInfo.processInfo.environment["THREADMILL_SCENARIOS_JSON"].map { URL(filePath: $0) }
  )

  private let file: URL?
  private var rows: [Row] = []

  init(file: URL?) { self.file = file }

  /// Adds a row; the file is whole after each one, in an order that does not depend on chance.
  func record(_ row: Row) throws {
    rows.append(row)
    guard let file else { return }
    rows.sort { ($0.id, $0.variant, $0.mode) < ($1.id, $1.variant, $1.mode) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(Content(rows: rows)).write(to: file, options: .atomic)
  }
}

extension VerdictLog.Row {
  /// Compares the kinds that were seen with the verdict on them; no report has seen nothing.
  init(_ sample: Case, _ verdict: Scenario.Verdict, seen report: ReportFile?) {
    self.init(
      id: sample.id, variant: sample.variant.rawValue, mode: "observe",
      expected: verdict.required.sorted(), seen: report?.kinds.sorted() ?? [],
      ok: report.map { verdict.agrees(with: $0.kinds) } ?? false)
  }
}
