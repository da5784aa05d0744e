import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting

/// The package whose tests are run, by `swift build` and `swift test`.
struct TestPackage: Sendable {
  /// Seconds after which one of them is taken for stuck, whatever it does.
  private static let limit: TimeInterval = 24 * 3_600

  /// Of the package and the build, in front of all others.
  private let words: [String]
  private let filter: [String]
  private let environment: [String: String]

  init(_ plan: TestPlan, environment: [String: String]) {
    let folder = plan.packagePath ?? "."
    // A build of its own, as everything would be built again each time the sanitizer comes or goes.
    let scratch = plan.scratchPath ?? (plan.isSanitized ? "\(folder)/.build/tsan" : nil)
    words =
      ["--package-path", folder] + (scratch.map { ["--scratch-path", $0] } ?? [])
      + (plan.isSanitized ? ["--sanitize=thread"] : [])
    filter = plan.filter.map { ["--filter", $0] } ?? []
    self.environment = environment.filter { $0.key != RunIdentity.variable }
  }

  /// The command that builds the tests, as it would be typed.
  var buildCommand: [String] { ["swift", "build", "--build-tests"] + words }

  func build() async throws -> ChildProcess.Result {
    try await run(buildCommand, telling: Options())
  }

  /// Runs the tests, once they are built.
  func test(telling options: Options) async throws -> ChildProcess.Result {
    try await run(["swift", "test", "--skip-build"] + words + filter, telling: options)
  }

  private func run(_ command: [String], telling options: Options) async throws
    -> ChildProcess.Result
  {
    try await ChildProcess(
      executable: "/usr/bin/env", arguments: command,
      environment: environment.merging([Options.variable: options.text]) { $1 }, limit: Self.limit
    ).run()
  }
}
