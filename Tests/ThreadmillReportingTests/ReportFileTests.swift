import Foundation
import Glibc
import Testing
import ThreadmillModel
import ThreadmillReporting

/// A folder that exists while the body runs.
private func withFolder(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "threadmill-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder)
}

private func names(in folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}

private func read(_ file: URL) throws -> Report {
  try JSONReport.report(from: Array(try Data(contentsOf: file)))
}

private func report(_ function: String, run: String = "1-2", test: String = "T/t()") -> Report {
  let frames = [Frame(address: 0, function: function)]
  let finding = Finding(
    kind: .deadlock, status: .observed, title: "t",
    participants: [.init(thread: ThreadID(1), role: "waits", frames: frames)], tests: [test])
  return Report(findings: [finding], run: .init(id: run), accounting: ["dropped": 1])
}

@Suite struct ReportFileWriteTests {
  @Test func itWritesAndReplaces() throws {
    try withFolder { folder in
      let file = folder.appending(path: "out.json")
      try ReportFile.write(report("f()"), to: file.path)
      #expect(try read(file) == report("f()"))
      try ReportFile.write(report("g()"), to: file.path)
      #expect(try read(file) == report("g()"))
      #expect(try names(in: folder) == ["out.json"])
    }
  }

  @Test func theLongestNameWorks() throws {
    try withFolder { folder in
      let file = folder.appending(path: String(repeating: "n", count: 255))
      try ReportFile.merge(into: file.path, report("f()"))
      #expect(try read(file) == report("f()"))
    }
  }

  /// Root may write anywhere, so that only what nobody can write is a failure for everybody.
  @Test func whatCannotBeWrittenNamesPathAndReason() throws {
    try withFolder { folder in
      let file = folder.appending(path: "file")
      try Data("x".utf8).write(to: file)
      try expectFailure(at: folder.path + "/none/out.json", ENOENT, "No such file or directory")
      try expectFailure(at: file.path + "/out.json", ENOTDIR, "Not a directory")
      let long = folder.path + "/" + String(repeating: "n", count: 256)
      try expectFailure(at: long, ENAMETOOLONG, "File name too long")
      #expect(try names(in: folder) == ["file"])
      #expect(try Data(contentsOf: file) == Data("x".utf8))
    }
  }

  private func expectFailure(at path: String, _ number: Int32, _ text: String) throws {
    for attempt in [ReportFile.write, { try ReportFile.merge(into: $1, $0) }] {
      let error = #expect(throws: ReportFileError.self) { try attempt(report("f()"), path) }
      guard case .failed(_, path, number) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(error?.description.contains(path) == true)
      #expect(error?.description.contains(text) == true)
    }
  }

  @Test func whatIsNoRegularFileStays() throws {
    try withFolder { folder in
      let target = folder.appending(path: "target")
      try Data("x".utf8).write(to: target)
      let link = folder.appending(path: "link")
      // Stands for /dev/null, which a broken guard would replace if root runs this.
      let pipe = folder.appending(path: "pipe")
      #expect(mkfifo(pipe.path, 0o600) == 0)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
      for path in [folder.path, folder.path + "/", folder.path + "/..", link.path, pipe.path, ""] {
        #expect(throws: ReportFileError.notRegular(path: path)) {
          try ReportFile.write(report("f()"), to: path)
        }
        #expect(throws: ReportFileError.notRegular(path: path)) {
          try ReportFile.merge(into: path, report("f()"))
        }
      }
      #expect(try names(in: folder) == ["link", "pipe", "target"])
      #expect(try Data(contentsOf: target) == Data("x".utf8))
    }
  }

  /// Whoever reads while it is written sees one whole report or the other.
  @Test func readersNeverSeeHalfAFile() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "threadmill-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "out.json")
    let long = String(repeating: "long", count: 20_000)
    let reports = [report("short"), report(long)]
    try ReportFile.write(reports[0], to: file.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 1...20 { try ReportFile.write(reports[round % 2], to: file.path) }
      }
      let known = Set(reports.map(\.findings[0].fingerprint))
      @Sendable func readOften() throws {
        for _ in 0..<20 {
          let found = try read(file).findings[0].fingerprint
          #expect(known.contains(found))
        }
      }
      for _ in 0..<2 { group.addTask { try readOften() } }
      try await group.waitForAll()
    }
    #expect(try names(in: folder) == ["out.json"])
  }
}

@Suite struct ReportFileMergeTests {
  @Test func oneRunIsMergedAndAnotherReplaced() throws {
    try withFolder { folder in
      let path = folder.appending(path: "out.json").path
      try ReportFile.merge(into: path, report("f()", test: "B"))
      try ReportFile.merge(into: path, report("f()", test: "A"))
      try ReportFile.merge(into: path, report("g()"))
      let merged = try read(URL(filePath: path))
      #expect(merged.run.processes == 3)
      #expect(merged.accounting == ["dropped": 3])
      #expect(Set(merged.findings.map(\.tests)) == [["A", "B"], ["T/t()"]])
      try ReportFile.merge(into: path, report("h()", run: "3-4"))
      #expect(try read(URL(filePath: path)) == report("h()", run: "3-4"))
      #expect(try names(in: folder) == ["out.json"])
    }
  }

  private func mergeOften(_ thread: Int, into file: URL, _ failures: Failures) {
    for round in 0..<5 {
      let report = report("f\(round)", test: "\(thread)")
      failures.note { try ReportFile.merge(into: file.path, report, patience: 600_000) }
    }
    failures.threadIsDone()
  }

  /// Every merge takes the lock through a descriptor of its own, as processes do.
  @Test func concurrentMergesLoseNothing() throws {
    try withFolder { folder in
      let file = folder.appending(path: "out.json")
      let failures = Failures()
      let threads = (0..<8).map { thread in Thread { mergeOften(thread, into: file, failures) } }
      for thread in threads { thread.start() }
      failures.wait(forThreads: threads.count)
      #expect(failures.messages == [])
      let merged = try read(file)
      #expect(merged.run.processes == 40)
      #expect(merged.accounting == ["dropped": 40])
      #expect(merged.findings.map(\.count) == [8, 8, 8, 8, 8])
      #expect(merged.findings.allSatisfy { $0.tests == (0..<8).map(String.init) })
      #expect(try names(in: folder) == ["out.json"])
    }
  }

  @Test func anEmptyFileAndAnOldReportAreReplaced() throws {
    try withFolder { folder in
      let file = folder.appending(path: "out.json")
      for text in ["", #"{"version": 999, "findings": [], "run": 5}"#] {
        try Data(text.utf8).write(to: file)
        try ReportFile.merge(into: file.path, report("f()"))
        #expect(try read(file) == report("f()"))
      }
    }
  }

  @Test func aFileThatIsNoReportStays() throws {
    try withFolder { folder in
      let file = folder.appending(path: "Package.swift")
      let whole = JSONReport.bytes(of: report("f()"))
      let half = Array(whole.prefix(whole.count / 2))
      for bytes in [Array("import PackageDescription".utf8), Array("{}".utf8), [0xFF], half] {
        try Data(bytes).write(to: file)
        let error = #expect(throws: ReportFileError.self) {
          try ReportFile.merge(into: file.path, report("f()"))
        }
        guard case .foreign(file.path, _) = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(try Data(contentsOf: file) == Data(bytes))
      }
      #expect(try names(in: folder) == ["Package.swift"])
    }
  }

  @Test func aLockThatStaysIsAnErrorAndOneThatGoesIsNot() throws {
    try withFolder { folder in
      let path = folder.appending(path: "out.json").path
      let other = open(folder.path, O_RDONLY | O_DIRECTORY)
      defer { close(other) }
      #expect(flock(other, LOCK_EX) == 0)
      #expect(throws: ReportFileError.busy(path: path, milliseconds: 0)) {
        try ReportFile.merge(into: path, report("f()"), patience: 0)
      }
      #expect(try names(in: folder) == [])
      #expect(flock(other, LOCK_UN) == 0)
      try ReportFile.merge(into: path, report("f()"), patience: 0)
      #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    }
  }
}

/// What went wrong on some threads; `NSCondition` protects both fields.
private final class Failures: @unchecked Sendable {
  private let condition = NSCondition()
  private var texts: [String] = []
  private var done = 0

  var messages: [String] { condition.withLock { texts } }

  func note(_ body: () throws -> Void) {
    do { try body() } catch { condition.withLock { texts.append("\(error)") } }
  }

  func threadIsDone() {
    condition.withLock { done += 1 }
    condition.broadcast()
  }

  func wait(forThreads count: Int) {
    condition.withLock {
      while done < count { condition.wait() }
    }
  }
}
