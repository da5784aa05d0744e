import Foundation
import ThreadmillChildren

/// A package under Tests/Fixtures that uses this one as a stranger does, tested by `swift test`.
package struct Fixture: Sendable {
  /// Seconds for one `swift test`, which may have to build everything first.
  private static let limit: TimeInterval = 1_200

  /// What one `swift test` said.
  package struct Run: Sendable {
    package var child: ChildProcess.Result
    /// What each failed test said; tests that passed are not in it.
    package var failures: [String: String]
    /// `nil` if no report was written.
    package var report: ReportFile?
  }

  package let name: String
  /// The name of the copy that is tested, where commands that are typed may leave files; `nil` if
  /// it is tested where it is.
  private let copy: String?
  /// Finds the failures of a run in its standard output or in Swift Testing's event stream.
  private let failures: @Sendable (_ output: String, _ events: URL) throws -> [String: String]
  /// The folder takes one command at a time: a build locks it, and later commands read files that
  /// earlier ones have left there.
  private let folderSlot = Slots(1)
  /// A copy that could not be made fails each test that needs it.
  private let copied: Result<Void, any Error>

  private init(
    _ name: String, copy: String? = nil,
    failures: @escaping @Sendable (_ output: String, _ events: URL) throws -> [String: String]
  ) {
    copied = Result { if let copy { try FixtureCopy.update(copy, of: name) } }
    (self.name, self.copy, self.failures) = (name, copy, failures)
  }

  /// Builds the fixture with a build folder of its own and runs its tests.
  ///
  /// - Parameter environment: what the tests find beside what every program gets.
  package func test(
    _ arguments: [String] = [], options: String = "", environment: [String: String] = [:]
  ) async throws -> Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (file, events) = (directory.file("report.json"), directory.file("events.jsonl"))
    let result = try await swift(
      "test", ["--event-stream-output-path", events.path] + arguments,
      options: "\(options) report=\(file.path)", environment: environment)
    return Run(
      child: result, failures: try failures(result.standardOutput, events),
      report: try ReportFile(at: file))
  }

  /// Runs a command in the fixture, one at a time.
  package func occupy(
    _ command: @Sendable () async throws -> ChildProcess.Result
  ) async throws -> ChildProcess.Result {
    try copied.get()
    return try await folderSlot.occupy { try await Slots.fixtures.occupy(command) }
  }

  /// Runs `swift build` or `swift test` in the fixture.
  ///
  /// - Parameter options: Threadmill's, for `swift` and every process that it starts.
  package func swift(
    _ command: String, _ arguments: [String], options: String?,
    environment own: [String: String] = [:]
  ) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: "/usr/bin/env",
      arguments: ["swift", command, "--package-path", folder.path, "--scratch-path", scratch.path]
        + arguments,
      environment: Program.environment(options: options).merging(own) { $1 }, limit: Self.limit)
    return try await occupy { try await child.run() }
  }

  /// Runs `threadmill test` over the fixture, in the same build folder.
  ///
  /// - Parameters:
  ///   - options: Threadmill's, which the command hands on.
  ///   - environment: what the tests find beside what every program gets.
  package func threadmillTest(
    _ arguments: [String], options: String? = nil, environment: [String: String] = [:]
  ) async throws -> ChildProcess.Result {
    try await threadmill("test", arguments, options: options, environment: environment)
  }

  /// The same for another command that builds the package and runs its tests.
  package func threadmill(
    _ command: String, _ arguments: [String], options: String? = nil,
    environment: [String: String] = [:]
  ) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: try Program.named("threadmill").path,
      arguments: [command, "--package-path", folder.path, "--scratch-path", scratch.path]
        + arguments,
      environment: Program.environment(options: options).merging(environment) { $1 },
      limit: Self.limit)
    return try await occupy { try await child.run() }
  }

  /// The test binary, once it was built.
  package var binary: URL {
    get throws {
      let folder = scratch.appending(path: "debug")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let tests = names.filter { $0.hasSuffix(".xctest") }
      guard tests.count == 1 else { throw CocoaError(.fileNoSuchFile) }
      return folder.appending(path: tests[0])
    }
  }

  package var folder: URL {
    copy.map(FixtureCopy.folder) ?? Checkout.root.appending(path: "Tests/Fixtures/\(name)")
  }

  private var scratch: URL {
    copy == nil
      ? Checkout.root.appending(path: ".build/fixtures/\(name)") : folder.appending(path: ".build")
  }
}

extension Fixture {
  package static let swiftTesting = Fixture("SwiftTestingUser") { _, events in
    try EventStream.failures(in: events)
  }

  /// Both libraries; the failures are those of Swift Testing.
  package static let race = Fixture("RaceUser") { _, events in
    try EventStream.failures(in: events)
  }

  /// Knows nothing of Threadmill; only for `threadmillTest`.
  package static let stranger = Fixture("Stranger", copy: "Stranger") { _, _ in [:] }

  /// A second copy of that package, whose tests need not wait for those of the first.
  package static let otherStranger = Fixture("Stranger", copy: "OtherStranger") { _, _ in [:] }

  /// A smaller package of this kind, in which the commands of the documents are typed.
  package static let desk = Fixture("Desk", copy: "Desk") { _, _ in [:] }

  package static let xctest = Fixture("XCTestUser") { output, _ in
    XCTestLog.failures(in: output)
  }
}

/// The event stream of Swift Testing: one JSON record in each line.
private enum EventStream {
  private struct Record: Decodable {
    struct Payload: Decodable {
      struct Issue: Decodable {
        var isFailure: Bool
      }

      struct Message: Decodable {
        var text: String
      }

      var kind: String
      var testID: String?
      var issue: Issue?
      var messages: [Message]?
    }

    var kind: String
    var payload: Payload
  }

  /// The texts of failing issues by the name of the test; "unknown" for issues of no test.
  static func failures(in file: URL) throws -> [String: String] {
    var failures: [String: String] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let record = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
      guard record.payload.kind == "issueRecorded", record.payload.issue?.isFailure == true else {
        continue
      }
      let texts = (record.payload.messages ?? []).map(\.text)
      failures[name(in: record.payload.testID), default: ""] += texts.joined(separator: "\n") + "\n"
    }
    return failures
  }

  /// `mustFind` of `Module.mustFind(a:)/File.swift:7:2` or `Module.Suite/mustFind()/…`.
  private static func name(in testID: String?) -> String {
    guard let testID, let signature = testID.prefixMatch(of: #/[^(]*/#)?.output else {
      return "unknown"
    }
    return signature.split { $0 == "." || $0 == "/" }.last.map(String.init) ?? "unknown"
  }
}

/// What XCTest prints.
private enum XCTestLog {
  /// What stands between start and failure of each test that failed, by the name of its method.
  static func failures(in output: String) -> [String: String] {
    var failures: [String: String] = [:]
    var text = ""
    for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.firstMatch(of: #/^Test Case '.*' started at /#) != nil {
        text = ""
      } else if let match = line.firstMatch(of: #/^Test Case '.*\.(\w+)' failed \(/#) {
        failures[String(match.1)] = text
      } else {
        text += line + "\n"
      }
    }
    return failures
  }
}
