import ThreadmillModel
import ThreadmillScheduling

/// A machine under a strategy, schedule after schedule.
package struct Exploration<Chooser: Strategy>: Sendable {
  package var strategy: Chooser
  /// What was done in the schedule that ran last.
  package private(set) var recorder = ScheduleRecorder()
  package private(set) var schedules = 0
  /// Steps of all schedules.
  package private(set) var points = 0
  private var machine: Machine
  private let mostSteps: Int

  package init(_ program: Program, _ strategy: Chooser, mostSteps: Int = 10_000) {
    self.strategy = strategy
    self.mostSteps = mostSteps
    machine = Machine(program)
  }

  /// Runs the next schedule; `nil` if everything has been covered.
  package mutating func next() -> Machine.End? {
    guard strategy.begin(schedule: schedules) else { return nil }
    schedules += 1
    machine.reset()
    recorder.removeAll()
    var last: UInt32?
    var end = machine.end
    while end == nil {
      if recorder.steps.count == mostSteps {
        end = .cut
        break
      }
      let running = last.flatMap { last in machine.enabled.firstIndex { $0.strand == last } }
      let (chosen, isForced) = machine.enabled.withUnsafeBufferPointer { enabled in
        let chosen = strategy.next(enabled, running: running)
        return (chosen, Course.isForced(enabled, running: running, chosen: chosen))
      }
      last = machine.enabled[chosen].strand
      recorder.append(machine.enabled[chosen], isForced: isForced)
      machine.step(chosen)
      end = machine.end
    }
    points += recorder.steps.count
    let outcome = end ?? .cut
    let waiting = machine.waiting
    if !waiting.isEmpty { strategy.left(waiting: waiting) }
    strategy.ended(outcome.outcome)
    return outcome
  }

  /// What the cells hold after the last schedule.
  package var cells: [Int] { machine.cells }

  /// Runs until one fails, at most so many; how many it took and what failed.
  package mutating func firstFailure(
    within limit: Int
  ) -> (schedules: Int, end: Machine.End, schedule: Schedule)? {
    for number in 0..<limit {
      guard let end = next() else { return nil }
      if end.outcome == .failed { return (number + 1, end, recorder.schedule) }
    }
    return nil
  }
}

/// Every schedule of a program, by going every way at every step: what strategies are held against.
package struct Enumeration: Sendable {
  /// How many schedules there are with so many forced switches.
  package private(set) var schedules: [Int: Int] = [:]
  /// Of these, how many fail.
  package private(set) var failing: [Int: Int] = [:]
  /// The strands of each schedule's steps.
  package private(set) var orders: Set<[UInt32]> = []

  package init(_ program: Program) { walk(Machine(program), last: nil, order: [], forced: 0) }

  package var count: Int { schedules.values.reduce(0, +) }

  private mutating func walk(_ machine: Machine, last: UInt32?, order: [UInt32], forced: Int) {
    if let end = machine.end {
      schedules[forced, default: 0] += 1
      if end.outcome == .failed { failing[forced, default: 0] += 1 }
      orders.insert(order)
      return
    }
    let running = machine.enabled.first { $0.strand == last }
    for (index, offer) in machine.enabled.enumerated() {
      var copy = machine
      copy.step(index)
      let stays = offer.strand == last
      // That a strand goes on which gave its turn up is counted like a forced switch.
      let costs = running.map { $0.operation == .yield ? stays : !stays } ?? false
      let counts = costs && !(stays && machine.enabled.count == 1)
      walk(
        copy, last: offer.strand, order: order + [offer.strand], forced: forced + (counts ? 1 : 0))
    }
  }
}
