import Testing
import ThreadmillModel
import ThreadmillTestSupport

/// Layouts of the Swift runtime and of Foundation that are not those of the toolchain that the gate
/// was written for. The gate is made to look one word beside each.
@Suite struct LayoutTests {
  /// The layouts that a program comes to, by what it does.
  static let observed = [
    "job", "task", "status", "actor", "continuation", "string", "array", "operation", "keyPath",
    "lockClasses",
  ]
  static let explored = ["job", "task", "status", "actor"]

  private static func run(_ name: String, moving layouts: [String]) async throws -> Watched.Run {
    try await Watched(
      program: "harness-layouts", arguments: [name],
      environment: [MovedLayouts.variable: layouts.joined(separator: ",")]
    ).run()
  }

  /// What the report says was left out.
  private static func unknown(in run: Watched.Run) throws -> [String] {
    try #require(run.report).accounting.filter { $0.value > 0 }.keys
      .filter { $0.hasSuffix("Unknown") }.sorted()
  }

  private static func expectUnharmed(_ run: Watched.Run, like plain: Watched.Run) {
    #expect(run.child.outcome == .exited(7))
    #expect(run.child.standardOutput == plain.child.standardOutput)
    #expect(run.report?.accusations.map(\.title) == [])
  }

  @Test(arguments: ["observed", "explored"])
  func thoseOfThisToolchainFit(name: String) async throws {
    let run = try await Self.run(name, moving: [])
    #expect(run.child.outcome == .exited(7))
    #expect(try Self.unknown(in: run) == [])
  }

  /// Only an exploration always reads tasks and actors: without one, nothing may be left out.
  @Test(arguments: observed) func whatDoesNotFitIsNotRead(layout: String) async throws {
    let plain = try await Self.run("observed", moving: [])
    let run = try await Self.run("observed", moving: [layout])
    Self.expectUnharmed(run, like: plain)
    let silent = ["task", "status", "actor"]
    let name = layout == "lockClasses" ? "lockClassesUnknown" : "\(layout)LayoutUnknown"
    let unknown = try Self.unknown(in: run)
    #expect(unknown == [name] || unknown == [] && silent.contains(layout))
  }

  /// The gate writes into no task that it does not know.
  @Test(arguments: explored) func noTaskIsWrittenInto(layout: String) async throws {
    let plain = try await Self.run("explored", moving: [])
    let run = try await Self.run("explored", moving: [layout])
    Self.expectUnharmed(run, like: plain)
    #expect(try Self.unknown(in: run) == ["\(layout)LayoutUnknown"])
  }
}
