import ThreadmillModel

/// Every schedule once, those with the fewest forced switches first.
///
/// M. Musuvathi, S. Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded
/// Programs", PLDI 2007. A schedule is what it does otherwise than the course that things take by
/// themselves (``Course``); each has one parent, the same without its last difference.
///
/// Differences:
/// * A strand that gives the processor up is followed by the next one, and that it goes on costs
///   as much as a forced switch: a loop that spins ends within every bound.
/// * What is to be tried later is kept as the places at which a schedule that was run can be left,
///   and only so many of them; if there are more, ``coverage`` stays ``Coverage-swift.enum/open``.
package struct Exhaustive: Strategy {
  /// How much has been tried.
  package enum Coverage: Hashable, Sendable {
    /// There is more to try.
    case open
    /// Everything with at most so many forced switches, and nothing else was asked for.
    case bounded(forcedSwitches: Int)
    /// Everything.
    case complete
  }

  /// Places of 12 bytes that are remembered at most.
  package static let mostPlaces = 4_000_000

  /// The most forced switches that are tried; `nil` for any number.
  package let bound: Int?
  package private(set) var coverage = Coverage.open
  /// Forced switches of the schedules that are tried now.
  package private(set) var level = 0
  /// Places that were dropped because there were too many.
  package private(set) var dropped = 0
  /// Schedules that did not go as they had gone before, as those of a program do in which more
  /// than the order is up to chance.
  package private(set) var mismatches = 0

  private let mostPlaces: Int
  private var places = 0
  private var isBegun = false
  /// There are schedules beyond the bound.
  private var isBounded = false

  /// What is to be tried on this level: the last of `free` first, then from `first` on.
  private var free: [Junction] = []
  private var costly: [Junction] = []
  private var firstCostly = 0
  /// What is to be tried on the next.
  private var later: [Junction] = []

  /// Of the schedule that runs now.
  private var deviations: [Deviation] = []
  private var passed = 0
  private var steps: UInt32 = 0
  private var branches: [Branch] = []

  package init(bound: Int? = nil, mostPlaces: Int = Self.mostPlaces) {
    self.bound = bound
    self.mostPlaces = mostPlaces
  }

  package mutating func begin(schedule number: Int) -> Bool {
    guard coverage == .open else { return false }
    (passed, steps) = (0, 0)
    branches.removeAll(keepingCapacity: true)
    guard isBegun else {
      isBegun = true
      return true
    }
    if advance() { return true }
    if dropped == 0 && mismatches == 0 {
      coverage = isBounded ? .bounded(forcedSwitches: level) : .complete
    }
    return false
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    defer { steps += 1 }
    if passed < deviations.count {
      guard deviations[passed].step == steps else { return Course.next(enabled, running: running) }
      let choice = Int(deviations[passed].choice)
      passed += 1
      if choice < enabled.count { return choice }
      mismatches += 1
      return Course.next(enabled, running: running)
    }
    let usual = Course.next(enabled, running: running)
    if enabled.count > 1 {
      branches.append(
        Branch(
          step: steps, count: UInt16(enabled.count), usual: UInt16(usual),
          running: running.map { UInt16($0) } ?? .max))
    }
    return usual
  }

  package mutating func ended(_ outcome: ScheduleOutcome) {
    if passed < deviations.count { mismatches += 1 }
    keep(costing: false)
    keep(costing: true)
  }

  /// Remembers the places at which the schedule that has just run can be left.
  private mutating func keep(costing: Bool) {
    let places = branches.filter { $0.hasAlternative(costing: costing) }
    if places.isEmpty { return }
    if costing, let bound, level >= bound {
      isBounded = true
      return
    }
    if self.places + places.count > mostPlaces {
      dropped += places.count
      return
    }
    self.places += places.count
    let junction = Junction(deviations: deviations, branches: places, costing: costing)
    if costing { later.append(junction) } else { free.append(junction) }
  }

  /// Finds the next schedule; `false` if there is none.
  private mutating func advance() -> Bool {
    while true {
      if let last = free.indices.last {
        if free[last].next(&deviations) { return true }
        places -= free.removeLast().branches.count
      } else if firstCostly < costly.count {
        if costly[firstCostly].next(&deviations) { return true }
        places -= costly[firstCostly].branches.count
        costly[firstCostly] = Junction()
        firstCostly += 1
      } else {
        if later.isEmpty { return false }
        (costly, later, firstCostly) = (later, [], 0)
        level += 1
      }
    }
  }
}

/// Another choice than the course takes.
private struct Deviation: Sendable {
  var step: UInt32
  var choice: UInt16
}

/// A step at which there was a choice.
private struct Branch: Sendable {
  var step: UInt32
  var count: UInt16
  var usual: UInt16
  /// `.max`: who made the step before cannot go on.
  var running: UInt16

  /// Whether a choice leaves a strand that could go on, or lets one go on that gave up its turn.
  func costs(_ choice: UInt16) -> Bool {
    running != .max && (usual == running || choice == running)
  }

  func hasAlternative(costing: Bool) -> Bool {
    (0..<count).contains { $0 != usual && costs($0) == costing }
  }
}

/// A schedule that was run, and where it can be left.
private struct Junction: Sendable {
  var deviations: [Deviation] = []
  var branches: [Branch] = []
  /// Whether it is left by choices that cost a forced switch, or by those that do not.
  var costing = false
  private var branch = 0
  private var choice: UInt16 = 0

  init() {}

  init(deviations: [Deviation], branches: [Branch], costing: Bool) {
    (self.deviations, self.branches, self.costing) = (deviations, branches, costing)
  }

  /// The next schedule that leaves it; `false` if there is none.
  mutating func next(_ schedule: inout [Deviation]) -> Bool {
    while branch < branches.count {
      let place = branches[branch]
      while choice < place.count {
        defer { choice += 1 }
        guard choice != place.usual, place.costs(choice) == costing else { continue }
        schedule.removeAll(keepingCapacity: true)
        schedule += deviations
        schedule.append(Deviation(step: place.step, choice: choice))
        return true
      }
      (branch, choice) = (branch + 1, 0)
    }
    return false
  }
}
