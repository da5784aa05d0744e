import ThreadmillModel

/// What a test process has written down about its tests: `+IDENTIFIER`, a tab and the name in
/// findings where one begins, `-IDENTIFIER` where it ends; of XCTest's tests `!IDENTIFIER` with the
/// line, file and message of a failure, and `=IDENTIFIER` with the outcome and the milliseconds;
/// `~IDENTIFIER` with the reason why it is not explored, and `isolate` if it can be explored with
/// a process for each schedule.
package struct TestJournal: Hashable, Sendable {
  /// How often each one is open.
  private var open: [String: Int] = [:]
  private var closed: Set<String> = []
  /// The numbers of the lines in which each one first began and last ended.
  private var began: [String: Int] = [:]
  private var endedAt: [String: Int] = [:]
  private var lines = 0
  /// The names of the tests in findings, by identifier.
  private var names: [String: String] = [:]
  private var issues: [String: [TestResult.Issue]] = [:]
  /// The results of the ended tests of XCTest, by identifier.
  package private(set) var results: [String: TestResult] = [:]

  /// Why tests are not explored that are to be, by identifier.
  package private(set) var unexplored: [String: String] = [:]
  /// Those among them that can be explored with a process for each schedule.
  package private(set) var toIsolate: Set<String> = []

  package init() {}

  package init(_ text: some StringProtocol) {
    for line in text.split(separator: "\n") { add(line) }
  }

  /// Those that have begun and not ended.
  package var running: Set<String> { Set(open.keys) }
  /// Those that have begun and ended, whatever the result.
  package var ended: Set<String> { closed.subtracting(open.keys) }

  /// Those that had ended when the first of these began, and whose results are known. What ended
  /// later, beside them, may have come to its end without having said how; and a library tells a
  /// result somewhat later than the end, which may then be too late.
  package func ended(before tests: Set<String>, withResultsOf told: Set<String>) -> Set<String> {
    let known = ended.intersection(told)
    guard let first = tests.compactMap({ began[$0] }).min() else { return known }
    return known.filter { endedAt[$0, default: 0] < first }
  }

  /// The identifiers of tests that findings name.
  package func identifiers(of tests: some Sequence<String>) -> Set<String> {
    let wanted = Set(tests)
    return Set(names.filter { wanted.contains($0.value) }.keys)
  }

  func hasBegun(_ identifier: String) -> Bool { began[identifier] != nil }

  package func name(of identifier: String) -> String { names[identifier] ?? identifier }

  /// Adds one line, without its line break.
  mutating func add(_ line: some StringProtocol) {
    let parts = line.dropFirst().split(separator: "\t", omittingEmptySubsequences: false)
      .map { String($0) }
    guard let identifier = parts.first, !identifier.isEmpty else { return }
    lines += 1
    if line.hasPrefix("!"), parts.count == 4 {
      let cells = parts.dropFirst().map(TestResult.unescaped)
      issues[identifier, default: []].append(
        .init(cells[2], file: cells[1].isEmpty ? nil : cells[1], line: Int(cells[0])))
    } else if line.hasPrefix("="), parts.count == 3,
      let outcome = TestResult.Outcome(rawValue: parts[1])
    {
      results[identifier] = TestResult(
        identifier, title: names[identifier], outcome, milliseconds: Int(parts[2]) ?? 0,
        issues: issues.removeValue(forKey: identifier) ?? [])
    }
    if line.hasPrefix("~"), parts.count >= 2 {
      unexplored[identifier] = TestResult.unescaped(parts[1])
      if parts.last == "isolate", parts.count == 3 { toIsolate.insert(identifier) }
    }
    if line.hasPrefix("+") {
      began[identifier] = began[identifier] ?? lines
      open[identifier, default: 0] += 1
      names[identifier] = parts.last
    } else if line.hasPrefix("-"), let times = open[identifier] {
      open[identifier] = times > 1 ? times - 1 : nil
      closed.insert(identifier)
      endedAt[identifier] = lines
    }
  }
}
