import Foundation
import Testing
import ThreadmillScenarios
import ThreadmillTestSupport

/// Runs scenarios in `scenario-host`, which the build puts beside the test binary.
enum Host {
  /// What a run did, and what Threadmill wrote about it.
  struct Run: Sendable {
    var child: ChildProcess.Result
    /// `nil` if no report was written.
    var report: ReportFile?

    var kinds: Set<String> { report?.kinds ?? [] }
  }

  /// Runs the host with these arguments and waits for its end.
  static func run(_ arguments: [String]) async throws -> ChildProcess.Result {
    try await child(arguments, options: nil, limit: Program.limit).run()
  }

  /// Runs one case with Threadmill's `options`.
  ///
  /// - Parameter stop: what ends the run early, given the file that the report is written to.
  static func run(
    _ sample: Case, options: String, limit: TimeInterval = Program.limit,
    stop: (URL) -> ChildProcess.Stop
  ) async throws -> Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let child = try child(
      ["run", sample.id, sample.variant.rawValue], options: "\(options) report=\(file.path)",
      limit: limit)
    let stop = stop(file)
    let result = try await Slots.children.occupy { try await child.run(stop: stop) }
    return Run(child: result, report: try ReportFile(at: file))
  }

  private static func child(
    _ arguments: [String], options: String?, limit: TimeInterval
  ) throws -> ChildProcess {
    ChildProcess(
      executable: try Program.named("scenario-host").path, arguments: arguments,
      environment: Program.environment(options: options), limit: limit)
  }
}

/// One variant of one scenario.
struct Case: Sendable, CustomTestStringConvertible {
  var scenario: Scenario
  var variant: Scenario.Variant
  var expectation: Scenario.Expectation

  var id: String { scenario.id }

  /// The kinds of findings that an ordinary run must make.
  var requiredKinds: [String] { expectation.verdicts[.observe]?.required.sorted() ?? [] }
  var testDescription: String { "\(id) \(variant.rawValue)" }

  /// Every variant of every scenario that has an expectation; a structure test says that all have.
  static let all: [Case] = Scenario.all.flatMap { scenario in
    scenario.variants.compactMap { variant in
      scenario.expectations[variant].map {
        Case(scenario: scenario, variant: variant, expectation: $0)
      }
    }
  }
}
