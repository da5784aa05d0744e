import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A full table of the gate grows, or is counted in the report; later findings are told as before.
@Suite struct FullTableTests {
  private static let many = 300

  /// Calls from the toolchain's libraries are not the user's, however many libraries are loaded.
  @Test(
    .enabled(if: Tool.compiler.isThere, "there is no C compiler"),
    .disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"),
    arguments: [("libswiftCopy", []), ("libuser", ["lockOrderCycle"])])
  func librariesAreToldApart(name: String, found: [String]) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let library = try await PlainProgram(name: "abba").compiled(in: directory, "-shared", "-fPIC")
    let copies = (0..<Self.many).map { directory.file("\(name)\($0).so") }
    for copy in copies { try FileManager.default.copyItem(at: library, to: copy) }
    let run = try await PlainProgram(name: "shelf", arguments: copies.map(\.path)).run()
    let report = try #require(run.report, "\(run.child)")
    #expect(report.accusations.map(\.kind) == found)
    #expect(report.accounting["memoryRefused"] == nil)
  }

  @Test func allLastWordsAreSaid() async throws {
    let run = try await Watched(
      program: "harness-endings", arguments: ["innocent", "abort-with-many-words"],
      options: "without=crash"
    ).run()
    #expect(run.child.outcome == .signalled(SIGABRT))
    let said = run.child.standardError.split(separator: "\n").filter { $0.hasPrefix("w") }
    #expect(said.map(String.init) == (0..<Self.many).map { "w\($0)" })
  }

  /// The system's libdispatch has fewer pools than there is room for; a newer one may have more.
  @Test func poolsWithoutRoomAreCounted() async throws {
    let run = try await Watched(
      program: "harness-endings", arguments: ["innocent", "many-pools"]
    ).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.report?.accounting["poolWorkUnwatched"] ?? 0 > Self.many / 2)
  }

  /// A table with room for 64 would let the 65th thread wait for real, and all others wait for it.
  @Test(arguments: ["many-barriers", "many-onces"])
  func explorationsHaveRoomForAll(name: String) async throws {
    let facts = try await ExploreTests.facts(
      of: "harness-explored", [name, "random-walk", "3"])
    #expect(facts["failures"] == "0", "\(facts)")
    #expect(facts["schedules"] == "3")
    #expect(facts["uncontrolled"] == "0")
  }
}
