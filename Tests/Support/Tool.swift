import Foundation
import ThreadmillChildren

/// A program of the machine that a test needs and a machine may lack.
package struct Tool: Sendable {
  package static let compiler = Tool("cc")
  package static let strip = Tool("strip")
  package static let nm = Tool("nm")
  package static let python = Tool("python3")
  package static let clang = Tool("clang")
  package static let swiftCompiler = Tool("swiftc")
  package static let readelf = Tool("readelf")
  package static let symbolizer = Tool("llvm-symbolizer")

  /// The first of this name on the path; `nil` if there is none.
  package let path: String?

  package init(_ name: String) {
    let folders = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"]
    path = folders.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  package var isThere: Bool { path != nil }

  /// It ended with another status than 0.
  package struct Failure: Error {
    package var result: ChildProcess.Result

    package init(result: ChildProcess.Result) { self.result = result }
  }

  /// Runs it and returns what it prints.
  @discardableResult
  package func run(_ arguments: String...) async throws -> String { try await run(arguments) }

  @discardableResult
  package func run(_ arguments: [String]) async throws -> String {
    let child = ChildProcess(
      executable: path ?? "", arguments: arguments,
      environment: Program.environment(options: nil), limit: 60)
    let result = try await child.run()
    guard result.outcome == .exited(0) else { throw Failure(result: result) }
    return result.standardOutput
  }
}
