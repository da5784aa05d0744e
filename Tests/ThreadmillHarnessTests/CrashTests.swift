import Foundation
import Testing
import ThreadmillTestSupport

/// A crash is a finding if there is a report to write. The process then dies as it would have
/// without Threadmill.
@Suite struct CrashTests {
  @Test func anAbortIsTold() async throws {
    let finding = try await crash("abort", SIGABRT)
    #expect(finding.title == "Crash: an abort (SIGABRT)")
    #expect(finding.participants.map { $0.frames.firstUserFrame?.function } == ["ends_by_abort"])
  }

  @Test(.disabled(if: isThreadSanitized, "the sanitizer turns it into an exit of its own"))
  func anInvalidAccessIsTold() async throws {
    let finding = try await crash("segmentation-fault", SIGSEGV)
    #expect(finding.title == "Crash: an invalid memory access (SIGSEGV)")
    let functions = finding.participants.map { $0.frames.firstUserFrame?.function }
    #expect(functions == ["ends_by_segmentation_fault"])
  }

  /// The frame has the line of the trapping instruction, not that of the instruction before it.
  @Test func anInstructionIsToldWithItsLine() async throws {
    let run = try await Watched(program: "harness-endings", arguments: ["innocent", "trap"]).run()
    let frames = try #require(run.report?.accusations.first?.participants.first?.frames)
    #expect(frames.firstUserFrame?.function == "ends_by_trap")
    #expect(frames.firstUserFrame?.line.map { "\($0)" } == run.child.standardOutput)
  }

  /// Findings from before the crash are in the report, too, though no exit writes them.
  @Test func whatWasFoundBeforeIsKept() async throws {
    let run = try await Watched(program: "harness-endings", arguments: ["guilty", "abort"]).run()
    #expect(run.child.outcome == .signalled(SIGABRT))
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind).sorted() == ["crash", "lockOrderCycle"])
  }

  /// A process that SIGTERM ends has not crashed, not even if something was found before.
  @Test func anOrderToEndIsNone() async throws {
    let run = try await Watched(program: "harness-endings", arguments: ["guilty", "sigterm"]).run()
    #expect(run.child.outcome == .signalled(SIGTERM))
    #expect(!run.child.standardError.contains("Crash"))
  }

  /// The dying thread holds a lock that looking up names needs: nothing is told, and the process
  /// dies.
  @Test func aReportThatCannotBeMadeIsGivenUp() async throws {
    let run = try await Watched(
      program: "harness-endings", arguments: ["innocent", "abort-under-linker-lock"]
    ).run()
    #expect(run.child.outcome == .signalled(SIGABRT))
  }

  /// Without a report no reader would see the finding, and the program could see a signal handler.
  @Test func withoutAReportItIsTheProgramsOwnBusiness() async throws {
    let program = Watched(program: "harness-endings", arguments: ["innocent", "abort"])
    let child = try await program.child(options: nil).run()
    #expect(child.outcome == .signalled(SIGABRT))
    #expect(child.standardError == "")
  }

  /// A child of a watched process may crash on purpose, so its crash is not told.
  @Test func aChildIsItsParentsBusiness() async throws {
    var program = Watched(program: "harness-endings", arguments: ["innocent", "abort"])
    program.environment["THREADMILL_RUN"] = "1-1"
    let run = try await program.run()
    #expect(run.child.outcome == .signalled(SIGABRT))
    #expect(run.report == nil)
  }

  private func crash(_ ending: String, _ signal: Int32) async throws -> ReportFile.Finding {
    let run = try await Watched(
      program: "harness-endings", arguments: ["innocent", ending]
    ).run()
    #expect(run.child.outcome == .signalled(signal))
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind) == ["crash"])
    return try #require(report.accusations.first)
  }
}
