import Foundation
import ThreadmillChildren
import ThreadmillTestSupport

/// A repository of its own with the files of this checkout in one commit on `main`. Its changelog
/// has no entries under Unreleased.
struct ReleaseCopy {
  /// A command that prepares a test has failed.
  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  let directory: TemporaryDirectory

  private static let making = #"""
    mkdir threadmill
    tar -C "$CHECKOUT" --exclude=.build --exclude=.git -cf - . | tar -xf - -C threadmill
    cd threadmill
    git init --quiet --initial-branch=main
    sed -i '/^## \[Unreleased\]/,/^## \[[0-9]/{/^- /d}' CHANGELOG.md
    git add --all
    git commit --quiet --message 'The files of the checkout'
    """#

  init() async throws {
    directory = try TemporaryDirectory()
    try await shell(Self.making, in: directory.url)
  }

  func remove() { directory.remove() }

  var folder: URL { directory.file("threadmill") }

  /// Runs `scripts/release` of the copy.
  func release(_ arguments: [String]) async throws -> ChildProcess.Result {
    try await run(folder.appending(path: "scripts/release").path, arguments, in: folder)
  }

  /// Returns the standard output of a script, which has to end with status 0.
  @discardableResult func shell(_ script: String, in folder: URL? = nil) async throws -> String {
    let result = try await run(
      "/bin/bash", ["-euo", "pipefail", "-c", script], in: folder ?? self.folder)
    guard result.outcome == .exited(0) else {
      throw Failed(
        description: "\(result.outcome): \(result.standardOutput)\(result.standardError)")
    }
    return result.standardOutput
  }

  private func run(
    _ program: String, _ arguments: [String], in folder: URL
  ) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: program, arguments: arguments, environment: Self.environment,
      folder: folder.path, limit: 1_200)
    return try await Slots.fixtures.occupy { try await child.run() }
  }

  /// Ours, with a git that reads no configuration of this machine.
  private static var environment: [String: String] {
    var environment = Program.environment(options: nil).filter { !$0.key.hasPrefix("GIT_") }
    environment["CHECKOUT"] = Checkout.root.path
    environment["GIT_CONFIG_GLOBAL"] = "/dev/null"
    environment["GIT_CONFIG_NOSYSTEM"] = "1"
    for role in ["AUTHOR", "COMMITTER"] {
      environment["GIT_\(role)_NAME"] = "A test"
      environment["GIT_\(role)_EMAIL"] = "test@example.com"
    }
    return environment
  }
}
