import ThreadmillModel

/// Which steps of different strands can see each other. Two steps that cannot may swap places in a
/// schedule, and the program does not notice.
extension Offer {
  /// What a step can see of the steps of other strands.
  private enum Reach {
    case nothing
    /// The steps on the same object, unless both only read.
    case object
    /// Any step. All that is not known well belongs here.
    case everything
  }

  private var reach: Reach {
    switch operation {
    case .spawn, .join: .nothing
    case .begin: object == 0 ? .nothing : .everything
    case .lock, .tryLock, .share, .unlock, .wait, .signal, .broadcast, .enter, .read, .write,
      .update:
      object == 0 ? .everything : .object
    default: .everything
    }
  }

  var seesEverything: Bool { reach == .everything }
  var wakes: Bool { operation == .signal || operation == .broadcast }

  /// Whether the order of the two steps can matter. The wait for a condition begins in the step
  /// that unlocks its mutex, so that such a step comes before or after a signal.
  func depends(on other: Offer) -> Bool {
    if strand == other.strand { return true }
    if seesEverything || other.seesEverything { return true }
    if reach == .nothing || other.reach == .nothing { return false }
    if object == other.object { return writes || other.writes }
    return wakes && other.operation == .unlock || operation == .unlock && other.wakes
  }

  /// Whether the step could not come before the one that let its strand go on, in any order: the end
  /// or the start of a thread, or that of the block before in a queue.
  var isLetGoOn: Bool { operation == .join || operation == .begin }

  /// Whether a step that follows the other one at the same object could not have come before it:
  /// the lock was taken.
  func wasKept(by other: Offer) -> Bool {
    other.operation == .unlock && object == other.object
      && (operation == .lock || operation == .share)
  }
}

/// Which steps of one schedule come before which others, however the steps are ordered that cannot
/// see each other: a vector clock for each step.
struct Precedence: Sendable {
  /// For each step and strand: how many of the schedule's first steps contain all of that strand's
  /// steps that come before the step, or are it.
  private var clocks: [Int32] = []
  private var width = 0
  /// For each strand, the step that it made last, and one more.
  private(set) var last: [Int32] = []
  private var byObject: [UInt64: [Int32]] = [:]
  private var (unlocks, wakings, ofEverything): ([Int32], [Int32], [Int32]) = ([], [], [])
  private(set) var steps: [Offer] = []

  /// For each strand: whether a step by a strand's number comes before.
  typealias Clock = [Int32]

  mutating func reset(strands: Int) {
    (width, last) = (strands, Array(repeating: 0, count: strands))
    clocks.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    byObject.removeAll(keepingCapacity: true)
    (unlocks, wakings, ofEverything) = ([], [], [])
  }

  func clock(of step: Int) -> ArraySlice<Int32> { clocks[step * width..<(step + 1) * width] }

  /// Whether a step comes before another one, or is it.
  func comes(_ first: Int, before second: Int) -> Bool {
    clocks[second * width + Int(steps[first].strand)] > first
  }

  func comes(_ first: Int, before clock: Clock) -> Bool {
    clock[Int(steps[first].strand)] > first
  }

  mutating func merge(_ step: Int, into clock: inout Clock) {
    for strand in 0..<width { clock[strand] = max(clock[strand], clocks[step * width + strand]) }
  }

  /// What comes before the next step of a strand, whatever that step is.
  ///
  /// - Parameter cause: the step without which the strand could not go on; `nil` for none.
  mutating func before(_ strand: UInt32, cause: Int?) -> Clock {
    var clock = Clock(repeating: 0, count: width)
    if last[Int(strand)] > 0 { merge(Int(last[Int(strand)]) - 1, into: &clock) }
    if let cause { merge(cause, into: &clock) }
    return clock
  }

  /// The earlier steps of other strands that a step depends on, the latest first, without those
  /// that all come before `clock`.
  func dependencies(of step: Offer, beyond clock: Clock) -> [Int] {
    var found: [Int32] = []
    if step.seesEverything {
      for (strand, end) in last.enumerated() where end > clock[strand] { found.append(end - 1) }
    } else {
      let others = last.indices.filter { $0 != Int(step.strand) && last[$0] > 0 }
      let floor = others.map { clock[$0] }.min() ?? .max
      func look(_ list: [Int32]) {
        for index in list.reversed() {
          if index < floor { break }
          if index >= clock[Int(steps[Int(index)].strand)] { found.append(index) }
        }
      }
      look(byObject[step.object] ?? [])
      look(ofEverything)
      if step.wakes { look(unlocks) }
      if step.operation == .unlock { look(wakings) }
    }
    return Set(found.map(Int.init)).filter { step.depends(on: steps[$0]) }.sorted(by: >)
  }

  /// Takes the next step.
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
  }
}
