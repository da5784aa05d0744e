import Foundation

/// The JSON report as an outsider reads it: written from the documented form, not from our encoder.
struct ReportFile: Decodable, Sendable {
  struct Frame: Decodable, Sendable {
    var function: String?
    var file: String?
    var line: Int?
  }

  struct Participant: Decodable, Sendable {
    var role: String
    var frames: [Frame]
  }

  struct Object: Decodable, Sendable {
    var created: [Frame]?
  }

  struct Finding: Decodable, Sendable {
    var kind: String
    var status: String
    var title: String
    var tests: [String]
    var participants: [Participant]
    var objects: [Object]
  }

  var version: Int
  var findings: [Finding]

  /// The report at `url`; `nil` if there is no file.
  ///
  /// - Throws: if there is a file that is not a whole report.
  init?(at url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
  }

  /// What the program is accused of; candidates that were dropped accuse nobody.
  var accusations: [Finding] { findings.filter { $0.status != "filtered" } }

  var kinds: Set<String> { Set(accusations.map(\.kind)) }
}
