import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// `threadmill run` on a program that can write no file any more when it has something to say.
@Suite(
  .disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"),
  .enabled(if: Tool.compiler.isThere, "there is no C compiler"))
struct ShutInTests {
  static let ways = ["user", "root", "descriptors", "file-sizes", "exec", "free"]

  /// What is found comes to the tool, and a status of 0 becomes that of a finding.
  @Test(arguments: ways) func aFindingReachesTheTool(_ way: String) async throws {
    let run = try await PlainProgram(name: "shut_in", arguments: [way, "0"]).run()
    // This user may not become another one or have another root.
    if run.child.outcome == .exited(77), ["user", "root"].contains(way) { return }
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    #expect(!run.child.standardError.contains("cannot write"))
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(report.accusations.map(\.count) == [1])
    let objects = report.accusations.flatMap(\.objects).map(\.kind)
    #expect(objects == ["mutex", "mutex"])
    #expect(report.run.processes == (way == "exec" ? 2 : 1))
  }

  @Test(arguments: ways) func theStatusOfTheProgramStays(_ way: String) async throws {
    let run = try await PlainProgram(name: "shut_in", arguments: [way, "7"]).run()
    if run.child.outcome == .exited(77), ["user", "root"].contains(way) { return }
    #expect(run.child.outcome == .exited(7), "\(run.child.standardError)")
    #expect(try #require(run.report).accusations.map(\.kind) == ["lockOrderCycle"])
  }
}
