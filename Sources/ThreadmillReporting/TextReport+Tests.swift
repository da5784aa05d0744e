import ThreadmillModel

extension Report {
  /// Tests that have failed for something else than a finding, by name.
  package var unexplained: [TestResult] {
    let errors = shown.filter { $0.severity == .error }
    let accused = Set(errors.filter { !$0.isExcused }.flatMap(\.tests))
    let excused = Set(errors.filter(\.isExcused).flatMap(\.tests))
    let failed = tests.filter { test in
      test.outcome == .failed && (!test.issues.isEmpty || !accused.contains(test.title))
    }
    return failed.map { test in
      // It has failed before the finding came into the baseline.
      excused.contains(test.title)
        ? test.explained(as: "failed without a message; it has a known finding") : test
    }
  }
}

extension TextReport {
  /// A paragraph for each test that has failed for something else than a finding.
  func failures(in report: Report) -> String {
    report.unexplained.map { text(for: $0) + "\n" }.joined()
  }

  private func text(for test: TestResult) -> String {
    var layout = TextLayout()
    layout.text("\(test.isSensitive ? "sensitive to timing" : "failed"): \(test.name)")
    for issue in test.issues(else: test.failure) {
      let lines = issue.message.split(separator: "\n", omittingEmptySubsequences: false)
      layout.row(
        place(of: issue) ?? "", lines.first.map(String.init) ?? "", group: .facts, indent: 2)
      for line in lines.dropFirst() { layout.row("", String(line), group: .facts, indent: 2) }
    }
    if test.isSensitive {
      let meaning = "It passes undisturbed: a concurrency bug, or a time limit that is too short."
      layout.row("", meaning, group: .facts, indent: 2)
    }
    return layout.render()
  }

  /// `Tests/BankTests.swift:7`; `nil` where the test framework has named no file.
  package func place(of issue: TestResult.Issue) -> String? {
    issue.file.map { context.path(of: $0) + (issue.line.map { ":\($0)" } ?? "") }
  }

  /// `Tests: 40 passed, 1 failed, 2 skipped`, with a line break; empty where nobody followed them.
  static func count(of tests: [TestResult]) -> String {
    let counts = [TestResult.Outcome.passed, .failed, .skipped].compactMap { outcome -> String? in
      let count = tests.count { $0.outcome == outcome }
      return count == 0 ? nil : "\(count) \(outcome.rawValue)"
    }
    return counts.isEmpty ? "" : "Tests: \(counts.joined(separator: ", "))\n"
  }
}
