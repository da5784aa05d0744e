import Dispatch
import Foundation

/// The registers of a small program, as people guard them.
protocol Machine: Sendable {
  init()
  /// Runs each thread of the program, and returns their notes and the registers.
  func run(_ program: SmallProgram) async -> [[Int]]
}

/// What one thread has noted. Each is used by its own thread, and read after that.
private final class Notes: @unchecked Sendable {
  var all: [Int] = []
}

final class LockedMachine: Machine, @unchecked Sendable {
  private let lock = NSLock()
  private var state = SmallProgram.State()

  func run(_ program: SmallProgram) async -> [[Int]] {
    let notes = program.threads.map { _ in Notes() }
    work(program, notes)
    return notes.map(\.all) + [state.registers]
  }

  private func work(_ program: SmallProgram, _ notes: [Notes]) {
    let group = DispatchGroup()
    for (steps, notes) in zip(program.threads, notes) {
      group.enter()
      Thread.detachNewThread {
        for step in steps { self.make(step, notes) }
        group.leave()
      }
    }
    group.wait()
  }

  private func make(_ step: SmallProgram.Step, _ notes: Notes) {
    lock.withLock { state.make(step, noting: &notes.all) }
  }
}

/// The registers belong to a queue; the kinds of queue differ in how a step gets there.
class QueuedMachine: Machine, @unchecked Sendable {
  /// Guards the registers, together with the order of its work.
  fileprivate let queue: DispatchQueue
  private var state = SmallProgram.State()

  required convenience init() { self.init(attributes: []) }

  fileprivate init(attributes: DispatchQueue.Attributes) {
    queue = DispatchQueue(label: "registers", attributes: attributes)
  }

  func run(_ program: SmallProgram) async -> [[Int]] {
    let (notes, group) = (program.threads.map { _ in Notes() }, DispatchGroup())
    for (steps, notes) in zip(program.threads, notes) {
      DispatchQueue.global().async(group: group) {
        for step in steps { self.make(step, notes) }
      }
    }
    wait(for: group)
    return queue.sync(flags: .barrier) { notes.map(\.all) + [state.registers] }
  }

  private func wait(for group: DispatchGroup) { group.wait() }

  fileprivate func make(_ step: SmallProgram.Step, _ notes: Notes) {
    queue.sync { work(step, notes) }
  }

  fileprivate final func work(_ step: SmallProgram.Step, _ notes: Notes) {
    guard step.onlyReads else { return state.make(step, noting: &notes.all) }
    var seen = state
    seen.make(step, noting: &notes.all)
  }
}

/// Nobody waits for a step.
final class AsynchronousMachine: QueuedMachine, @unchecked Sendable {
  override fileprivate func make(_ step: SmallProgram.Step, _ notes: Notes) {
    queue.async { self.work(step, notes) }
  }
}

/// Steps that only read may run at the same time.
class BarrierMachine: QueuedMachine, @unchecked Sendable {
  required convenience init() { self.init(attributes: .concurrent) }

  override fileprivate func make(_ step: SmallProgram.Step, _ notes: Notes) {
    queue.sync(flags: step.onlyReads ? [] : .barrier) { work(step, notes) }
  }
}

/// Nobody waits for a step that writes.
final class AsynchronousBarrierMachine: BarrierMachine, @unchecked Sendable {
  override fileprivate func make(_ step: SmallProgram.Step, _ notes: Notes) {
    if step.onlyReads { return queue.sync { work(step, notes) } }
    queue.async(flags: .barrier) { self.work(step, notes) }
  }
}

actor ActorMachine: Machine {
  private var state = SmallProgram.State()

  func run(_ program: SmallProgram) async -> [[Int]] {
    let notes = await withTaskGroup(of: (Int, [Int]).self) { group in
      for (thread, steps) in program.threads.enumerated() {
        group.addTask { (thread, await self.notes(of: steps)) }
      }
      var all: [Int: [Int]] = [:]
      for await (thread, notes) in group { all[thread] = notes }
      return all
    }
    return program.threads.indices.map { notes[$0] ?? [] } + [state.registers]
  }

  /// What a thread notes, which asks the actor for each of its steps.
  private nonisolated func notes(of steps: [SmallProgram.Step]) async -> [Int] {
    var notes: [Int] = []
    for step in steps { notes = await make(step, noting: notes) }
    return notes
  }

  private func make(_ step: SmallProgram.Step, noting notes: [Int]) -> [Int] {
    var notes = notes
    state.make(step, noting: &notes)
    return notes
  }
}
