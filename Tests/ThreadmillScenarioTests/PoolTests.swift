import Foundation
import Testing
import ThreadmillTestSupport

/// The width of the pool of Swift's tasks, as it is and as the option makes it.
@Suite struct PoolTests {
  private static let cores = ProcessInfo.processInfo.activeProcessorCount

  private func starve(_ options: String) async throws -> Host.Run {
    try await Host.run("starved-pool", .flawed, options: options) { file in
      .when { (try? ReportFile(at: file))?.accusations.contains { Self.isStarved($0) } ?? false }
    }
  }

  private func starvations(_ run: Host.Run) -> [String]? {
    run.report?.accusations.filter { $0.kind == "poolStarvation" }.map(\.title)
  }

  private static func isStarved(_ finding: ReportFile.Finding) -> Bool {
    finding.title.hasPrefix("Starved pool")
  }

  private static func title(_ threads: Int) -> String {
    threads == 1
      ? "Starved pool: the only thread for tasks is blocked, and tasks wait for one"
      : "Starved pool: all \(threads) threads for tasks are blocked, and tasks wait for one"
  }

  /// A fact of libdispatch that the detector relies on.
  @Test func itHasAThreadForEachCore() async throws {
    let run = try await starve("")
    #expect(starvations(run) == [Self.title(Self.cores)])
  }

  @Test(arguments: [1, cores + 1]) func anOptionSetsItsWidth(_ threads: Int) async throws {
    let run = try await starve("pool=\(threads)")
    #expect(starvations(run) == [Self.title(threads)])
  }

  /// The program blocks twice as many threads as there are cores, and needs one more.
  @Test func aWidePoolIsNotStarved() async throws {
    let run = try await starve("pool=\(2 * Self.cores + 1)")
    #expect(run.child.outcome == .exited(0))
    #expect(run.kinds == [])
  }
}
