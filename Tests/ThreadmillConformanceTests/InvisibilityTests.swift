import CThreadmillConformance
import Foundation
import Testing

/// Invisible to Thread Sanitizer: the gate neither hides a race that it reports nor adds a report.
@Suite(
  .enabled(if: conformance_built_with_tsan(), "needs --sanitize=thread"),
  .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1, "two threads have to run at once"))
struct InvisibilityTests {
  @Test func reportsAreTheSameWithAndWithoutTheGate() throws {
    let programs = try list("law2-bare")
    #expect(try list("law2-observed") == programs)
    #expect(programs.count { $0.isRacy } >= 20)
    #expect(programs.count { !$0.isRacy } >= 20)
    for program in programs {
      let bare = try reports(of: program, in: "law2-bare")
      let observed = try reports(of: program, in: "law2-observed")
      #expect(bare.isEmpty != program.isRacy, "\(program.id), bare: \(bare)")
      #expect(observed == bare, "\(program.id)")
    }
  }

  private struct Program: Equatable {
    let id: String
    let isRacy: Bool
  }

  private func list(_ executable: String) throws -> [Program] {
    try Child(executable, ["list"]).lines.map { line in
      let words = line.split(separator: " ")
      return Program(id: String(words[0]), isRacy: words[1] == "racy")
    }
  }

  /// The reports of one run. Every race has to be in the program's own files: one somewhere else
  /// means that the symbols were not found, or that the program is not what it says.
  private func reports(of program: Program, in executable: String) throws -> Set<RaceReport> {
    let child = try Child(executable, [program.id], tsanOptions: "atexit_sleep_ms=0 exitcode=66")
    let reports = RaceReport.reports(in: child.errors)
    #expect(child.status == (program.isRacy ? 66 : 0), "\(program.id): \(child.errors)")
    for report in reports {
      #expect(report.kind == "data race" && report.places.count == 2, "\(program.id): \(report)")
      #expect(!report.places.contains("somewhere else"), "\(program.id): \(child.errors)")
    }
    return reports
  }
}
