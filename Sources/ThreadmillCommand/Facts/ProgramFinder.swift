import Foundation
import ThreadmillChildren

/// Finds programs as a shell would.
struct ProgramFinder {
  let environment: [String: String]

  /// The first of this name on the path.
  func path(of name: String) -> String? {
    environment["PATH", default: "/usr/local/bin:/usr/bin:/bin"].split(separator: ":").lazy
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The one of a toolchain.
  func path(of name: String, in root: String) -> String? {
    let path = "\(root)/bin/\(name)"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  /// Runs a short program to learn something of it; `nil` if it could not be started.
  ///
  /// - Parameter own: what it finds in its environment beside, or in the place of, what all do.
  func run(
    _ executable: String, _ arguments: [String], adding own: [String: String] = [:]
  ) -> ChildProcess.Result? {
    try? ChildProcess(
      executable: executable, arguments: arguments, environment: environment.merging(own) { $1 },
      limit: 30
    ).runBlocking()
  }
}

extension ChildProcess.Result {
  /// Standard output, and behind it standard error.
  var output: String { standardOutput + standardError }
}
