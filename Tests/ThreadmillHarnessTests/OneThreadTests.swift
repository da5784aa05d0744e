import Testing
import ThreadmillTestSupport

/// Opposite orders that one thread alone took are a note in the report, and no failure; under
/// Thread Sanitizer, whose own report of them is left out, as well.
@Suite struct OneThreadTests {
  private func run(_ scenario: String, options: String = "") async throws -> Watched.Run {
    try await Watched.scenario(scenario, "repaired", options: options).run()
  }

  @Test func isANote() async throws {
    let run = try await run("one-thread-both-orders")
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    let report = try #require(run.report)
    #expect(report.accusations.map(\.title) == [])
    try #require(report.findings.count == 1)
    let note = report.findings[0]
    #expect(note.kind == "lockOrderCycle")
    #expect(note.status == "potential")
    #expect(note.severity == "note")
    #expect(note.singleThreaded == true)
    #expect(note.participants.count == 2)
    #expect(note.participants[0].thread == note.participants[1].thread)
    let functions = note.participants.map { $0.frames.firstUserFrame?.function }
    #expect(functions == ["Shelf.copy(to:)", "Shelf.copy(to:)"])
    #expect(report.accounting["lockCyclesOfOneThread"] == 1)
  }

  @Test func isAnErrorOnRequest() async throws {
    let run = try await run("one-thread-both-orders", options: "singlethreaded=true")
    #expect(run.child.outcome == .exited(1))
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(report.accusations.map(\.severity) == ["error"])
    #expect(report.accusations.map(\.singleThreaded) == [true])
  }

  /// Even an error is none where a common lock keeps the two apart.
  @Test(arguments: ["gate-lock", "ordered-by-join", "hand-over-hand"])
  func whatIsSafeIsNotNoted(_ scenario: String) async throws {
    let run = try await run(scenario, options: "singlethreaded=true")
    #expect(run.child.outcome == .exited(0))
    #expect(try #require(run.report).findings.map(\.title) == [])
  }
}
