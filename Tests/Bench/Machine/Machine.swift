import ThreadmillModel
import ThreadmillScheduling

/// Runs a program one step at a time, in any order: what strategies are tested on.
///
/// A value: a copy goes another way from where it was made.
package struct Machine: Sendable {
  package enum End: Hashable, Sendable {
    case completed
    /// The program came to its end, and its cells are wrong.
    case wrongResult
    case checkFailed
    case deadlock
    /// Stopped at the limit of steps.
    case cut

    package var outcome: ScheduleOutcome {
      switch self {
      case .completed: .completed
      case .cut: .cut
      case .wrongResult, .checkFailed, .deadlock: .failed
      }
    }
  }

  private enum Phase {
    case ready
    case waiting
    /// Was notified, and is to take its mutex again.
    case returning
  }

  private struct Strand {
    var code: Int
    var next = 0
    var phase = Phase.ready
    var registers: (Int, Int, Int, Int) = (0, 0, 0, 0)

    subscript(register: Int) -> Int {
      get {
        switch register {
        case 0: registers.0
        case 1: registers.1
        case 2: registers.2
        default: registers.3
        }
      }
      set {
        switch register {
        case 0: registers.0 = newValue
        case 1: registers.1 = newValue
        case 2: registers.2 = newValue
        default: registers.3 = newValue
        }
      }
    }
  }

  private let program: Program
  /// In the order of appearance.
  private var strands: [Strand] = []
  package private(set) var cells: [Int] = []
  private var semaphores: [Int] = []
  /// Taken ones.
  private var taken: [Bool] = []
  private var hasFailed = false
  /// What can be done next, in the order of the strands.
  package private(set) var enabled: [Offer] = []

  package init(_ program: Program) {
    self.program = program
    reset()
  }

  package mutating func reset() {
    strands.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    semaphores.removeAll(keepingCapacity: true)
    cells += program.cells
    semaphores += program.semaphores
    if taken.isEmpty {
      taken = Array(repeating: false, count: program.mutexes)
    } else {
      for index in taken.indices { taken[index] = false }
    }
    hasFailed = false
    for code in 0..<program.started { start(code) }
    findEnabled()
  }

  /// What became of it, once nothing can be done any more.
  package var end: End? {
    if hasFailed, !program.outlivesFailure { return .checkFailed }
    guard enabled.isEmpty else { return nil }
    if hasFailed { return .checkFailed }
    guard strands.allSatisfy({ $0.next == program.strands[$0.code].count }) else {
      return .deadlock
    }
    return program.isRight(cells) ? .completed : .wrongResult
  }

  /// Makes the step that is offered at this index.
  package mutating func step(_ index: Int) {
    perform(Int(enabled[index].strand))
    findEnabled()
  }

  // MARK: What can be done

  private mutating func findEnabled() {
    enabled.removeAll(keepingCapacity: true)
    for number in strands.indices {
      let strand = strands[number]
      let code = program.strands[strand.code]
      guard strand.next < code.count else { continue }
      let instruction = code[strand.next]
      guard canGoOn(strand, instruction) else { continue }
      if let offer = offer(strand, instruction, UInt32(number)) { enabled.append(offer) }
    }
  }

  /// The next steps of all strands that are not over, whether they can be made or not.
  package var waiting: [Offer] {
    strands.indices.compactMap { number in
      let strand = strands[number]
      let code = program.strands[strand.code]
      return strand.next < code.count ? offer(strand, code[strand.next], UInt32(number)) : nil
    }
  }

  private func canGoOn(_ strand: Strand, _ instruction: Instruction) -> Bool {
    switch instruction {
    case .lock(let mutex): !taken[mutex]
    case .wait(let semaphore): semaphores[semaphore] > 0
    case .await(_, let mutex):
      strand.phase == .ready || strand.phase == .returning && !taken[mutex]
    case .join(let code): isDone(code)
    default: true
    }
  }

  private func offer(
    _ strand: Strand, _ instruction: Instruction, _ number: UInt32
  ) -> Offer? {
    func offer(_ kind: OperationKind, _ object: Int, writes: Bool = true) -> Offer {
      let place = program.codes.map { UInt32($0[strand.code] << 8 | strand.next + 1) } ?? 0
      return Offer(strand: number, kind, object: UInt64(object), writes: writes, place: place)
    }
    switch instruction {
    case .lock(let mutex): return offer(.lock, object(mutex: mutex))
    case .unlock(let mutex): return offer(.unlock, object(mutex: mutex))
    case .wait(let semaphore): return offer(.wait, object(semaphore: semaphore))
    case .signal(let semaphore): return offer(.signal, object(semaphore: semaphore))
    case .await(let condition, let mutex):
      return strand.phase == .ready
        ? offer(.wait, object(condition: condition)) : offer(.lock, object(mutex: mutex))
    case .notify(let condition, let all):
      return offer(all ? .broadcast : .signal, object(condition: condition))
    case .read(let cell, _): return offer(.read, 1 + value(cell, strand), writes: false)
    case .write(let cell, _): return offer(.write, 1 + value(cell, strand))
    case .compareAndSwap(let cell, _, _, _): return offer(.update, 1 + value(cell, strand))
    case .spawn: return offer(.spawn, 0)
    case .join: return offer(.join, 0)
    case .yield: return offer(.yield, 0)
    case .set, .add, .skip, .skipIf, .check: return nil
    }
  }

  private func isDone(_ code: Int) -> Bool {
    strands.contains { $0.code == code && $0.next == program.strands[code].count }
  }

  // Objects are numbered from 1, cells first.
  private func object(mutex: Int) -> Int { 1 + cells.count + mutex }
  private func object(condition: Int) -> Int { 1 + cells.count + taken.count + condition }
  private func object(semaphore: Int) -> Int {
    1 + cells.count + taken.count + program.conditions + semaphore
  }

  private func value(_ operand: Operand, _ strand: Strand) -> Int {
    switch operand {
    case .constant(let value): value
    case .register(let register): strand[register]
    }
  }

  // MARK: Doing it

  private mutating func start(_ code: Int) {
    strands.append(Strand(code: code))
    goOn(strands.count - 1)
  }

  private mutating func perform(_ number: Int) {
    let strand = strands[number]
    let instruction = program.strands[strand.code][strand.next]
    switch instruction {
    case .lock(let mutex): taken[mutex] = true
    case .unlock(let mutex): taken[mutex] = false
    case .wait(let semaphore): semaphores[semaphore] -= 1
    case .signal(let semaphore): semaphores[semaphore] += 1
    case .await(_, let mutex):
      taken[mutex] = strand.phase == .returning
      strands[number].phase = strand.phase == .ready ? .waiting : .ready
      if strand.phase == .ready { return }
    case .notify(let condition, let all): notify(condition, all: all)
    case .read(let cell, let register): strands[number][register] = cells[value(cell, strand)]
    case .write(let cell, let value): cells[self.value(cell, strand)] = self.value(value, strand)
    case .compareAndSwap(let cell, let expected, let desired, let register):
      let cell = value(cell, strand)
      let isEqual = cells[cell] == value(expected, strand)
      if isEqual { cells[cell] = value(desired, strand) }
      strands[number][register] = isEqual ? 1 : 0
    case .spawn(let code): start(code)
    case .join, .yield, .set, .add, .skip, .skipIf, .check: break
    }
    strands[number].next += 1
    goOn(number)
  }

  private mutating func notify(_ condition: Int, all: Bool) {
    for number in strands.indices where strands[number].phase == .waiting {
      let strand = strands[number]
      guard case .await(condition, _) = program.strands[strand.code][strand.next] else { continue }
      strands[number].phase = .returning
      if !all { return }
    }
  }

  /// Up to the next operation point.
  private mutating func goOn(_ number: Int) {
    let code = program.strands[strands[number].code]
    while strands[number].next < code.count, code[strands[number].next].isLocal {
      let strand = strands[number]
      var skipped = 0
      switch code[strand.next] {
      case .set(let register, let operand): strands[number][register] = value(operand, strand)
      case .add(let register, let operand): strands[number][register] += value(operand, strand)
      case .skip(let count): skipped = count
      case .skipIf(let a, let relation, let b, let count):
        if relation.holds(value(a, strand), value(b, strand)) { skipped = count }
      case .check(let a, let relation, let b):
        if !relation.holds(value(a, strand), value(b, strand)) { hasFailed = true }
      default: break
      }
      strands[number].next += 1 + skipped
    }
  }
}
