import ThreadmillModel

/// Findings that are known, by their fingerprints: a text with one line for each, so that a change
/// can be read.
///
/// ```
/// 63a866eea9be7208 lockOrderCycle: semaphore L → semaphore L; ToolShed.frameWall(meanwhile:)
/// ```
///
/// Only the fingerprint counts; what is behind it is for people, and has no numbers of instances,
/// which change from run to run.
package struct Baseline: Hashable, Sendable {
  /// What is said about each finding, by its fingerprint.
  package var entries: [String: String]

  package init(entries: [String: String] = [:]) { self.entries = entries }

  /// Every finding of the report but those that were dropped or suppressed.
  package init(of report: Report) {
    entries = [:]
    for finding in report.findings where finding.status != .filtered && !finding.isSuppressed {
      entries[finding.fingerprint] = Self.words(about: finding)
    }
  }

  private static func words(about finding: Finding) -> String {
    let title = Finding.withoutInstances(finding.title)
    let threads = finding.participants.map { $0.frames.isEmpty ? $0.submitted : $0.frames }
    let places = threads.isEmpty ? finding.facts.map(\.frames) : threads
    let functions = Set(places.compactMap { $0.firstUserFrame?.name }).sorted()
    let place = functions.isEmpty ? "" : "; in \(functions.joined(separator: " and "))"
    return "\(finding.kind.rawValue): \(title)\(place)".printable
  }

  // MARK: The file

  private static let head = """
    # Findings that Threadmill is not to report again: fingerprint, kind, title, functions.
    # Written by --update-baseline; a line may be deleted, to have its finding reported.
    """

  /// The text; equal baselines give equal bytes.
  package var bytes: [UInt8] {
    let lines = entries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return Array(([Self.head] + lines).map { $0 + "\n" }.joined().utf8)
  }

  /// Everything that is wrong with a file, by line.
  package struct Malformed: Error, Hashable, Sendable {
    package var lines: [Int]
  }

  /// Reads what `bytes` gives, with the lines in any order, and any of them twice.
  package init(parsing bytes: [UInt8]) throws(Malformed) {
    entries = [:]
    var wrong: [Int] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      var line = line
      while let last = line.last, [0x20, 0x09, 0x0D].contains(last) { line.removeLast() }
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
      if let fingerprint = words.first.flatMap(Self.fingerprint) {
        let text = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : ""
        entries[fingerprint] = text
      } else {
        wrong.append(index + 1)
      }
    }
    guard wrong.isEmpty else { throw Malformed(lines: wrong) }
  }

  /// Sixteen digits, as ``Finding/fingerprint`` has them.
  private static func fingerprint(_ word: ArraySlice<UInt8>) -> String? {
    let isOne =
      word.count == 16
      && word.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
    return isOne ? String(decoding: word, as: UTF8.self) : nil
  }
}
