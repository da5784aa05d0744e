import Testing

@testable import ThreadmillModel

@Suite struct TestResultTests {
  private static let failed = TestResult(
    "M.S/t()", .failed, milliseconds: 3, issues: [.init("b", file: "/f", line: 2), .init("a")])
  private static let passed = TestResult("M.S/t()", .passed, milliseconds: 9)
  private static let skipped = TestResult("M.S/t()", .skipped)
  private static let sensitive = TestResult(
    "M.S/t()", .failed, issues: [.init("c", file: "/f", line: 1)], isSensitive: true)

  /// Reports of shards are united in any order, and some of them come twice.
  @Test func resultsAreUnitedInAnyOrderAndHoweverOften() {
    let all = [Self.failed, Self.passed, Self.skipped, Self.sensitive]
    for a in all {
      #expect(a.merged(with: a) == a)
      for b in all {
        #expect(a.merged(with: b) == b.merged(with: a))
        for c in all {
          #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)))
        }
      }
    }
    let whole = TestResult.merged(all)
    #expect(whole.count == 1)
    #expect(whole.first?.outcome == .failed && whole.first?.milliseconds == 9)
    #expect(whole.first?.issues.map(\.message) == ["a", "c", "b"])
    #expect(whole.first?.isSensitive == true)
    #expect(Self.passed.merged(with: Self.skipped).outcome == .passed)
  }

  @Test func aLongListOfFailuresIsCutTheSameInAnyOrder() {
    let many = (0..<50).map { TestResult("t", .failed, issues: [.init("no. \(100 + $0)")]) }
    let forwards = TestResult.merged(many)
    #expect(forwards == TestResult.merged(many.reversed()))
    #expect(forwards[0].issues.count == TestResult.mostIssues)
    #expect(forwards[0].issues.first?.message == "no. 100")
  }

  /// A finding fails its test with a message of its own, which is not told twice.
  @Test func aFailureThatAFindingExplainsIsNoneOfItsOwn() {
    let finding = Finding(
      kind: .deadlock, status: .observed, title: "Deadlock: T1", tests: ["S.t"])
    let result = TestResult(
      "M.S/t", title: "S.t", .failed, issues: [.init("Deadlock: T1\n  more"), .init("1 != 2")])
    #expect(result.explained(by: [finding]).issues == [.init("1 != 2")])
    var others = finding
    others.tests = ["S.other"]
    #expect(result.explained(by: [others]) == result)
    let report = Report(
      findings: [finding], run: .init(id: ""),
      tests: [
        TestResult("M.S/t", title: "S.t", .failed), TestResult("M.S/u", .failed), Self.passed,
      ])
    #expect(report.tests.count == 3)
  }

  @Test(arguments: ["", "plain", "a\tb\nc", "\\t\\\\n\\", "é\n\u{2028}\t"])
  func aCellOfTheJournalComesBack(_ text: String) {
    let cell = TestResult.escaped(text)
    #expect(!cell.contains("\t") && !cell.contains("\n"))
    #expect(TestResult.unescaped(cell) == text)
  }
}
