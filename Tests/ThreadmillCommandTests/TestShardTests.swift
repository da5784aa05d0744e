import Testing
import ThreadmillModel

@testable import ThreadmillCommand

/// Parts of a run, whoever asks for them.
@Suite struct TestShardTests {
  private func shard(_ index: Int, _ total: Int) -> Report.Run.Shard {
    Report.Run.Shard(index: index, total: total)
  }

  @Test(arguments: [
    (["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "3"], 1, 3),
    (["GTEST_SHARD_INDEX": "2", "GTEST_TOTAL_SHARDS": "3"], 3, 3),
    (["SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_COUNT": "4"], 5, 9),
    (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2", "GITLAB_CI": "true"], 1, 2),
  ])
  func enginesAreUnderstood(_ environment: [String: String], _ index: Int, _ total: Int) throws {
    var environment = environment
    if environment["SLURM_ARRAY_TASK_ID"] != nil {
      environment["SLURM_ARRAY_TASK_COUNT"] = "9"
    }
    #expect(try TestShard.find(in: environment) == shard(index, total))
  }

  /// Slurm's tasks may begin anywhere and leave some out.
  @Test func anArrayMayBeginAnywhere() throws {
    let found = try TestShard.find(in: [
      "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "3",
      "SLURM_ARRAY_TASK_STEP": "2",
    ])
    #expect(found == shard(3, 4))
  }

  @Test(arguments: [
    (["THREADMILL_CAMPAIGN": "mine", "SLURM_ARRAY_JOB_ID": "7"], "mine"),
    (["SLURM_ARRAY_JOB_ID": "7"], "7"), (["GITHUB_RUN_ID": "8"], "8"),
    (["CI_PIPELINE_ID": "9"], "9"), (["THREADMILL_CAMPAIGN": "", "CI_PIPELINE_ID": "9"], "9"),
    ([:], nil),
  ])
  func theCampaignIsNamedByTheEngine(_ environment: [String: String], _ campaign: String?) {
    #expect(TestShard.campaign(in: environment) == campaign)
  }

  @Test func theMostSpecificCounts() throws {
    let found = try TestShard.find(in: [
      "TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "2", "GTEST_SHARD_INDEX": "0",
      "GTEST_TOTAL_SHARDS": "4",
    ])
    #expect(found == shard(2, 2))
  }

  @Test func othersNodesAreNotGitLabs() throws {
    #expect(try TestShard.find(in: ["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "2"]) == nil)
    #expect(try TestShard.find(in: [:]) == nil)
  }

  @Test(arguments: ["9", "-1", "x", "", "99999999999999999999"])
  func nonsenseIsRefused(_ index: String) {
    #expect(throws: TestShard.Nonsense.self) {
      try TestShard.find(in: ["TEST_SHARD_INDEX": index, "TEST_TOTAL_SHARDS": "3"])
    }
  }

  /// All parts together do every test of every run once.
  @Test(arguments: [1, 2, 3, 7, 12])
  func allShardsAreTheWhole(_ total: Int) {
    let tests = (0..<10).map { PackageTest($0 % 3 == 0 ? .xctest : .swiftTesting, "M.t\($0)") }
    for run in 1...5 {
      let parts = (1...total).map { TestShard.share(of: tests, run: run, shard($0, total)) }
      let all = parts.flatMap(\.self)
      #expect(all.count == tests.count && Set(all) == Set(tests))
      let sizes = parts.map(\.count)
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }
    #expect(TestShard.share(of: tests, run: 1, nil) == tests)
  }

  /// In whatever order the tests were listed.
  @Test func theOrderOfTheListDoesNotMatter() {
    let tests = (0..<10).map { PackageTest(.swiftTesting, "M.t\($0)") }
    let part = shard(2, 3)
    #expect(
      TestShard.share(of: tests, run: 4, part)
        == TestShard.share(of: tests.reversed(), run: 4, part))
  }
}

/// What a test process writes down, and what is concluded from it.
@Suite struct TestJournalTests {
  @Test func whatEndedBesideACrashMayHaveSaidNothing() {
    let journal = TestJournal("+early\tM.early\n-early\n+trap\tM.trap\n+beside\n-beside\n")
    #expect(journal.ended == ["early", "beside"])
    let all: Set = ["early", "beside", "trap"]
    #expect(journal.ended(before: ["trap"], withResultsOf: all) == ["early"])
    #expect(journal.ended(before: [], withResultsOf: all) == ["early", "beside"])
    #expect(journal.ended(before: ["trap"], withResultsOf: ["beside"]) == [])
  }

  @Test func whoHasBegunAndNotEndedRuns() {
    let journal = TestJournal("+M.a()\tM.a()\n+M.C/testB\tC.testB\n-M.a()\n")
    #expect(journal.running == ["M.C/testB"])
    #expect(journal.ended == ["M.a()"])
    #expect(journal.identifiers(of: ["C.testB", "other"]) == ["M.C/testB"])
  }

  /// The cases of a test come and go.
  @Test func aTestMayBeginAgain() {
    #expect(TestJournal("+a\ta\n+a\ta\n-a\n").running == ["a"])
    #expect(TestJournal("+a\ta\n+a\ta\n-a\n").ended == [])
    #expect(TestJournal("+a\ta\n-a\n+a\ta\n").ended == [])
    #expect(TestJournal("+a\ta\n-a\n+a\ta\n-a\n").ended == ["a"])
  }

  /// Its writer may have been killed in the middle.
  @Test(arguments: ["", "\n", "+", "-", "-a\n", "?\n", "+\t\n", "-\n\n"])
  func whateverIsThereIsRead(_ text: String) {
    #expect(TestJournal(text).ended == [])
  }
}
