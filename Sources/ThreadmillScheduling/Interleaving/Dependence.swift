import ThreadmillModel

/// The dependence of steps. Two neighbouring steps of a schedule that do not depend on each other
/// can swap places: each of them does the same as before, and the state afterwards is the same.
extension Offer {
  /// The steps of other strands that a step may depend on.
  private enum Reach {
    case nothing
    /// The beginning of what was submitted.
    case submitted
    /// The steps on the same object, unless both only read.
    case object
    /// All steps. Kinds of steps with effects that are not modelled here have this reach.
    case everything
  }

  private var reach: Reach {
    switch operation {
    case .spawn, .join: .nothing
    case .begin: object == 0 ? .nothing : .everything
    case .goOn: .submitted
    case .lock, .tryLock, .share, .unlock, .wait, .signal, .broadcast, .enter, .read, .write,
      .update:
      object == 0 ? .everything : .object
    default: .everything
    }
  }

  var seesEverything: Bool { reach == .everything }
  var wakes: Bool { operation == .signal || operation == .broadcast }

  /// Returns whether the two steps depend on each other. A thread begins to wait for a condition in
  /// the step that unlocks the mutex, so a signal depends on the unlocking of any mutex.
  func depends(on other: Offer) -> Bool {
    if strand == other.strand { return true }
    if operation == .goOn || other.operation == .goOn {
      return goesOnBehind(other) || other.goesOnBehind(self)
    }
    if seesEverything || other.seesEverything { return true }
    if reach == .nothing || other.reach == .nothing { return false }
    if object == other.object { return writes || other.writes }
    return wakes && other.operation == .unlock || operation == .unlock && other.wakes
  }

  /// Whether the step comes behind the submission of the other step's strand, which begins.
  private func goesOnBehind(_ other: Offer) -> Bool {
    other.operation == .begin && submitted == other.strand
  }

  /// Whether the step can never come before the step that let its strand go on. A join comes after
  /// the end of the joined thread, a thread's begin after its start, a block's begin after the
  /// block before it in the queue. A lock, in contrast, may be taken before or after another strand
  /// has it.
  var isLetGoOn: Bool { operation == .join || operation == .begin }

  /// Whether the step takes a lock that the other step, an earlier one, gives back. The two cannot
  /// swap places.
  func wasKept(by other: Offer) -> Bool {
    other.operation == .unlock && object == other.object
      && (operation == .lock || operation == .share)
  }
}

/// The partial order of one schedule: a step comes before another one if it does so in every
/// schedule of the same class. Each step has a vector clock.
struct Precedence: Sendable {
  /// For each step, `width` entries, one for each strand: the number in the schedule, from 1, of
  /// the strand's last step that comes before the step or is that step; 0 for none.
  private var clocks: [Int32] = []
  private var width = 0
  /// For each strand, the number in the schedule of the step that it made last, from 1; 0 for none.
  private(set) var last: [Int32] = []
  private var byObject: [UInt64: [Int32]] = [:]
  private var (unlocks, wakings, goings): ([Int32], [Int32], [Int32]) = ([], [], [])
  private var ofEverything: [Int32] = []
  private(set) var steps: [Offer] = []

  /// The entries of one vector clock.
  typealias Clock = [Int32]

  mutating func reset(strands: Int) {
    (width, last) = (strands, Array(repeating: 0, count: strands))
    clocks.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    byObject.removeAll(keepingCapacity: true)
    (unlocks, wakings, goings, ofEverything) = ([], [], [], [])
  }

  /// Returns whether a step comes before another one, or is that one.
  func comes(_ first: Int, before second: Int) -> Bool {
    clocks[second * width + Int(steps[first].strand)] > first
  }

  func comes(_ first: Int, before clock: Clock) -> Bool {
    clock[Int(steps[first].strand)] > first
  }

  mutating func merge(_ step: Int, into clock: inout Clock) {
    for strand in 0..<width { clock[strand] = max(clock[strand], clocks[step * width + strand]) }
  }

  /// Returns the clock of the steps that come before the next step of a strand, whatever that step
  /// is.
  ///
  /// - Parameter cause: the step without which the strand could not go on; `nil` for none.
  mutating func before(_ strand: UInt32, cause: Int?) -> Clock {
    var clock = Clock(repeating: 0, count: width)
    if last[Int(strand)] > 0 { merge(Int(last[Int(strand)]) - 1, into: &clock) }
    if let cause { merge(cause, into: &clock) }
    return clock
  }

  /// Returns the earlier steps of other strands that a step depends on, the latest first. Steps
  /// that `clock` contains are left out.
  func dependencies(of step: Offer, beyond clock: Clock) -> [Int] {
    var found: [Int32] = []
    if let submitted = step.submitted {
      found = latest(of: submitted, that: step, beyond: clock)
    } else if step.seesEverything {
      for strand in last.indices { found += latest(of: UInt32(strand), that: step, beyond: clock) }
    } else {
      found = steps(in: byObject[step.object] ?? [], beyond: clock, of: step.strand)
      found += steps(in: ofEverything, beyond: clock, of: step.strand)
      if step.wakes { found += steps(in: unlocks, beyond: clock, of: step.strand) }
      if step.operation == .unlock { found += steps(in: wakings, beyond: clock, of: step.strand) }
      if step.operation == .begin { found += steps(in: goings, beyond: clock, of: step.strand) }
    }
    return Set(found.map(Int.init)).filter { step.depends(on: steps[$0]) }.sorted(by: >)
  }

  /// The last step of a strand that a step depends on, or none.
  private func latest(of strand: UInt32, that step: Offer, beyond clock: Clock) -> [Int32] {
    guard strand < width else { return [] }
    let (first, end) = (clock[Int(strand)], last[Int(strand)])
    return stride(from: end - 1, through: first, by: -1).first {
      steps[Int($0)].strand == strand && step.depends(on: steps[Int($0)])
    }.map { [$0] } ?? []
  }

  /// The steps of a list, which rises, that `clock` does not contain.
  private func steps(in list: [Int32], beyond clock: Clock, of strand: UInt32) -> [Int32] {
    let others = last.indices.filter { $0 != Int(strand) && last[$0] > 0 }
    let floor = others.map { clock[$0] }.min() ?? .max
    return list.reversed().prefix { $0 >= floor }.filter {
      $0 >= clock[Int(steps[Int($0)].strand)]
    }
  }

  /// Appends the next step of the schedule. `clock` contains the steps before it that it does not
  /// depend on by itself.
  mutating func append(_ step: Offer, after clock: Clock) {
    var clock = clock
    for other in dependencies(of: step, beyond: clock) { merge(other, into: &clock) }
    let index = Int32(steps.count)
    steps.append(step)
    clock[Int(step.strand)] = index + 1
    clocks += clock
    last[Int(step.strand)] = index + 1
    if step.seesEverything {
      ofEverything.append(index)
    } else if step.object != 0 {
      byObject[step.object, default: []].append(index)
    }
    if step.operation == .unlock { unlocks.append(index) }
    if step.wakes { wakings.append(index) }
    if step.operation == .goOn { goings.append(index) }
  }
}
