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

final class QueuedMachine: Machine, @unchecked Sendable {
  private let queue = DispatchQueue(label: "registers")
  private var state = SmallProgram.State()

  func run(_ program: SmallProgram) async -> [[Int]] {
    let notes = program.threads.map { _ in Notes() }
    DispatchQueue.concurrentPerform(iterations: program.threads.count) { thread in
      for step in program.threads[thread] {
        queue.sync { state.make(step, noting: &notes[thread].all) }
      }
    }
    return notes.map(\.all) + [state.registers]
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
