import Foundation
import ThreadmillChildren
import ThreadmillScenarios
import ThreadmillSymbols

/// The program that runs one scenario in a process of its own, and is watched there.
package struct ScenarioHost: Sendable {
  /// The seconds within which each scenario ends that ends at all, even on a busy machine.
  package static let limit: TimeInterval = 20

  package enum Build: Sendable, CaseIterable {
    case plain
    /// With Thread Sanitizer.
    case sanitized
    /// The same, with each access to memory handed to Threadmill first.
    case wrapped

    package var isSanitized: Bool { self != .plain }

    /// A build folder, relative to the checkout.
    fileprivate var scratch: String {
      switch self {
      case .plain: ".build"
      case .sanitized: ".build/tsan"
      case .wrapped: ".build/tsan-explored"
      }
    }

    fileprivate var flags: [String] {
      (isSanitized ? ["--sanitize=thread"] : [])
        + (self == .wrapped ? WrappedAccesses.switches : [])
    }
  }

  /// An absolute path.
  package let executable: String
  package let build: Build

  package var isSanitized: Bool { build.isSanitized }

  package init(executable: String, build: Build) {
    self.executable = executable
    self.build = build
  }

  /// Returns the process for one variant, not yet started.
  ///
  /// - Parameter times: how often the process runs the variant, one after the other.
  /// - Parameter options: the text of `THREADMILL_OPTIONS`.
  /// - Parameter reportsRaces: whether Thread Sanitizer reports races, if the host has it.
  package func child(
    _ id: String, _ variant: Scenario.Variant, times: Int = 1, options: String,
    reportsRaces: Bool = true, limit: TimeInterval = limit
  ) -> ChildProcess {
    ChildProcess(
      executable: executable,
      arguments: ["run", id, variant.rawValue] + (times == 1 ? [] : ["\(times)"]),
      environment: ChildProcess.environment(
        options: options, reportsRaces: reportsRaces, from: ProcessInfo.processInfo.environment),
      limit: limit * TimeInterval(times))
  }
}

extension ScenarioHost {
  /// No host was found, and none can be built.
  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }

  private static let name = "scenario-host"

  /// Returns the host beside the tool if that is the wanted one. Otherwise builds one, in the
  /// checkout around the tool or around the current folder.
  ///
  /// - Parameter isRebuilt: whether a tool in its checkout builds the host in any case, so that it
  ///   is never older than the sources.
  package static func find(
    _ wanted: Build, isRebuilt: Bool = false, console: Console
  ) throws -> ScenarioHost {
    let tool = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let home = checkout(around: tool)
    if isRebuilt, let home { return try build(wanted, in: home, console) }
    let beside = URL(fileURLWithPath: tool).deletingLastPathComponent().appending(path: name).path
    // A file does not show whether its accesses are wrapped, so that host is always built.
    if wanted != .wrapped,
      ELFFile.look(into: beside, { $0.defines("__tsan_init") }) == wanted.isSanitized
    {
      return ScenarioHost(executable: beside, build: wanted)
    }
    let here = FileManager.default.currentDirectoryPath
    guard let checkout = home ?? checkout(around: here + "/.") else {
      throw Missing(
        description: "there is no \(name) beside \(tool), and neither it nor \(here) lies in a"
          + " checkout of Threadmill that one could be built in")
    }
    return try build(wanted, in: checkout, console)
  }

  /// Returns the nearest folder above `path` that is a checkout of this package.
  private static func checkout(around path: String) -> String? {
    var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.path + "/Scenarios/Registration") {
        return folder.path
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  private static func build(
    _ build: Build, in checkout: String, _ console: Console
  ) throws -> ScenarioHost {
    let words = ["build", "--build-system", "native", "--scratch-path", build.scratch]
    let shown = words + (build.isSanitized ? ["--sanitize=thread"] : [])
    console.complain("building: swift \(shown.joined(separator: " ")) --product \(name)\n")
    let built = try swift(words + build.flags + ["--product", name], in: checkout)
    guard built.outcome == .exited(0) else {
      let said = built.standardOutput + built.standardError
      throw Missing(description: "\(name) cannot be built in \(checkout):\n\(said)")
    }
    let answer = try swift(words + build.flags + ["--show-bin-path"], in: checkout).standardOutput
    let folder = answer.trimmingCharacters(in: .whitespacesAndNewlines)
    return ScenarioHost(executable: "\(folder)/\(name)", build: build)
  }

  private static func swift(_ words: [String], in folder: String) throws -> ChildProcess.Result {
    try ChildProcess(
      executable: "/usr/bin/env", arguments: ["swift"] + words + ["--package-path", folder],
      environment: ProcessInfo.processInfo.environment, limit: 3_600
    ).runBlocking()
  }
}
