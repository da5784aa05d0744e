/// A program of a few steps on shared registers, each step indivisible.
struct SmallProgram: Sendable {
  enum Step: Sendable {
    case read(Int)
    case write(Int, Int)
    /// Adds to a register, and notes what it was before.
    case add(Int, Int)
    /// Notes the second register if the first one is not 0, and -1 else.
    case readIf(Int, Int)
    /// Writes the number of steps that this thread has noted so far.
    case writeCount(Int)

    /// Whether it leaves the registers as they are.
    var onlyReads: Bool {
      switch self {
      case .read, .readIf: true
      case .write, .add, .writeCount: false
      }
    }
  }

  let name: String
  let threads: [[Step]]
  static let registers = 2

  /// The registers, and what one thread has noted.
  struct State: Hashable {
    var registers = Array(repeating: 0, count: SmallProgram.registers)

    mutating func make(_ step: Step, noting notes: inout [Int]) {
      switch step {
      case .read(let register): notes.append(registers[register])
      case .write(let register, let value): registers[register] = value
      case .add(let register, let value):
        notes.append(registers[register])
        registers[register] += value
      case .readIf(let flag, let register):
        notes.append(registers[flag] == 0 ? -1 : registers[register])
      case .writeCount(let register): registers[register] = notes.count
      }
    }
  }

  /// Every outcome: a naive walk through all orders of the steps.
  var everyOutcome: Set<[[Int]]> {
    var found: Set<[[Int]]> = []
    func go(_ state: State, _ notes: [[Int]], _ made: [Int]) {
      var isOver = true
      for thread in threads.indices where made[thread] < threads[thread].count {
        isOver = false
        var (state, notes, made) = (state, notes, made)
        state.make(threads[thread][made[thread]], noting: &notes[thread])
        made[thread] += 1
        go(state, notes, made)
      }
      if isOver { found.insert(notes + [state.registers]) }
    }
    let none = threads.map { _ in 0 }
    go(State(), threads.map { _ in [] }, none)
    return found
  }

  static let all: [SmallProgram] = [
    .init(name: "one-write", threads: [[.write(0, 1)], [.read(0)]]),
    .init(name: "two-writes", threads: [[.write(0, 1), .write(0, 2)], [.read(0)]]),
    .init(name: "message", threads: [[.write(1, 7), .write(0, 1)], [.readIf(0, 1)]]),
    .init(name: "message-reversed", threads: [[.write(0, 1), .write(1, 7)], [.readIf(0, 1)]]),
    .init(name: "store-buffer", threads: [[.write(0, 1), .read(1)], [.write(1, 1), .read(0)]]),
    .init(name: "load-buffer", threads: [[.read(0), .write(1, 1)], [.read(1), .write(0, 1)]]),
    .init(name: "coherence", threads: [[.write(0, 1), .write(0, 2)], [.read(0), .read(0)]]),
    .init(
      name: "writers", threads: [[.write(0, 1), .write(1, 1)], [.write(1, 2), .write(0, 2)]]),
    .init(name: "adders", threads: [[.add(0, 1)], [.add(0, 1)]]),
    .init(name: "adders-twice", threads: [[.add(0, 1), .add(0, 1)], [.add(0, 10), .add(0, 10)]]),
    .init(name: "three-adders", threads: [[.add(0, 1)], [.add(0, 10)], [.add(0, 100)]]),
    .init(
      name: "two-registers", threads: [[.add(0, 1), .add(1, 1)], [.add(1, 10), .add(0, 10)]]),
    .init(name: "observer", threads: [[.add(0, 1)], [.add(0, 1)], [.read(0)]]),
    .init(name: "count", threads: [[.read(0), .writeCount(0)], [.read(0), .writeCount(0)]]),
    .init(name: "late-count", threads: [[.writeCount(0), .read(0)], [.add(0, 5)]]),
    .init(name: "ring", threads: [[.write(0, 1), .read(1)], [.readIf(0, 0), .write(1, 1)]]),
    .init(
      name: "independent-reads",
      threads: [[.write(0, 1)], [.write(1, 1)], [.read(0), .read(1)]]),
    .init(
      name: "write-read-causality",
      threads: [[.write(0, 1)], [.read(0), .write(1, 1)], [.readIf(1, 0)]]),
    .init(name: "long", threads: [[.add(0, 1), .read(1), .add(0, 1)], [.write(1, 3), .read(0)]]),
    .init(name: "four", threads: [[.add(0, 1)], [.read(0)], [.write(0, 5)], [.read(0)]]),
  ]
}
