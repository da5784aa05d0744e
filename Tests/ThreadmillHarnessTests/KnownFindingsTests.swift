import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// What a baseline knows, or a suppression excuses, stands in the report and fails nobody.
@Suite struct KnownFindingsTests {
  private func inFolder(_ body: (TemporaryDirectory) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    try await body(directory)
  }

  private func run(_ options: String) async throws -> Watched.Run {
    try await Watched.scenario("hammer-and-saw", "flawed", options: options).run()
  }

  @Test func aKnownFindingFailsNobody() async throws {
    let plain = try await run("")
    #expect(plain.child.outcome == .exited(1))
    let finding = try #require(plain.report?.accusations.first)
    #expect(finding.judgement == nil)
    try await inFolder { directory in
      let file = directory.file("known.txt")
      try "\(finding.fingerprint) words\n".write(to: file, atomically: false, encoding: .utf8)
      let known = try await run("baseline=\(file.path)")
      #expect(known.child.outcome == .exited(0))
      #expect(known.child.standardError == "")
      #expect(known.report?.accusations.map(\.judgement?.verdict) == ["known"])
      try "0123456789abcdef words\n".write(to: file, atomically: false, encoding: .utf8)
      let other = try await run("baseline=\(file.path)")
      #expect(other.child.outcome == .exited(1))
      #expect(other.report?.accusations.map(\.judgement?.verdict) == ["new"])
    }
  }

  @Test func aSuppressedFindingFailsNobody() async throws {
    try await inFolder { directory in
      let file = directory.file("quiet.txt")
      let text = "suppress lockOrderCycle\n function ToolShed.*\n reason known\n"
      try text.write(to: file, atomically: false, encoding: .utf8)
      let quiet = try await run("suppressions=\(file.path)")
      #expect(quiet.child.outcome == .exited(0))
      #expect(quiet.report?.accusations.map(\.judgement?.reason) == ["known"])
      try "suppress everything\n".write(to: file, atomically: false, encoding: .utf8)
      let malformed = try await run("suppressions=\(file.path)")
      #expect(malformed.child.outcome == .exited(1))
      #expect(malformed.child.standardError.contains("quiet.txt:1: \"everything\""))
    }
  }
}
