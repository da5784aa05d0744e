import Foundation
import Synchronization
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting

@testable import ThreadmillCommand

/// `threadmill report` over files.
@Suite struct ReportCommandTests {
  /// What one call has said, and how it ended.
  struct Said: Equatable {
    var status: ThreadmillCommand.ExitStatus
    var out: String
    var err: String
  }

  /// A folder that exists while the body runs; its path is taken out of what is said.
  struct Folder {
    let directory: TemporaryDirectory

    func path(_ name: String) -> String { directory.file(name).path }

    func put(_ report: Report, _ name: String) throws {
      try Data(JSONReport.bytes(of: report)).write(to: directory.file(name))
    }

    func put(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: directory.file(name))
    }

    func text(_ name: String) -> String? {
      try? String(contentsOfFile: path(name), encoding: .utf8)
    }

    func report(_ name: String) throws -> Report {
      try JSONReport.report(from: Array(try Data(contentsOf: directory.file(name))))
    }

    /// Words that begin with `@` are files.
    func run(_ line: String) -> Said {
      let (out, err) = (Said.Text(), Said.Text())
      let words = line.split(separator: " ").map {
        $0.hasPrefix("@") ? path(String($0.dropFirst())) : String($0)
      }
      let status = Tool.run(
        ["report"] + words,
        console: Console(isColoured: false, say: out.add, complain: err.add))
      let folder = directory.url.path
      func bare(_ text: String) -> String {
        text.replacing("\(folder)/", with: "@").replacing(folder, with: "@")
      }
      return Said(status: status, out: bare(out.text), err: bare(err.text))
    }
  }

  private func inFolder(_ body: (Folder) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    try body(Folder(directory: directory))
  }

  private func finding(_ function: String, count: Int = 1) -> Finding {
    let frame = Frame(address: 0, function: function, file: "/w/\(function).swift", line: 3)
    return Finding(
      kind: .deadlock, status: .observed, title: "wait in \(function)",
      participants: [.init(thread: ThreadID(1), role: "waits", frames: [frame])], count: count)
  }

  private func report(
    _ functions: String..., id: String = "r", shard: Int? = nil, campaign: String? = nil
  ) -> Report {
    Report(
      findings: functions.map { finding($0) },
      run: .init(
        id: id, shard: shard.map { .init(index: $0, total: 3, campaign: campaign) }))
  }

  @Test func reportsAreMergedOnce() throws {
    try inFolder { folder in
      try folder.put(report("f", id: "a"), "a.json")
      try folder.put(report("f", "g", id: "b"), "b.json")
      #expect(
        folder.run("@a.json @b.json --json @ab.json") == Said(status: .findings, out: "", err: ""))
      #expect(try folder.report("ab.json").findings.map(\.count).sorted() == [1, 2])
      let again = folder.run("@b.json @ab.json @a.json --json @again.json")
      #expect(folder.text("again.json") == folder.text("ab.json"))
      #expect(
        again.err == "threadmill report: @a.json: everything in it was counted already\n")
      let text = folder.run("@ab.json").out
      #expect(text.contains("error: wait in f [observed deadlock]"))
      #expect(text.hasSuffix("Threadmill: 2 findings (2 errors)\n"))
    }
  }

  @Test func nothingFoundIsSaid() throws {
    try inFolder { folder in
      try folder.put(report(), "a.json")
      #expect(
        folder.run("@a.json")
          == Said(status: .nothingFound, out: "Threadmill: no findings\n", err: ""))
    }
  }

  @Test(arguments: [Finding.Severity.error, .warning, .note])
  func theStatusGoesByTheSeverity(_ severity: Finding.Severity) throws {
    try inFolder { folder in
      var report = report("wait")
      report.findings[0].severity = severity
      try folder.put(report, "a.json")
      let isNoMore = severity == .note
      #expect(folder.run("@a.json").status == (isNoMore ? .nothingFound : .findings))
    }
  }

  @Test func aLostShardIsNamed() throws {
    try inFolder { folder in
      for shard in [1, 3] { try folder.put(report("f", shard: shard), "\(shard).json") }
      let lost = folder.run("@1.json @3.json --json @all.json --baseline @b.txt --update-baseline")
      #expect(lost.status == .harnessFailed)
      #expect(
        lost.err == """
          threadmill report: shard 2 of 3 is missing: this report is partial
          threadmill report: @b.txt was not changed, because a part of the report is missing

          """)
      #expect(folder.text("b.txt") == nil)
      #expect(try folder.report("all.json").findings.map(\.count) == [2])
      #expect(folder.run("@all.json").out.contains("  partial: shard 2 of 3 is missing\n"))
      try folder.put(report(shard: 2), "2.json")
      #expect(folder.run("@all.json @2.json --json @all.json").status == .findings)
    }
  }

  /// What was left of last night's campaign does not stand for what tonight's has lost.
  @Test func shardsOfAnotherCampaignAreRefused() throws {
    try inFolder { folder in
      for shard in [1, 2] {
        try folder.put(report("f", shard: shard, campaign: "tonight"), "\(shard).json")
      }
      try folder.put(report("g", shard: 3, campaign: "last"), "3.json")
      let mixed = folder.run("@1.json @2.json @3.json --json @all.json")
      #expect(mixed.status == .wrongUsage)
      #expect(
        mixed.err == """
          threadmill report: shards 1 and 2 of 3 in campaign last are missing: this report is partial
          threadmill report: shard 3 of 3 in campaign tonight is missing: this report is partial
          threadmill report: shards of different campaigns: last (@3.json), tonight (@1.json, \
          @2.json); nothing was written; give the shards of one campaign

          """)
      #expect(folder.text("all.json") == nil)
      try folder.put(report("g", shard: 3), "3.json")
      let unnamed = folder.run("@1.json @2.json @3.json")
      #expect(unnamed.status == .wrongUsage)
      #expect(unnamed.err.contains("different campaigns: none that is named (@3.json), tonight "))
    }
  }

  /// Whole ones can be merged, and merged again.
  @Test func wholeCampaignsAreMerged() throws {
    try inFolder { folder in
      for (campaign, name) in [("last", "a"), ("tonight", "b")] {
        for shard in 1...3 {
          try folder.put(report("f", shard: shard, campaign: campaign), "\(name)\(shard).json")
        }
        let said = folder.run("@\(name)1.json @\(name)2.json @\(name)3.json --json @\(name).json")
        #expect(said == Said(status: .findings, out: "", err: ""))
      }
      #expect(folder.run("@a.json @b.json --json @ab.json").status == .findings)
      #expect(try folder.report("ab.json").findings.map(\.count) == [6])
      #expect(try folder.report("ab.json").gaps == [])
    }
  }

  /// One path that cannot be written costs none of the others.
  @Test func whatCannotBeWrittenIsNamedAndTheRestIsThere() throws {
    try inFolder { folder in
      try folder.put(report("f"), "a.json")
      // Found only when it is written to, whoever asks.
      let long = String(repeating: "x", count: 300)
      let said = folder.run("@a.json --html @page.html --json @\(long) --text @a.txt")
      #expect(
        said
          == Said(
            status: .wrongUsage, out: "",
            err: "threadmill report: cannot write report @\(long): File name too long"
              + " (looking at the file)\n"))
      #expect(folder.text("page.html") != nil && folder.text("a.txt") != nil)
      let link = folder.path("link.json")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.json")
      let early = folder.run("@a.json --json @link.json --text @b.txt")
      #expect(early.status == .wrongUsage)
      #expect(early.err.contains("is not valid; allowed: a file, not a folder,"))
      #expect(folder.text("b.txt") == nil)
    }
  }

  /// Whatever became of a file, it is told with the byte, and the others are merged all the same.
  @Test func aBrokenFileIsNamedAndTheOthersAreMerged() throws {
    try inFolder { folder in
      try folder.put(report("f", id: "good"), "good.json")
      let whole = JSONReport.bytes(of: report("f", id: "broken")).dropLast()
      for length in whole.indices {
        try Data(whole[..<length]).write(to: folder.directory.file("broken.json"))
        let said = folder.run("@broken.json @good.json --json @all.json")
        #expect(said.status == .wrongUsage)
        #expect(
          said.err
            == "threadmill report: @broken.json: not JSON: unexpected end at byte \(length)\n")
        #expect(try folder.report("all.json") == report("f", id: "good"))
      }
    }
  }

  @Test func whatIsNoReportIsNamedWithItsPlace() throws {
    try inFolder { folder in
      try folder.put(#"{"findings": [{"kind": "deadlok"}], "version": 1}"#, "a.json")
      try folder.put(#"{"findings": [], "version": 2}"#, "b.json")
      let said = folder.run("@a.json @b.json @c.json @ --text @out.txt")
      #expect(said.status == .wrongUsage)
      let lines = said.err.split(separator: "\n")
      #expect(lines.count == 5)
      #expect(lines[0].hasPrefix("threadmill report: @a.json: no report: expected dataRace, "))
      #expect(lines[0].hasSuffix(" at findings[0].kind (byte 23)"))
      #expect(lines[1] == "threadmill report: @b.json: a report of version 2; known: 1")
      #expect(lines[2] == "threadmill report: @c.json: there is no such file")
      #expect(lines[3] == "threadmill report: @: a folder; expected a file")
      #expect(lines[4] == "threadmill report: no report is left to merge")
      #expect(folder.text("out.txt") == nil)
    }
  }

  /// As the first version that wrote reports did.
  @Test func anOldReportIsRead() throws {
    try inFolder { folder in
      try folder.put(
        """
        {"version": 1, "findings": [{"kind": "deadlock", "status": "observed", "severity": "error",
         "title": "t", "fingerprint": "0000000000000001", "tests": ["a"], "count": 2,
         "participants": [{"thread": "T1", "role": "waits", "frames": [{"function": "f"}],
           "holds": [{"object": "L1", "mode": "exclusive", "frames": []}], "wants": "L2"}],
         "objects": [{"id": "L1", "kind": "mutex", "created": []}]}],
         "run": {"id": "1-2", "processes": 1, "mode": "observe"}, "accounting": {"cutStacks": 1}}
        """, "old.json")
      #expect(folder.run("@old.json --json @new.json").status == .findings)
      #expect(folder.run("@new.json @old.json --json @both.json").status == .findings)
      #expect(try folder.report("both.json").findings.map(\.count) == [2])
      #expect(try folder.report("both.json").accounting == ["cutStacks": 1])
    }
  }

  @Test func aBaselineIsWrittenCheckedAndKept() throws {
    try inFolder { folder in
      try folder.put(report("f", "g"), "a.json")
      try folder.put(report("g", "h"), "b.json")
      let missing = folder.run("@a.json --baseline @b.txt")
      #expect(missing.status == .wrongUsage)
      #expect(
        missing.err == """
          threadmill report: there is no baseline @b.txt; add --update-baseline to write it from \
          this report

          """)
      let first = folder.run("@a.json --baseline @b.txt --update-baseline")
      #expect(first.status == .nothingFound)
      #expect(
        first.err
          == "threadmill report: wrote @b.txt: findings now known: 2, added: 2, dropped: 0\n")
      let written = try #require(folder.text("b.txt"))
      #expect(folder.run("@a.json --baseline @b.txt").status == .nothingFound)
      let check = folder.run("@b.json --baseline @b.txt")
      #expect(check.status == .findings)
      #expect(check.out.contains("error: wait in h ") && !check.out.contains("error: wait in g "))
      #expect(check.err.hasPrefix("threadmill report: gone, but still in @b.txt: "))
      #expect(check.err.hasSuffix(" deadlock: wait in f; in f\n"))
      #expect(folder.text("b.txt") == written)
      #expect(
        folder.run("@b.json --baseline @b.txt --update-baseline").err
          == "threadmill report: wrote @b.txt: findings now known: 2, added: 1, dropped: 1\n")
      try folder.put(written + "=======\n", "b.txt")
      #expect(
        folder.run("@a.json --baseline @b.txt").err == """
          threadmill report: @b.txt:5: expected a fingerprint of 16 digits from 0 to f, then words

          """)
    }
  }

  @Test func suppressionsAreHeeded() throws {
    try inFolder { folder in
      try folder.put(report("f"), "a.json")
      try folder.put(
        """
        suppress any
          file f.swift
          reason ours
        suppress any
          function g
          reason unused
        suppress any
          function f
          reason old
          until 2020-12-31
        """, "s.txt")
      let said = folder.run("@a.json --suppressions @s.txt --json @out.json")
      #expect(said.status == .nothingFound)
      #expect(
        said.err == """
          threadmill report: @s.txt:4: matches no finding: unused
          threadmill report: @s.txt:7: expired after 2020-12-31, and suppresses nothing any more: old

          """)
      #expect(
        try folder.report("out.json").findings.map(\.judgement)
          == [.suppressed(reason: "ours", by: "\(folder.path("s.txt")):1")])
      try folder.put("suppress\nreason x\nuntill", "s.txt")
      let malformed = folder.run("@a.json --suppressions @s.txt")
      #expect(malformed.status == .wrongUsage)
      #expect(malformed.err.contains("threadmill report: @s.txt:1: "))
      #expect(malformed.err.contains("threadmill report: @s.txt:3: "))
      #expect(folder.run("@a.json --suppressions @nope.txt").status == .wrongUsage)
    }
  }

  @Test func runsAreCompared() throws {
    try inFolder { folder in
      try folder.put(report("f", "g"), "old.json")
      try folder.put(report("g", "h"), "new.json")
      let said = folder.run("@new.json --compare @old.json")
      #expect(said.status == .findings)
      #expect(said.out.contains("error: wait in h ") && !said.out.contains("error: wait in g "))
      #expect(said.out.contains("known  wait in g [observed deadlock]\n"))
      #expect(
        said.out.hasSuffix(
          """
          gone  \(finding("f").fingerprint) deadlock: wait in f; in f
          Since @old.json: 1 new, 1 the same, 1 gone

          """))
      #expect(folder.run("@old.json --compare @old.json").status == .nothingFound)
      #expect(folder.run("@old.json --compare @nope.json").status == .wrongUsage)
      #expect(
        folder.run("@old.json --compare @old.json --baseline @old.json").status == .wrongUsage)
    }
  }

  @Test(arguments: ["", "@a.json --update-baseline", "@a.json --json @nope/out.json"])
  func whatIsWrongIsRefused(_ line: String) throws {
    try inFolder { folder in
      try folder.put(report(), "a.json")
      #expect(folder.run(line).status == .wrongUsage)
    }
  }
}

extension ReportCommandTests.Said {
  /// What came one piece after the other.
  final class Text: Sendable {
    private let content = Mutex("")
    var text: String { content.withLock { $0 } }
    func add(_ piece: String) { content.withLock { $0 += piece } }
  }
}
