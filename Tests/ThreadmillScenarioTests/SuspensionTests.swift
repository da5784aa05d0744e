import Testing
import ThreadmillTestSupport

/// What the report says of a lock that a task takes along into an `await`.
@Suite struct SuspensionTests {
  /// The gate reads the place from the task, whose layout is the toolchain's.
  @Test func itNamesTheLockAndTheAwait() async throws {
    let run = try await Host.run("lock-across-await", .flawed) { file in
      .when { (try? ReportFile(at: file))?.kinds.contains("lockAcrossSuspension") ?? false }
    }
    let finding = try #require(
      run.report?.findings.first { $0.kind == "lockAcrossSuspension" })
    let participant = try #require(finding.participants.first)
    let awaits = participant.frames.filter { $0.system != true }.compactMap(\.function)
    #expect(awaits.first == "Catalogue.refreshInOneStep()")
    #expect(participant.frames.firstUserFrame?.line != nil)
    #expect(participant.holds.map(\.object) == finding.objects.map(\.id))
    let taken = participant.holds.first?.frames.firstUserFrame?.function
    #expect(taken == "Catalogue.beginUpdate()")
  }
}
