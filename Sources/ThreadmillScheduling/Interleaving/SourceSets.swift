import ThreadmillModel

/// Runs one schedule of each class. Two schedules belong to the same class if they differ only in
/// the order of steps that do not depend on each other (``Precedence``).
///
/// P. A. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, "Source Sets: A Foundation for Optimal Dynamic
/// Partial Order Reduction", JACM 2017, algorithm source-DPOR, with the sleep sets of P. Godefroid.
///
/// Differences:
/// * Races are looked for when a schedule is over. A strand that waits then takes part with the
///   step for which it waits.
/// * If no strand that could begin the reversal of a race can go on, all strands are tried that
///   can, as in C. Flanagan, P. Godefroid, "Dynamic Partial-Order Reduction for Model Checking
///   Software", POPL 2005. The strategy does not know for every step what that step waits for.
/// * The first choice at a new step is that of ``Course``.
package struct SourceSets: Strategy {
  /// A step of the schedule, and the other steps that are to be tried in its place.
  struct Node: Sendable {
    private(set) var enabled: [Offer]
    var chosen: Int
    /// Steps that need not be tried here: earlier schedules have shown all classes that begin so.
    var sleeping: [Offer]
    /// Strands that are to make this step in some schedule.
    var wanted: Set<UInt32>

    var step: Offer { enabled[chosen] }

    func isSleeping(_ strand: UInt32) -> Bool { sleeping.contains { $0.strand == strand } }
    /// Returns whether the program offers the same steps again, and takes over the numbers of their
    /// objects. These may change, because the accesses show which bytes are one object.
    mutating func follows(_ now: UnsafeBufferPointer<Offer>) -> Bool {
      let isSame = zip(enabled, now).allSatisfy {
        $0.strand == $1.strand && $0.operation == $1.operation
      }
      guard isSame, enabled.count == now.count else { return false }
      enabled = Array(now)
      for index in sleeping.indices {
        if let step = enabled.first(where: { $0.strand == sleeping[index].strand }) {
          sleeping[index] = step
        }
      }
      return true
    }

    func canGoOn(_ strand: UInt32) -> Bool { enabled.contains { $0.strand == strand } }
  }

  package private(set) var coverage = Exhaustive.Coverage.open
  /// Schedules that were run.
  package private(set) var executions = 0
  /// The schedules of a class that an earlier schedule had shown.
  package private(set) var repetitions = 0
  /// Schedules that did not go as they had gone before.
  package private(set) var mismatches = 0
  /// Schedules that were ended before they came to an end.
  package private(set) var cuts = 0
  /// The classes that the schedules have shown.
  package var classes: Int { executions - repetitions }

  var nodes: [Node] = []
  var waiting: [Offer] = []
  /// Steps made in this schedule.
  private var steps = 0
  /// The first step that differs from the schedule before.
  var fresh = 0
  /// Whether the rest of this schedule is of no use.
  var isLost = false
  var precedence = Precedence()

  package init() {}

  package mutating func begin(schedule number: Int) -> Bool {
    guard coverage == .open else { return false }
    (steps, isLost) = (0, false)
    waiting.removeAll(keepingCapacity: true)
    if executions > 0, !advance() {
      if mismatches == 0 && cuts == 0 { coverage = .complete }
      return false
    }
    executions += 1
    return true
  }

  /// Goes back to the last step at which something is left to try.
  private mutating func advance() -> Bool {
    while var node = nodes.popLast() {
      node.sleeping.append(node.step)
      let next = node.enabled.firstIndex {
        node.wanted.contains($0.strand) && !node.isSleeping($0.strand)
      }
      guard let next else { continue }
      node.chosen = next
      fresh = nodes.count
      nodes.append(node)
      return true
    }
    return false
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    defer { steps += 1 }
    let usual = Course.next(enabled, running: running)
    if isLost { return usual }
    if steps < nodes.count {
      if nodes[steps].follows(enabled) { return nodes[steps].chosen }
      leave()
    }
    let sleeping = nodes.last.map { last in
      last.sleeping.filter { !$0.depends(on: last.step) }
    }
    var node = Node(enabled: Array(enabled), chosen: usual, sleeping: sleeping ?? [], wanted: [])
    if node.isSleeping(enabled[usual].strand) {
      guard let other = enabled.firstIndex(where: { !node.isSleeping($0.strand) }) else {
        (isLost, repetitions) = (true, repetitions + 1)
        return usual
      }
      node.chosen = other
    }
    node.wanted = [node.step.strand]
    nodes.append(node)
    return node.chosen
  }

  /// Drops the steps from here on, because the program makes other steps than in the schedule
  /// before. The second schedule may differ from the first one, which also ran one-time
  /// initialisers.
  private mutating func leave() {
    if executions > 2 { mismatches += 1 }
    nodes.removeSubrange(steps...)
    fresh = min(fresh, steps)
  }

  package var asksForWaiting: Bool { true }
  package mutating func left(waiting: [Offer]) { self.waiting = waiting }

  package mutating func ended(_ outcome: ScheduleOutcome) {
    if steps < nodes.count { leave() }
    if outcome == .cut { cuts += 1 }
    reverseRaces()
  }
}
