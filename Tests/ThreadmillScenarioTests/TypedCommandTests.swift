import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// What the documents tell a user to type, typed in a package beside a checkout of Threadmill, in
/// the order in which it is read.
@Suite(
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct TypedCommandTests {
  @Test func everyCommandDoesWhatTheDocumentsSay() async throws {
    let desk = try Desk()
    defer { desk.remove() }
    try await desk.prepare()
    let accounts = Dictionary(
      CommandAccount.table.map { ($0.text, $0.how) }, uniquingKeysWith: { first, _ in first })
    var typed: Set<String> = []
    for command in try DocumentedCommand.all() {
      guard case .typed(let statuses, let leaves) = accounts[command.text],
        typed.insert(command.text).inserted
      else { continue }
      let result = try await desk.type(command.text)
      let place = "\(command.document): \(command.text)"
      #expect(
        statuses.map(ChildProcess.Outcome.exited).contains(result.outcome),
        "\(place): \(result.outcome), \(result.standardOutput)\(result.standardError)")
      for file in leaves {
        #expect(desk.takes(file), "\(place) leaves no \(file)")
      }
    }
    #expect(typed.count > 10)
  }
}

/// A package, a program and a shell.
private struct Desk {
  private let directory: TemporaryDirectory
  private let package = Fixture.desk.folder

  /// `swift run` waits for the build folder that these tests are run from: what it would build is
  /// there, and called in its place.
  private static let swift = """
    #!/bin/bash
    if [ "$1" = run ]; then
      shift
      [ "$1" != --package-path ] || shift 2
      exec "$@"
    fi
    PATH=${PATH#*:}
    exec swift "$@"

    """

  init() throws {
    directory = try TemporaryDirectory()
    let swift = directory.file("swift")
    try Data(Self.swift.utf8).write(to: swift)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: swift.path)
  }

  func remove() { directory.remove() }

  /// Makes the program of which the documents speak, a report of it, and the baseline that README
  /// speaks of before a page makes it.
  func prepare() async throws {
    let source = Checkout.root.appending(path: "Tests/Fixtures/Programs/Plain/abba.c").path
    let steps = [
      "rm -f step-summary.md known.txt", "clang -g -pthread '\(source)' -o server",
      "{ threadmill run --json threadmill.json -- ./server || [ $? = 1 ]; }",
      "{ threadmill test --baseline known.txt --update-baseline || [ $? = 1 ]; }",
    ]
    let result = try await type(steps.joined(separator: " && "))
    try #require(result.outcome == .exited(0), "\(result.standardError)")
  }

  func type(_ command: String) async throws -> ChildProcess.Result {
    var environment = Program.environment(options: nil)
    let tool = try Program.folder.path
    environment["PATH"] = "\(directory.url.path):\(tool):\(environment["PATH", default: ""])"
    environment["GITHUB_STEP_SUMMARY"] = package.appending(path: "step-summary.md").path
    let child = ChildProcess(
      executable: "/bin/bash",
      arguments: ["-c", command.replacing(#/\$\{\{.*?\}\}/#, with: "")],
      environment: environment, folder: package.path, limit: 1_200)
    return try await Fixture.desk.occupy { try await child.run() }
  }

  /// Whether a command has left a file with something in it, which is then taken away.
  func takes(_ name: String) -> Bool {
    let file = package.appending(path: name)
    // Later commands read these.
    let stays = [".json", ".md", ".txt"].contains { name.hasSuffix($0) }
    defer { if !stays { try? FileManager.default.removeItem(at: file) } }
    return (try? Data(contentsOf: file).isEmpty) == false
  }
}
