import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// `swift test` starts the test binary several times; whoever typed it has started one run.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct SwiftTestTests {
  /// A fixture of which only one test library has tests.
  struct User: Sendable, CustomTestStringConvertible {
    var fixture: Fixture
    /// Switches that keep the other library's half of the run from being started.
    var onlyItself: String
    /// What the binary is started with for a list of its tests.
    var listing: [String]
    /// As reports name them.
    var guilty: Set<String>

    var testDescription: String { fixture.name }
  }

  static let xctest = User(
    fixture: .xctest, onlyItself: "--disable-swift-testing", listing: ["--dump-tests-json"],
    guilty: [
      "MustFindTests.testMustFindOppositeOrdersOnTwoThreads",
      "MustFindTests.testMustFindOppositeOrdersOnWorkers",
    ])
  static let swiftTesting = User(
    fixture: .swiftTesting, onlyItself: "--disable-xctest",
    listing: ["--testing-library", "swift-testing", "--list-tests"],
    guilty: [
      "SwiftTestingUserTests.mustFindOppositeOrdersOnTwoThreads()",
      "SwiftTestingUserTests.mustFindOppositeOrdersOnWorkers()",
    ])

  // MARK: Reports

  /// XCTest gets a process for each test, Swift Testing one for all.
  @Test func aParallelRunOfXCTestHasOneReport() async throws {
    let listed = try await Self.xctest.tests()
    try #require(listed.count > 10)
    try await check(Self.xctest, arguments: ["--parallel"], processes: listed.count)
  }

  @Test func aRunOfSwiftTestingHasOneReport() async throws {
    try await check(Self.swiftTesting, arguments: ["--parallel"], processes: 1)
  }

  /// Runs twice with one report file: the second run replaces what the first has said.
  private func check(_ user: User, arguments: [String], processes: Int) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    var runs: Set<String> = []
    for _ in 0..<2 {
      let result = try await user.fixture.swift(
        "test", [user.onlyItself] + arguments, options: "report=\(file.path)")
      #expect(result.outcome == .exited(1))
      let report = try #require(try ReportFile(at: file))
      #expect(report.run.processes == processes)
      #expect(report.accusations.map(\.tests.count) == [1, 1])
      #expect(Set(report.accusations.flatMap(\.tests)) == user.guilty)
      #expect(report.accusations.map(\.count) == [1, 1])
      runs.insert(report.run.id)
    }
    #expect(runs.count == 2)
  }

  // MARK: Confirmation

  /// The tests were told while they ran; what became of the cycles is in the report.
  @Test(arguments: [xctest, swiftTesting])
  func aCycleOfATestIsConfirmed(_ user: User) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let events = directory.file("events.jsonl")
    let result = try await user.fixture.swift(
      "test",
      [user.onlyItself, "--filter", "OppositeOrders", "--event-stream-output-path", events.path],
      options: "confirm=true seed=7 report=\(file.path)")
    #expect(result.outcome == .exited(1))
    let cycles = try #require(try ReportFile(at: file)).accusations
    #expect(Set(cycles.flatMap(\.tests)) == user.guilty)
    #expect(cycles.map(\.count) == [1, 1])
    #expect(cycles.allSatisfy { $0.confirmation != nil })
    #expect(cycles.map(\.status) == ["confirmed", "confirmed"])
    #expect(cycles.map { $0.confirmation?.deadlock?.count } == [2, 2])
    // `swift test` prints there what the tests write to standard error.
    #expect(result.standardOutput.contains("[confirmed lockOrderCycle]"))
  }

  // MARK: Listing

  @Test(arguments: [xctest, swiftTesting])
  func aListIsNothingButAList(_ user: User) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let result = try await user.fixture.swift("test", ["list"], options: "report=\(file.path)")
    #expect(result.outcome == .exited(0))
    let lines = result.standardOutput.split(separator: "\n").map(String.init)
    #expect(Set(lines) == Set(try await user.tests()))
    #expect(lines.count { $0.lowercased().contains("mustfind") } == 2)
    #expect(!result.standardError.contains("hreadmill:"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [])
  }

  /// A list is also what a run with options that are wrong begins with.
  @Test(arguments: [xctest, swiftTesting], ["report=FILE", "jitter=purple"])
  func theBinaryOnlyLists(_ user: User, options: String) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let bare = try await user.list(options: nil)
    let result = try await user.list(
      options: options.replacingOccurrences(of: "FILE", with: file.path))
    #expect(result.outcome == bare.outcome)
    #expect(result.standardOutput.lowercased().contains("mustfind"))
    #expect(Self.words(result.standardOutput) == Self.words(bare.standardOutput))
    #expect(result.standardError == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [])
  }

  /// XCTest writes the members of its JSON objects in another order each time.
  private static func words(_ text: String) -> [Substring] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.sorted()
  }

  // MARK: Options

  @Test(arguments: [xctest, swiftTesting], [nil, "--disable-xctest", "--disable-swift-testing"])
  func badOptionsAreSaidOnceAndFailTheRun(_ user: User, _ only: String?) async throws {
    let result = try await user.fixture.swift(
      "test", only.map { [$0] } ?? [], options: "jitter=purple")
    #expect(result.outcome == .exited(1))
    let lines = (result.standardOutput + result.standardError).split(separator: "\n")
    let ours = lines.filter { $0.contains("hreadmill:") }
    try #require(ours.count == 1)
    for words in ["THREADMILL_OPTIONS", "jitter=purple", "off"] {
      #expect(ours[0].contains(words))
    }
    #expect(!lines.contains { $0.contains("passed") })
  }
}

extension SwiftTestTests.User {
  /// The tests as `swift test list` names them without Threadmill; builds the fixture.
  func tests() async throws -> [String] {
    let result = try await fixture.swift("test", ["list"], options: "detect=false")
    return result.standardOutput.split(separator: "\n").map(String.init)
  }

  /// Starts the binary, which has to be built, for a list of its tests.
  func list(options: String?) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: try fixture.binary.path, arguments: listing,
      environment: Program.environment(options: options), limit: Program.limit)
    return try await child.run()
  }
}
