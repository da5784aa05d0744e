/// The result of one test of a package, in one run or in several.
package struct TestResult: Hashable, Sendable {
  /// The best first: of several runs the worst counts.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case skipped, passed, failed
  }

  /// One failure, in the words of the test framework.
  package struct Issue: Hashable, Sendable {
    package var message: String
    package var file: String?
    package var line: Int?

    package init(_ message: String, file: String? = nil, line: Int? = nil) {
      self.message = message
      self.file = file
      self.line = line
    }
  }

  /// As it is called on command lines: `Module.Suite/test()`.
  package var name: String
  /// The name of the test in findings; for Swift Testing it equals `name`.
  package var title: String
  package var outcome: Outcome
  /// The time of the longest run.
  package var milliseconds: Int
  /// Failures that no finding explains, by file, line and message.
  package private(set) var issues: [Issue]
  /// It failed while the timing of threads was disturbed, and passed right after it, undisturbed.
  package var isSensitive: Bool
  /// Why it was not explored, although every test was to be; `nil` if it was, or was not to be.
  package var unexplored: String?

  /// The number of failures that are kept of one test.
  package static let mostIssues = 20

  package init(
    _ name: String, title: String? = nil, _ outcome: Outcome, milliseconds: Int = 0,
    issues: [Issue] = [], isSensitive: Bool = false, unexplored: String? = nil
  ) {
    self.name = name
    self.title = title ?? name
    self.outcome = outcome
    self.milliseconds = milliseconds
    self.issues = Self.kept(issues)
    self.isSensitive = isSensitive
    self.unexplored = unexplored
  }

  /// The same without failures that the test has because of a finding.
  package func explained(by findings: [Finding]) -> TestResult {
    var result = self
    let titles = findings.filter { $0.tests.contains(title) }.map(\.title)
    result.issues.removeAll { issue in titles.contains { issue.message.hasPrefix($0) } }
    return result
  }

  /// The same with these words for its failure, if the test framework reported none.
  package func explained(as words: String) -> TestResult {
    var result = self
    if issues.isEmpty { result.issues = [Issue(words)] }
    return result
  }

  /// The failure to show if the test framework reported none.
  package var failure: Issue {
    Issue(isSensitive ? "failed while the timing was disturbed" : "failed without a message")
  }

  /// Its failures, or this one where there are none.
  package func issues(else failure: Issue) -> [Issue] { issues.isEmpty ? [failure] : issues }

  /// Both results of one test as one: in any order, in any grouping, and however often one of them
  /// comes, the result is the same.
  package func merged(with other: TestResult) -> TestResult {
    TestResult(
      name, title: max(title, other.title), outcome.worst(other.outcome),
      milliseconds: max(milliseconds, other.milliseconds), issues: issues + other.issues,
      isSensitive: isSensitive || other.isSensitive,
      unexplored: [unexplored, other.unexplored].compactMap(\.self).max())
  }

  /// One result for each name, by name.
  package static func merged(_ results: some Sequence<TestResult>) -> [TestResult] {
    let merged = Dictionary(results.map { ($0.name, $0) }) { $0.merged(with: $1) }
    return merged.values.sorted { $0.name < $1.name }
  }

  /// A text as one cell of a line of the journal of tests, without tabs and line breaks.
  package static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
  }

  /// The text of a cell.
  package static func unescaped(_ cell: some StringProtocol) -> String {
    var (text, isEscape) = ("", false)
    for character in cell {
      if isEscape {
        text.append(["t": "\t", "n": "\n"][character] ?? character)
        isEscape = false
      } else if character == "\\" {
        isEscape = true
      } else {
        text.append(character)
      }
    }
    return text
  }

  private static func kept(_ issues: [Issue]) -> [Issue] {
    Array(Set(issues).sorted { $0.key < $1.key }.prefix(mostIssues))
  }
}

extension TestResult.Outcome {
  fileprivate func worst(_ other: Self) -> Self {
    let order = Self.allCases
    return order.last { $0 == self || $0 == other } ?? self
  }
}

extension TestResult.Issue {
  fileprivate var key: (String, Int, String) { (file ?? "", line ?? 0, message) }
}
