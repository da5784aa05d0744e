import Foundation
import ThreadmillChildren
import ThreadmillTestSupport

/// A program of the machine that a test needs and a machine may lack.
struct Tool: Sendable {
  static let compiler = Tool("cc")
  static let strip = Tool("strip")
  static let nm = Tool("nm")
  static let python = Tool("python3")

  /// The first of this name on the path; `nil` if there is none.
  let path: String?

  init(_ name: String) {
    let folders = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"]
    path = folders.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  var isThere: Bool { path != nil }

  /// It ended with another status than 0.
  struct Failure: Error {
    var result: ChildProcess.Result
  }

  /// Runs it and returns what it prints.
  @discardableResult
  func run(_ arguments: String...) async throws -> String {
    let child = ChildProcess(
      executable: path ?? "", arguments: arguments,
      environment: Program.environment(options: nil), limit: 60)
    let result = try await child.run()
    guard result.outcome == .exited(0) else { throw Failure(result: result) }
    return result.standardOutput
  }
}
