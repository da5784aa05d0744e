import Foundation
import ThreadmillModel

/// The results of tests in the stream of events that Swift Testing writes: a record in JSON on each
/// line.
struct TestEvents {
  /// With these a test executable writes the stream to a file.
  static func arguments(file: String) -> [String] {
    ["--event-stream-output-path", file, "--event-stream-version", "0"]
  }

  /// By name. A test that has begun and not ended is none of them.
  private(set) var results: [String: TestResult] = [:]
  private var issues: [String: [TestResult.Issue]] = [:]
  private var began: [String: Double] = [:]
  /// Suites have results too, and are no tests.
  private var functions: Set<String> = []

  /// - Parameter text: the stream; what is no record of a known form is passed over.
  init(_ text: some StringProtocol) {
    let decoder = JSONDecoder()
    for line in text.split(separator: "\n") {
      guard let record = try? decoder.decode(Record.self, from: Data(line.utf8)) else { continue }
      add(record.payload)
    }
  }

  private mutating func add(_ payload: Payload) {
    if payload.kind == "function", let identifier = payload.id { functions.insert(identifier) }
    guard let identifier = payload.testID, functions.contains(identifier) else { return }
    let name = Self.name(identifier)
    switch payload.kind {
    case "testStarted":
      began[identifier] = payload.instant?.absolute
    case "issueRecorded":
      guard let message = payload.failure else { return }
      let place = payload.issue?.sourceLocation
      issues[name, default: []].append(.init(message, file: place?.file, line: place?.line))
    case "testSkipped":
      results[name] = TestResult(name, .skipped)
    case "testEnded":
      let seconds = (payload.instant?.absolute ?? 0) - (began[identifier] ?? .infinity)
      results[name] = TestResult(
        name, payload.messages?.first?.symbol == "fail" ? .failed : .passed,
        milliseconds: Int((max(0, min(seconds, 1_000_000)) * 1_000).rounded()),
        issues: issues[name] ?? [])
    default: break
    }
  }

  /// Without the place at the end: `Module.Suite/test()`.
  private static func name(_ identifier: String) -> String {
    let parts = identifier.split(separator: "/")
    let hasPlace = parts.last?.contains(".swift:") ?? false
    return (hasPlace ? parts.dropLast() : parts).joined(separator: "/")
  }

  // MARK: Records

  private struct Record: Decodable {
    var payload: Payload
  }

  private struct Payload: Decodable {
    var kind: String
    /// The identifier, in the record of a test.
    var id: String?
    /// The identifier of the test, in the record of an event.
    var testID: String?
    var instant: Instant?
    var messages: [Message]?
    var issue: Issue?

    /// The message of an issue that fails its test; `nil` for any other event.
    var failure: String? {
      guard issue?.isKnown == false, issue?.isFailure ?? true, let messages,
        messages.first?.symbol == "fail"
      else { return nil }
      var texts = messages.map(\.text)
      // `Issue.record(_:)` has this before the words that it is given.
      if texts.count > 1, texts.first == "Issue recorded" { texts.removeFirst() }
      return texts.joined(separator: "\n")
    }
  }

  private struct Instant: Decodable {
    var absolute: Double
  }

  private struct Message: Decodable {
    var symbol: String
    var text: String
  }

  private struct Issue: Decodable {
    var isKnown: Bool
    var isFailure: Bool?
    var sourceLocation: Place?
  }

  private struct Place: Decodable {
    var file: String?
    var line: Int?

    private enum CodingKeys: String, CodingKey {
      case file = "_filePath"
      case line
    }
  }
}
