import Foundation
import Testing
import ThreadmillChildren
import ThreadmillScenarios
import ThreadmillTestSupport

/// A program that is shown is one: nothing that it needs was left out.
@Suite(.disabled(if: isThreadSanitized, "says the same, and takes its time"))
struct StoryProgramTests {
  @Test func everyProgramCompiles() async throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    let support = Checkout.root.appending(path: "Scenarios/Support")
    var files = try FileManager.default.contentsOfDirectory(
      at: support, includingPropertiesForKeys: nil
    ).map(\.path)
    for scenario in Scenario.all {
      let imports = try String(contentsOfFile: scenario.file, encoding: .utf8)
        .split(separator: "\n").filter { $0.hasPrefix("import ") }
      for (variant, program) in try scenario.story().programs {
        let file = folder.file("\(scenario.id)-\(variant.rawValue).swift")
        let text =
          imports.map(String.init) + ["private func program() {"] + program.body + ["}"]
          + program.helpers
        try text.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        files.append(file.path)
      }
    }
    let stub = folder.file("stub.swift")
    try "enum Scenario { static let wrongResultStatus: Int32 = 64 }"
      .write(to: stub, atomically: true, encoding: .utf8)

    let compiler = ChildProcess(
      executable: "/usr/bin/env",
      arguments: ["swiftc", "-typecheck", "-swift-version", "6", "-package-name", "programs"]
        + files + [stub.path],
      environment: ProcessInfo.processInfo.environment, limit: 600)
    let result = try await Slots.children.occupy { try await compiler.run() }
    #expect(result.outcome == .exited(0), "\(result.standardError)")
  }
}
