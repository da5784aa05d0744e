import ThreadmillModel

/// A body that does not do the same in the same order of its threads, blocks and tasks: what is
/// found in it cannot be run again with certainty.
///
/// Of the schedules of an exploration the first one and every 64th is run twice. Clocks show the
/// time of the exploration, which is the same each time, and the order of a `Set` or `Dictionary`
/// is that of the process: neither makes a difference here, though the order does in another
/// process, unless that is started with `SWIFT_DETERMINISTIC_HASHING=1`.
public struct Nondeterminism: Sendable, CustomStringConvertible {
  /// The schedule whose second run was another one.
  public let schedule: Schedule
  /// The step at which that showed first, from 1; in long schedules a few may lie before it that
  /// were others already. `nil` where all steps were the same, and the end was not.
  public let step: Int?
  /// What was to come there.
  public let expected: String
  /// What came.
  public let found: String
  /// The user's line at which whoever did something else stood: `Bank.swift:12`.
  public internal(set) var place: String?
  /// Where it may come from.
  public internal(set) var likelySource: String

  /// In one line.
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

/// Which schedules are run a second time: the first, and every 64th. Of long explorations every
/// 128th, 256th and so on, so that they are never more than 64.
struct Sampling {
  private(set) var taken: [Schedule] = []
  private var distance = 64
  private static let most = 64

  /// - Parameter number: from 0, rising.
  mutating func offer(_ number: Int, _ schedule: () -> Schedule) {
    guard number.isMultiple(of: distance) else { return }
    taken.append(schedule())
    guard taken.count == Self.most else { return }
    taken = taken.indices.filter { $0.isMultiple(of: 2) }.map { taken[$0] }
    distance *= 2
  }
}
