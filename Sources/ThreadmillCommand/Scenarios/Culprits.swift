import Foundation
import ThreadmillModel
import ThreadmillScenarios

/// Compares the participants of a finding with the functions that its scenario names.
enum Culprits {
  /// Returns what is wrong, in words; `nil` if the finding names the right functions with the right
  /// objects, and each wanted object is held by another participant.
  static func problem(with finding: Finding, in scenario: Scenario) -> String? {
    guard Scenario.kindsWithCulprits.contains(finding.kind.rawValue) else { return nil }
    let seen = Set(finding.participants.compactMap { clause($0, finding, scenario.fileName) })
    let wanted = Set(scenario.culprits.map { "\"\($0.key)\": \"\($0.value)\"" })
    guard seen == wanted else {
      return "\(finding.kind.rawValue) must accuse [\(list(wanted))], but accuses [\(list(seen))]"
    }
    guard finding.isRing || finding.participants.count < 2 else {
      return "the participants of \(finding.kind.rawValue) do not hold what the others want"
    }
    return nil
  }

  private static func list(_ clauses: Set<String>) -> String {
    clauses.sorted().joined(separator: ", ")
  }

  /// Returns a participant as the scenario writes it; `nil` for a thread that has ended.
  private static func clause(
    _ participant: Finding.Participant, _ finding: Finding, _ file: String
  ) -> String? {
    if participant.frames.isEmpty && participant.wants == nil { return nil }
    let wanted = finding.objects.first { $0.id == participant.wants }
    let function = participant.frames.function(in: file) ?? "unknown function"
    return "\"\(function)\": \"\(wanted?.words(file) ?? "nothing that can be held")\""
  }
}

extension Finding {
  /// Whether each participant that wants an object wants one that another participant has.
  fileprivate var isRing: Bool {
    participants.indices.allSatisfy { index in
      guard let wanted = participants[index].wants else { return true }
      return participants.indices.contains { other in
        other != index && participants[other].holds.contains { $0.object == wanted }
      }
    }
  }
}

extension SharedObject {
  fileprivate func words(_ file: String) -> String {
    if let label { return "\(kind.rawValue) \(label)" }
    return created.function(in: file).map { "\(kind.rawValue) of \($0)" } ?? kind.rawValue
  }
}

extension Backtrace {
  /// The innermost function of a source file.
  fileprivate func function(in file: String) -> String? {
    first { $0.file.map { URL(filePath: $0).lastPathComponent } == file }?.function
  }
}

extension Scenario {
  fileprivate var fileName: String { URL(filePath: file).lastPathComponent }
}
