import ThreadmillModel

/// The sign that a body took other steps in the same schedule. Its failures cannot be repeated with
/// certainty.
///
/// An exploration runs some of its first schedules, and every 64th, twice. Clocks are no reason for
/// a difference: they show the virtual time of the exploration. The order of a `Set` or
/// `Dictionary` is no reason within one process. It differs in the next process, unless both are
/// started with `SWIFT_DETERMINISTIC_HASHING=1`.
public struct Nondeterminism: Sendable, CustomStringConvertible {
  /// The schedule whose second run took other steps.
  public let schedule: Schedule
  /// The first step that differed, from 1; in long schedules, a few steps before it may differ
  /// already. `nil` if all steps were the same, and only the end differed.
  public let step: Int?
  /// The step of the first run.
  public let expected: String
  /// The step of the second run.
  public let found: String
  /// The user's line of the step that differed: `Bank.swift:12`.
  public internal(set) var place: String?
  /// A possible reason.
  public internal(set) var likelySource: String

  /// The difference in one line.
  public var description: String {
    let step = step.map { "at step \($0)" } ?? "at its end"
    let place = place.map { " (\($0))" } ?? ""
    return "the body is not deterministic: run twice in the same order, \(step) \(found)\(place) "
      + "came in the place of \(expected); likely \(likelySource)"
  }
}

extension Nondeterminism {
  init(_ divergence: Divergence, of schedule: Schedule, uncontrolled: Int) {
    self.init(
      schedule: schedule, step: divergence.steps.lowerBound + 1, expected: divergence.expectation,
      found: divergence.findings, likelySource: Self.source(uncontrolled: uncontrolled))
  }

  /// All steps were the same.
  init(
    of schedule: Schedule, ended first: String, then second: String, uncontrolled: Int
  ) {
    self.init(
      schedule: schedule, step: nil, expected: first, found: second,
      likelySource: Self.source(uncontrolled: uncontrolled))
  }

  private static func source(uncontrolled: Int) -> String {
    if uncontrolled > 0 {
      return "one of the \(uncontrolled) operations that were not under control: other threads, "
        + "files, network, sources"
    }
    return "random numbers, state that an earlier run has left behind (static variables, files), "
      + "addresses or hash values used for an order, or a thread that the body did not start"
  }
}

extension Divergence {
  fileprivate var expectation: String {
    if kind == .wentOn { return "the end" }
    return operation.map { "\"\($0.words)\" of strand \(strand.map(String.init) ?? "?")" }
      ?? "a step of strand \(strand.map(String.init) ?? "?")"
  }

  fileprivate var findings: String {
    if kind == .endedEarly { return "the end" }
    let offers = found.map { "\"\($0.operation.words)\" of strand \($0.strand)" }
    return offers.isEmpty ? "nothing" : offers.prefix(3).joined(separator: ", ")
  }
}

/// Which schedules are run a second time: of the first 64 seven, more of the earlier ones, and then
/// every 64th. Of long explorations every 128th, 256th and so on, so that they are never more than
/// 64.
struct Sampling {
  private(set) var taken: [Schedule] = []
  private var distance = 64
  private static let most = 64

  /// - Parameter number: from 0, rising.
  mutating func offer(_ number: Int, _ schedule: () -> Schedule) {
    let isEarly = number < distance && number & (number - 1) == 0
    guard isEarly || number.isMultiple(of: distance) else { return }
    taken.append(schedule())
    guard taken.count == Self.most else { return }
    taken = taken.indices.filter { $0.isMultiple(of: 2) }.map { taken[$0] }
    distance *= 2
  }
}
