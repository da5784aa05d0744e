import Testing
import ThreadmillTestSupport

/// `graph=true` and `trace=true` against programs whose locks and blocks are known.
@Suite struct DrawingTests {
  private let queues = Watched.scenario(
    "mutual-queue-sync", "flawed", options: "graph=true trace=true")

  private func report(of watched: Watched) async throws -> ReportFile {
    try #require(try await watched.run().report)
  }

  @Test func theOrdersOfTheWholeRunAreKept() async throws {
    let graph = try #require(try await report(of: queues).lockGraph)
    #expect(graph.classes.map(\.kind) == ["serialQueue", "serialQueue"])
    #expect(graph.classes.map(\.label) == ["journal", "ledger"])
    #expect(graph.edges.map { [$0.from, $0.to] } == [[0, 1], [1, 0]])
    #expect(graph.edges.allSatisfy { $0.count == 1 && $0.frames.firstUserFrame != nil })
  }

  @Test func blocksRunAfterTheirSubmission() async throws {
    let report = try await report(
      of: .scenario("semaphore-inversion", "flawed", options: "trace=true"))
    let recording = try #require(report.trace?.recordings.first)
    #expect(report.trace?.recordings.count == 1)
    let blocks = recording.events.filter { $0.what == "block" }
    #expect(Set(["exports", "screen"]).isSubset(of: blocks.map(\.label)))
    for block in blocks {
      let from = recording.events.filter { $0.what == "submission" && $0.flow == block.flow }
      #expect(from.count == 1)
      #expect(try #require(from.first).at <= block.at)
    }
    #expect(recording.events.map(\.at) == recording.events.map(\.at).sorted())
    let found = recording.events.filter { $0.what == "finding" }
    #expect(Set(found.map(\.label)).isSuperset(of: report.findings.map(\.title)))
  }

  /// A program that takes the locks of one class 202 times.
  @Test func everyHoldIsRecorded() async throws {
    let watched = Watched(
      program: "harness-contention", arguments: ["class"], options: "trace=true")
    let report = try await report(of: watched)
    let recording = try #require(report.trace?.recordings.first)
    #expect(report.profile == nil)
    let tills = recording.locks.indices.filter {
      recording.locks[$0].kind == "mutex"
        && recording.locks[$0].created?.firstUserFrame?.function == "Till.init()"
    }
    let holds = recording.events.filter { $0.what == "hold" && tills.contains($0.lock ?? -1) }
    #expect(tills.count == 1)
    #expect(holds.count == 202)
    #expect(holds.contains { ($0.lasted ?? 0) >= 50_000_000 })
    #expect(recording.events.contains { $0.what == "wait" && tills.contains($0.lock ?? -1) })
    #expect(report.accounting["traceEventsDropped"] == nil)
  }

  @Test func nobodyAskedForThem() async throws {
    var quiet = queues
    quiet.options = ""
    let report = try await report(of: quiet)
    #expect(report.lockGraph == nil)
    #expect(report.trace == nil)
  }
}
