import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting

/// The package whose tests are built, listed and run.
struct TestPackage: Sendable {
  private let folder: String
  private let scratch: String
  private let isSanitized: Bool
  /// Memory accesses are points of a schedule.
  private let wrapsAccesses: Bool
  /// The words of the package and the build, which come before all others.
  private let words: [String]
  private let environment: [String: String]

  init(_ plan: TestPlan, environment: [String: String]) {
    folder = plan.packagePath ?? "."
    isSanitized = plan.isSanitized
    wrapsAccesses = plan.isSanitized && plan.explores
    // A build of its own, as everything would be built again each time the sanitizer comes or goes.
    let own = wrapsAccesses ? "tsan-explored" : "tsan"
    let chosen = plan.scratchPath ?? (plan.isSanitized ? "\(folder)/.build/\(own)" : nil)
    scratch = chosen ?? "\(folder)/.build"
    words =
      ["--package-path", folder] + (chosen.map { ["--scratch-path", $0] } ?? [])
      + ["--build-system", "native"] + (plan.isSanitized ? ["--sanitize=thread"] : [])
    self.environment = environment.filter { $0.key != RunIdentity.variable }
  }

  /// The command that builds the tests, as it would be typed.
  var buildCommand: [String] { ["swift", "build", "--build-tests"] + words }

  /// Builds the tests. With Thread Sanitizer, Threadmill has to be linked in: by flags, unless the
  /// package does so itself. A library of Threadmill's that this needs is built first.
  func build(_ console: Console) async throws -> ChildProcess.Result {
    console.complain("building: \(buildCommand.joined(separator: " "))\n")
    guard isSanitized else {
      let built = try await swift(buildCommand)
      let needsLibrary = built.outcome == .exited(0) && (try? binary().hasGate) == false
      if needsLibrary { try await ToolBuild.provide(.preloadTests, console) }
      return built
    }
    if !mentionsThreadmill {
      try await ToolBuild.provide(.linkedTests, console)
      let linked = try await swift(buildCommand + linking())
      if linked.outcome == .exited(0) { return linked }
    }
    // A library that a dependency of a dependency links already cannot be linked twice.
    if wrapsAccesses {
      let wrapped = try await swift(buildCommand + WrappedAccesses.switches)
      if wrapped.outcome == .exited(0), (try? binary()) != nil { return wrapped }
    }
    let plain = try await swift(buildCommand)
    guard plain.outcome == .exited(0), (try? binary()) == nil else { return plain }
    try await ToolBuild.provide(.linkedTests, console)
    return try await swift(buildCommand + linking())
  }

  func binary() throws -> TestBinary { try TestBinary(in: scratch) }

  func process(_ binary: TestBinary, limit: TestLimit) -> TestProcess {
    TestProcess(binary: binary, folder: folder, environment: environment, limit: limit)
  }

  private func linking() throws -> [String] {
    try LinkedThreadmill(.linkedTests, wrapsAccesses: wrapsAccesses).switches
  }

  private var mentionsThreadmill: Bool {
    ["Package.swift", "Package.resolved"].contains { name in
      let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      let code = text?.split(separator: "\n").filter { line in
        !line.drop(while: \.isWhitespace).hasPrefix("//")
      }
      return code?.contains { $0.lowercased().contains("threadmill") } ?? false
    }
  }

  private func swift(_ command: [String]) async throws -> ChildProcess.Result {
    // The library is also linked into programs that the build runs. None of them is watched.
    let own = [Options.variable: "", "THREADMILL_ONLY": "none"]
    return try await ChildProcess(
      executable: "/usr/bin/env", arguments: command,
      environment: environment.merging(own) { $1 }, limit: TestProcess.longest
    ).run()
  }
}
