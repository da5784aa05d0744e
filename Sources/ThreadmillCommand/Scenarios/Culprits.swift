import Foundation
import ThreadmillModel
import ThreadmillScenarios

/// Compares what a finding accuses with what its scenario names.
enum Culprits {
  /// Returns what is wrong, in words; `nil` if the finding makes one of the accusations that the
  /// scenario lists for its kind, or if the scenario lists none.
  static func problem(with finding: Finding, in scenario: Scenario) -> String? {
    let kind = finding.kind.rawValue
    guard let wanted = scenario.accusations[kind] else { return nil }
    let seen = finding.clauses(in: scenario.fileName)
    guard wanted.contains(seen) else {
      return "\(kind) must accuse \(wanted.map(list).joined(separator: " or "))"
        + ", but accuses \(list(seen))"
    }
    guard finding.kind != .dataRace || finding.participants.count == 2 else {
      return "\(kind) must be between two accesses"
    }
    guard !finding.kind.isRing || finding.isRing else {
      return "the participants of \(kind) do not hold what the others want"
    }
    return nil
  }

  private static func list(_ clauses: Scenario.Accusation) -> String {
    "[\(clauses.sorted().map { "\"\($0)\"" }.joined(separator: ", "))]"
  }
}

extension Finding {
  /// Everything that the finding accuses, as ``Scenario/Accusation`` has it.
  fileprivate func clauses(in file: String) -> Scenario.Accusation {
    var clauses = participants.compactMap { clause($0, file) }
    if participants.isEmpty {
      clauses += story?.clauses(in: file) ?? facts.compactMap { $0.frames.function(in: file) }
    }
    if kind == .assertionFailure { clauses += title.expectation.map { [$0] } ?? [] }
    return Set(clauses + subjects(in: file))
  }

  /// Returns what a participant did; `nil` for a thread that has ended.
  private func clause(_ participant: Participant, _ file: String) -> String? {
    if participant.frames.isEmpty && participant.submitted.isEmpty && participant.wants == nil {
      return nil
    }
    let function =
      participant.frames.function(in: file)
      ?? participant.submitted.function(in: file).map { "work of \($0)" } ?? "unknown function"
    guard let wants = participant.wants else { return function }
    let wanted = objects.first { $0.id == wants }
    return "\(function) → \(wanted?.words(file) ?? "unknown object")"
  }

  /// The objects that the finding is about, if no participant wants one: of a data race the memory,
  /// of a crash none, of other findings the first one. A finding names its other objects because of
  /// its participants; one without participants is about all of them.
  private func subjects(in file: String) -> [String] {
    guard participants.allSatisfy({ $0.wants == nil }) else { return [] }
    switch kind {
    case .dataRace:
      return facts.filter(\.isAboutMemory).map {
        "about memory of \($0.frames.function(in: file)?.withoutClosure ?? "unknown function")"
      }
    case .crash: return []
    default:
      return objects.prefix(participants.isEmpty ? .max : 1).map { "about \($0.words(file))" }
    }
  }

  /// Whether each participant that wants an object wants one that another participant has.
  fileprivate var isRing: Bool {
    guard participants.count > 1 else { return true }
    return participants.indices.allSatisfy { index in
      guard let wanted = participants[index].wants else { return true }
      return participants.indices.contains { other in
        other != index && participants[other].holds.contains { $0.object == wanted }
      }
    }
  }
}

extension FindingKind {
  /// Whether the participants of such a finding hold what the others want.
  fileprivate var isRing: Bool { self == .lockOrderCycle || self == .deadlock }
}

extension ScheduleStory {
  /// What cannot go on at the end: threads, with the kind of object that they wait for, and tasks.
  fileprivate func clauses(in file: String) -> [String] {
    let threads = waits.compactMap { wait in
      wait.step.places.function(in: file).map { function in
        let object = wait.step.object?.split(separator: " ").first.map { " → \($0)" }
        return "\(function)\(object ?? "")"
      }
    }
    return threads + awaits.compactMap { $0.places.function(in: file) }
  }
}

extension SharedObject {
  fileprivate func words(_ file: String) -> String {
    if kind == .concurrentQueue, label?.hasPrefix("NSOperationQueue ") == true {
      return "operation queue"
    }
    if let label { return "\(kind.rawValue) \(label)" }
    return created.function(in: file).map { "\(kind.rawValue) of \($0)" } ?? kind.rawValue
  }
}

extension String {
  /// The words of a scenario that throws what it got "instead of" something else.
  fileprivate var expectation: String? {
    range(of: " instead of ").map { "instead of \(self[$0.upperBound...])" }
  }

  /// The scenario in place of its outermost closure: each variant is a closure of its own.
  fileprivate var withoutClosure: String {
    firstRange(of: "Scenario.").map { String(self[$0.lowerBound...]) } ?? self
  }
}

extension Backtrace {
  /// The innermost function of a source file. A scenario's body is called after the scenario.
  fileprivate func function(in file: String) -> String? {
    let own = first { $0.file.map { URL(filePath: $0).lastPathComponent } == file }
    return own?.function?.replacing("variable initialization expression of static ", with: "")
  }
}

extension Scenario {
  fileprivate var fileName: String { URL(filePath: file).lastPathComponent }
}
