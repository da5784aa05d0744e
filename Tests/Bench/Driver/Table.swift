import Foundation

extension Comparison {
  /// The numbers as text, one line each, columns lined up.
  var table: String {
    let priceRows = cases.map { row in
      [
        row.title, nanoseconds(row.bare), nanoseconds(row.observed), signed(row.difference),
        String(format: "%.2f", row.ratio), spread(of: row), limit(of: row), allocations(of: row),
        row.systemCalls ?? "", row.ok ? "ok" : "BEYOND",
      ]
    }
    let enduranceRows = endurance.map { row in
      [
        row.title, String(format: "%.2f", row.bare), String(format: "%.2f", row.observed),
        String(format: "%.2f", row.limit), row.unit, row.ok ? "ok" : "BEYOND",
      ]
    }
    let priceHead = [
      "call (ns)", "bare", "observed", "added", "ratio", "quartiles", "limit", "allocations",
      "system calls", "",
    ]
    let enduranceHead = ["many locks", "bare", "observed", "limit", "", ""]
    return linedUp([priceHead] + priceRows) + "\n" + linedUp([enduranceHead] + enduranceRows)
  }

  private func nanoseconds(_ value: Double) -> String {
    value > 0 ? String(format: "%.1f", value) : "not here"
  }

  private func signed(_ value: Double) -> String { String(format: "%+.1f", value) }

  private func spread(of row: CaseRow) -> String {
    guard let low = row.ratioOfRounds.first, let high = row.ratioOfRounds.last else { return "" }
    return String(format: "%.2f…%.2f", low, high)
  }

  private func limit(of row: CaseRow) -> String {
    guard let limit = row.limit else { return "-" }
    return String(format: row.limited == .ratio ? "%.1fx" : "+%.0f", limit)
  }

  private func allocations(of row: CaseRow) -> String {
    guard row.systemCalls != nil else { return "" }
    guard let added = row.allocationsAdded else { return "unknown" }
    return added == 0 ? "none" : String(format: "%+.3g", added)
  }

  /// The first column to the left, the others to the right.
  private func linedUp(_ rows: [[String]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { index, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + space : space + cell.0
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }
}
