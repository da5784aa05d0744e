import Foundation
import Testing
import ThreadmillChildren
import ThreadmillCommand
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

  static var program: ScenarioHost {
    get throws {
      ScenarioHost(
        executable: try Program.named("scenario-host").path,
        build: isThreadSanitized ? .sanitized : .plain)
    }
  }

  /// The one for a trial, whether this build is that of the trial or not.
  static func program(for trial: Trial) throws -> ScenarioHost {
    guard trial.build == .wrapped else { return try program }
    return ScenarioHost(
      executable: try Program.named("scenario-host-wrapped").path, build: .wrapped)
  }

  /// Runs the host with these arguments and waits for its end.
  static func run(_ arguments: [String]) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: try program.executable, arguments: arguments,
      environment: Program.environment(options: nil), limit: Program.limit)
    return try await Slots.children.occupy { try await child.run() }
  }

  /// Runs one variant with Threadmill's `options`; races are not reported.
  ///
  /// - Parameter stop: what ends the run early, given the file that the report is written to.
  static func run(
    _ id: String, _ variant: Scenario.Variant, options: String = "",
    stop: (URL) -> ChildProcess.Stop
  ) async throws -> Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let child = try program.child(
      id, variant, options: "\(options) report=\(file.path)", reportsRaces: false)
    let stop = stop(file)
    let result = try await Slots.children.occupy { try await child.run(stop: stop) }
    return Run(child: result, report: try ReportFile(at: file))
  }

  /// Runs a trial of the mode of this build, or of `plain`, as `threadmill scenarios verify` does.
  static func see(_ trial: Trial) async throws -> Sighting {
    let host = try program
    return try await Slots.children.occupy { try await trial.run(in: host) }
  }
}

extension Trial.Mode {
  /// The one that this build can be run in.
  static var current: Trial.Mode { isThreadSanitized ? .tsan : .observe }
}

extension Trial: CustomTestStringConvertible {
  public var testDescription: String { name }
}
