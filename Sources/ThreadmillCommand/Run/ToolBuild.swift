import Foundation
import ThreadmillChildren
import ThreadmillModel

/// Builds a library of the tool's when it is needed for the first time: `swift run threadmill`
/// builds the tool alone.
enum ToolBuild {
  /// The library does not build.
  struct Failed: Error, CustomStringConvertible {
    let command: String
    let output: String

    var description: String { "this does not build, see below: \(command)\n\(output)" }
  }

  /// Builds the library unless it is there.
  ///
  /// - Throws: ``ToolFile/Missing`` where there is nothing that it could be built from.
  static func provide(_ product: ToolFile.Product, _ console: Console) async throws {
    do {
      _ = try ToolFile(product)
    } catch let missing as ToolFile.Missing {
      guard let words = try command(for: product) else { throw missing }
      let text = words.map(\.shellQuoted).joined(separator: " ")
      console.complain("building the watching library, once; this takes a minute or two: \(text)\n")
      let result = try await ChildProcess(
        executable: "/usr/bin/env", arguments: words, environment: environment,
        limit: TestProcess.longest
      ).run()
      guard result.outcome == .exited(0), (try? ToolFile(product)) != nil else {
        throw Failed(command: text, output: result.output)
      }
    }
  }

  /// Returns whether there is what the library could be built from.
  static func canProvide(_ product: ToolFile.Product) -> Bool {
    (try? command(for: product)) != nil
  }

  /// A build is not watched, whoever calls the tool.
  private static var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging([Options.variable: "", "THREADMILL_ONLY": "none"]) {
      $1
    }
  }

  /// The command that puts the library beside the tool; `nil` if the tool does not lie in the build
  /// folder of the checkout that it was built from.
  private static func command(for product: ToolFile.Product) throws -> [String]? {
    let folder = try ToolFile.toolFolder
    let scratch = folder.deletingLastPathComponent().deletingLastPathComponent()
    let hasManifest = FileManager.default.isReadableFile(
      atPath: checkout.appending(path: "Package.swift").path)
    let hasBuilt = FileManager.default.isReadableFile(
      atPath: scratch.appending(path: "workspace-state.json").path)
    guard hasManifest, hasBuilt, ["debug", "release"].contains(folder.lastPathComponent) else {
      return nil
    }
    return [
      "swift", "build", "--package-path", checkout.path, "--scratch-path", scratch.path,
      "--build-system", "native", "-c", folder.lastPathComponent, "--product", product.name,
    ]
  }

  /// The sources of the tool, this file among them.
  private static let checkout = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
}
