import Testing
import ThreadmillTestSupport

/// Where the report says that a continuation was misused.
@Suite struct ContinuationTests {
  private func finding(_ id: String) async throws -> ReportFile.Finding {
    let run = try await Host.run(id, .flawed) { file in
      .when { (try? ReportFile(at: file))?.kinds.contains("continuationMisuse") ?? false }
    }
    return try #require(run.report?.findings.first { $0.kind == "continuationMisuse" })
  }

  /// The gate reads a checked continuation's state, whose layout is the toolchain's.
  @Test func bothResumesAreNamed() async throws {
    let participants = try await finding("resumed-twice").participants
    #expect(
      participants.map(\.frames.firstUserFrame?.function) == [
        "Line.closeCarelessly()", "Line.receive(_:)",
      ])
  }

  @Test func theAwaitOfADroppedOneIsNamed() async throws {
    let participants = try await finding("dropped-continuation").participants
    #expect(participants.map(\.frames.firstUserFrame?.function) == ["closure #1 in lookUp(_:)"])
  }
}
