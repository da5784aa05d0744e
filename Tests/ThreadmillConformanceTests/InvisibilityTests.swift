import CThreadmillConformance
import Foundation
import Testing
import ThreadmillTestSupport

/// Invisible to Thread Sanitizer: the gate neither hides a race that it reports nor adds a report.
@Suite(
  .enabled(if: conformance_built_with_tsan(), "needs --sanitize=thread"),
  .enabled(if: hasSeveralProcessors, "two threads have to run at once"))
struct InvisibilityTests {
  @Test func reportsAreTheSameWithAndWithoutTheGate() async throws {
    let programs = try await list("law2-bare")
    #expect(try await list("law2-observed") == programs)
    #expect(programs.count { $0.isRacy } >= 20)
    #expect(programs.count { !$0.isRacy } >= 20)
    for program in programs {
      let bare = try await reports(of: program, in: "law2-bare")
      let observed = try await reports(of: program, in: "law2-observed")
      #expect(bare.isEmpty != program.isRacy, "\(program.id), bare: \(bare)")
      #expect(observed == bare, "\(program.id)")
    }
  }

  /// These options have TSan look where it does not by default: at libraries that it has not
  /// instrumented, and at the memory that functions use which it has taken over. It then reports
  /// races inside the Swift runtime, now and then and without the gate too, so that only the gate's
  /// own accesses are judged. Before the gate mapped memory by raw system calls, one run in ten had
  /// such a report: 100 runs would all miss it with a probability below 1e-4.
  @Test func noAccessOfTheGateIsEverInAReport() async throws {
    let options =
      "atexit_sleep_ms=0 exitcode=66"
      + " ignore_noninstrumented_modules=0 ignore_interceptors_accesses=0"
    for program in try await list("law2-observed") {
      for _ in 0..<2 {
        let child = try await Child("law2-observed", [program.id], tsanOptions: options)
        #expect(gatesAccesses(in: child.errors) == [], "\(program.id)")
      }
    }
  }

  /// The functions of the gate that made an access in the reports: directly, or by a function that
  /// TSan has taken over.
  private func gatesAccesses(in errors: String) -> [Substring] {
    let lines = errors.split(separator: "\n")
    let headings = lines.indices.filter { lines[$0].contains(/(Write|Read|write|read) of size/) }
    return headings.flatMap { heading in
      let frames = lines[(heading + 1)...].prefix(2)
      let isTakenOver = frames.first?.contains("compiler-rt") ?? false
      return frames.prefix(isTakenOver ? 2 : 1).filter { $0.contains(/#[01] tm_/) }
    }
  }

  private struct Program: Equatable {
    let id: String
    let isRacy: Bool
  }

  private func list(_ executable: String) async throws -> [Program] {
    try await Child(executable, ["list"]).lines.map { line in
      let words = line.split(separator: " ")
      return Program(id: String(words[0]), isRacy: words[1] == "racy")
    }
  }

  /// The reports of one run. Every race has to be in the program's own files: one somewhere else
  /// means that the symbols were not found, or that the program is not what it says.
  private func reports(of program: Program, in executable: String) async throws -> Set<RaceReport> {
    let child = try await Child(
      executable, [program.id], tsanOptions: "atexit_sleep_ms=0 exitcode=66")
    let reports = RaceReport.reports(in: child.errors)
    #expect(child.status == (program.isRacy ? 66 : 0), "\(program.id): \(child.errors)")
    for report in reports {
      #expect(report.kind == "data race" && report.places.count == 2, "\(program.id): \(report)")
      #expect(!report.places.contains("somewhere else"), "\(program.id): \(child.errors)")
    }
    return reports
  }
}
