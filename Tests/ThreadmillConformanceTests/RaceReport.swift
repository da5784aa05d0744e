/// What Thread Sanitizer said in one report, as far as the gate must not change it.
struct RaceReport: Hashable, CustomStringConvertible {
  /// `data race`, `lock-order-inversion`, …
  let kind: String
  /// Where the accesses are in the program's own files, `File.swift:12`, sorted.
  let places: [String]

  var description: String { "\(kind) between \(places.joined(separator: " and "))" }

  /// All reports in what a program wrote to standard error, without their order.
  ///
  /// Only the stacks of the accesses count, and of each only the innermost frame in a file of the
  /// programs.
  static func reports(in text: String) -> Set<RaceReport> {
    let marker = "WARNING: ThreadSanitizer: "
    let parts = text.split(separator: "==================\n")
    return Set(
      parts.compactMap { part in
        guard let start = part.range(of: marker) else { return nil }
        let heading = part[start.upperBound...].prefix { $0 != "\n" && $0 != "(" }
        return RaceReport(
          kind: heading.split(separator: " ").joined(separator: " "),
          places: accesses(in: part).map { $0 ?? "somewhere else" }.sorted())
      })
  }

  /// The place of each access; `nil` for one with no frame in a file of the programs.
  private static func accesses(in report: Substring) -> [String?] {
    var places: [String?] = []
    var isInAccess = false
    for line in report.split(separator: "\n", omittingEmptySubsequences: false) {
      if isHeading(line) {
        isInAccess = true
        places.append(nil)
      } else if line.isEmpty {
        isInAccess = false
      } else if isInAccess, places.last == .some(nil), let place = place(in: line) {
        places[places.count - 1] = place
      }
    }
    return places
  }

  /// `  Previous write of size 8 at 0x… by thread T2:` and the like; not where memory came from.
  private static func isHeading(_ line: Substring) -> Bool {
    line.contains(" at 0x") && line.contains(" by ") && !line.contains("Location is")
  }

  /// `File.swift:12` from a frame `#0 name /…/Races/File.swift:12:5 (…)`, unless it is the meeting
  /// point itself.
  private static func place(in frame: Substring) -> String? {
    guard let folder = frame.range(of: "/Races/") else { return nil }
    let parts = frame[folder.upperBound...].split(separator: ":", maxSplits: 2)
    guard parts.count > 1, parts[0].hasSuffix(".swift"), parts[0] != "Meeting.swift" else {
      return nil
    }
    return "\(parts[0]):\(parts[1].prefix { $0.isNumber })"
  }
}
