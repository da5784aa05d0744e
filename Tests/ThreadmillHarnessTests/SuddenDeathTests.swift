import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A report is complete or absent, whenever its writer is killed.
@Suite struct SuddenDeathTests {
  private static let rounds = 100
  private static let seed: UInt16 = 2_026

  /// Tells of a re-entry, and so writes its report, again and again.
  private static let writer = Watched(
    program: "harness-endings", arguments: ["innocent", "relocks"], options: "continue=true")

  /// Whatever moment is hit, the report must be whole, so chance cannot fail this test. But it must
  /// not look at moments before the first report only: each round that is as fast as the first has
  /// an even chance to leave one, so the chance that none of them does is 2^-100.
  @Test func killedAtRandomMoments() async throws {
    // The least of three: one measured while the machine was busy would stretch every round.
    var first = try await timeOfFirstReport()
    for _ in 0..<2 { first = min(first, try await timeOfFirstReport()) }
    print("\(Self.rounds) rounds, seed \(Self.seed), first report after \(first) s")
    var state = [Self.seed, 0, 0]
    let moments = (0..<Self.rounds).map { _ in erand48(&state) * 2 * first }
    let reports = try await withThrowingTaskGroup(of: ReportFile?.self) { group in
      for moment in moments {
        group.addTask { try await Self.report(killedAfter: moment) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.count == Self.rounds)
    let kept = reports.compactMap { $0 }
    #expect(!kept.isEmpty)
    for report in kept {
      #expect(report.run.processes == 1)
      #expect(report.accusations.map(\.kind) == ["selfDeadlock"])
    }
  }

  /// - Throws: if there is a file that is not a whole report.
  private static func report(killedAfter moment: TimeInterval) async throws -> ReportFile? {
    let run = try await writer.run { _ in .after(moment) }
    #expect(run.child.outcome == .stopped)
    return run.report
  }

  /// Seconds from its start to its first report, without the wait for a free slot.
  private func timeOfFirstReport() async throws -> TimeInterval {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let child = try Self.writer.child(options: "continue=true report=\(file.path)")
    return try await Slots.children.occupy {
      let start = ContinuousClock.now
      _ = try await child.run(stop: .when { FileManager.default.fileExists(atPath: file.path) })
      try #require(try ReportFile(at: file) != nil)
      return (ContinuousClock.now - start) / .seconds(1)
    }
  }
}
