import Foundation
import Testing
import ThreadmillChildren
import ThreadmillCommand
import ThreadmillTestSupport

/// `ThreadmillAnnotations` alone, as a program is shipped with it.
@Suite struct AnnotationTests {
  private static let program = "harness-annotated"

  /// Whether the gate is part of a program of this package.
  private static func hasGate(_ name: String) throws -> Bool? {
    let path = try Program.named(name).path
    guard case .program(let parts) = Executable(examining: path).content else { return nil }
    return parts.hasGate
  }

  @Test func noGateIsLinked() throws {
    #expect(try Self.hasGate(Self.program) == false)
    #expect(try Self.hasGate("harness-confinement") == true)
  }

  /// The options are those of a watched program, which would end with status 1 and write a report.
  @Test(arguments: ["where-it-belongs", "elsewhere"])
  func itRunsAsIfItWereNotAnnotated(name: String) async throws {
    let run = try await Watched(program: Self.program, arguments: [name]).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardOutput == "entries 2\n")
    #expect(run.child.standardError == "")
    #expect(run.report == nil)
  }

  private static func preloaded(_ name: String) async throws -> Watched.Run {
    let library = try Program.named("libThreadmillPreload.so").path
    return try await Watched(
      program: program, arguments: [name], environment: ["LD_PRELOAD": library]
    ).run()
  }

  @Test(.disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"))
  func aViolationIsFoundUnderThePreload() async throws {
    let run = try await Self.preloaded("elsewhere")
    #expect(run.child.outcome == .exited(1))
    #expect(run.child.standardOutput == "entries 2\n")
    let report = try #require(run.report)
    try #require(report.accusations.count == 1)
    let finding = report.accusations[0]
    #expect(finding.kind == "confinementViolation")
    #expect(
      finding.title
        == #"Confinement violation: Ledger belongs to serial queue "ledger" and is used elsewhere"#)
    #expect(
      finding.participants.map(\.frames.firstUserFrame?.function) == [
        "book(_:)", "static Main.main()",
      ])
  }

  @Test(.disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"))
  func theRightPlaceIsSilentUnderThePreload() async throws {
    let run = try await Self.preloaded("where-it-belongs")
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardOutput == "entries 2\n")
    #expect(run.child.standardError == "")
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }
}
