/// The order of the strands in one run of a program: enough to run it in that order again, and to
/// notice where the second run does something else.
///
/// Its text is short and can be typed (``description``, ``init(parsing:)``); so it is encoded.
public struct Schedule: Hashable, Sendable {
  /// Steps of one strand without another's in between.
  package struct Turn: Hashable, Sendable {
    package var strand: UInt32
    /// At least 1.
    package var length: Int
    /// The strand before could have gone on.
    package var isForced: Bool

    package init(strand: UInt32, length: Int, isForced: Bool = false) {
      (self.strand, self.length, self.isForced) = (strand, length, isForced)
    }
  }

  /// A choice of the memory model's that is not the newest store; see `WeakMemory`.
  package struct Pick: Hashable, Sendable {
    /// The number of the step, from 0, that makes the access.
    package var step: Int
    /// From the end of the modification order; at least 1.
    package var choice: Int

    package init(step: Int, choice: Int) { (self.step, self.choice) = (step, choice) }
  }

  /// The greatest number of checks of a schedule. The limit keeps its text short.
  package static let mostChecks = 96

  /// In order; neighbours are of different strands, and the first is not forced.
  package let turns: [Turn]
  /// By ascending steps; empty in a schedule in which each load reads the newest store.
  package let picks: [Pick]
  /// One for each ``stride`` steps, the last one for the rest.
  let checks: [UInt8]
  /// The digest of all steps.
  let digest: UInt32
  /// Whether it is a schedule of a process in which the body has not run before.
  package var isOfFreshProcess = false

  /// - Parameters:
  ///   - turns: lengths add up to the number of steps.
  ///   - steps: what was done, in order.
  package init(turns: [Turn], steps: [Offer], picks: [Pick] = []) {
    var sums = (stride: StepDigest(), all: StepDigest())
    var checks: [UInt8] = []
    let stride = Self.stride(for: steps.count)
    for (index, step) in steps.enumerated() {
      sums.all.add(step)
      if stride == 1 {
        checks.append(Self.check(of: step))
        continue
      }
      sums.stride.add(step)
      if (index + 1).isMultiple(of: stride) || index + 1 == steps.count {
        checks.append(sums.stride.check)
        sums.stride = StepDigest()
      }
    }
    self.init(turns: turns, picks: picks, checks: checks, digest: sums.all.value)
    precondition(self.steps == steps.count, "\(self.steps) steps in turns of \(steps.count)")
  }

  init(turns: [Turn], picks: [Pick] = [], checks: [UInt8], digest: UInt32) {
    (self.turns, self.picks, self.checks, self.digest) = (turns, picks, checks, digest)
  }

  package var steps: Int { turns.reduce(0) { $0 + $1.length } }

  /// How often a strand was left that could have gone on.
  package var forcedSwitches: Int { turns.count { $0.isForced } }

  /// Steps for each check: the least power of two with which they are not too many.
  static func stride(for steps: Int) -> Int {
    var stride = 1
    while (steps + stride - 1) / stride > mostChecks { stride *= 2 }
    return stride
  }

  /// The check of a step that has one of its own: its operation. The object is left out, because
  /// memory may be reused for another object in one run and not in the next.
  static func check(of step: Offer) -> UInt8 { step.operation.rawValue << 1 }

  /// The operation that a check of one step stands for.
  static func operation(of check: UInt8) -> OperationKind? { OperationKind(rawValue: check >> 1) }
}

/// A sum over steps in which their order counts.
struct StepDigest {
  private var state: UInt64 = 0x51_7C_C1_B7_27_22_0A_95

  mutating func add(_ step: Offer) {
    let rest = UInt64(step.strand) << 8 | UInt64(step.operation.rawValue) << 1
    state = (state ^ rest) &* 0x9E37_79B9_7F4A_7C15
    state = ((state ^ state >> 29) ^ (step.writes ? 1 : 0)) &* 0xBF58_476D_1CE4_E5B9
    state ^= state >> 32
  }

  /// 24 bits.
  var value: UInt32 { UInt32(truncatingIfNeeded: state) & 0xFF_FFFF }
  /// 6 bits.
  var check: UInt8 { UInt8(truncatingIfNeeded: state >> 24) & 0x3F }
}

/// Writes down one run while it goes on; made once, it allocates only for runs that are longer
/// than all before.
package struct ScheduleRecorder: Sendable {
  /// The steps so far, in order.
  package private(set) var steps: [Offer] = []
  private var turns: [Schedule.Turn] = []
  private var picks: [Schedule.Pick] = []

  package init() {}

  /// The schedule of the run so far.
  package var schedule: Schedule { Schedule(turns: turns, steps: steps, picks: picks) }

  package var forcedSwitches: Int { turns.count { $0.isForced } }

  package mutating func removeAll() {
    steps.removeAll(keepingCapacity: true)
    turns.removeAll(keepingCapacity: true)
    picks.removeAll(keepingCapacity: true)
  }

  /// The access of the last step reads, or stands behind, another store than the newest one.
  package mutating func pick(_ choice: Int) {
    picks.append(.init(step: steps.count - 1, choice: choice))
  }

  /// - Parameters:
  ///   - step: what is done next.
  ///   - isForced: whether another strand made the step before, and could have gone on.
  package mutating func append(_ step: Offer, isForced: Bool) {
    if let last = steps.last, last.strand == step.strand {
      turns[turns.count - 1].length += 1
    } else {
      turns.append(.init(strand: step.strand, length: 1, isForced: isForced && !steps.isEmpty))
    }
    steps.append(step)
  }
}
