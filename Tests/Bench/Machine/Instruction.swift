/// A number in an instruction: itself, or what a register of the strand holds.
package enum Operand: Sendable, ExpressibleByIntegerLiteral {
  case constant(Int)
  case register(Int)

  package init(integerLiteral value: Int) { self = .constant(value) }
}

package enum Relation: Sendable {
  case equal
  case unequal
  case less

  func holds(_ a: Int, _ b: Int) -> Bool {
    switch self {
    case .equal: a == b
    case .unequal: a != b
    case .less: a < b
    }
  }
}

/// What a strand of a program does. Mutexes, semaphores, conditions, cells and strands are numbered
/// from 0, each kind by itself.
package enum Instruction: Sendable {
  // Operation points: another strand can go before each of them.
  case lock(Int)
  case unlock(Int)
  /// Takes one from a semaphore, once it has one.
  case wait(Int)
  case signal(Int)
  /// Leaves the mutex and waits for a notification; takes the mutex again.
  case await(condition: Int, mutex: Int)
  case notify(condition: Int, all: Bool)
  case read(Operand, into: Int)
  case write(Operand, Operand)
  /// Writes if the cell holds what is expected; 1 into the register if so, else 0.
  case compareAndSwap(Operand, expected: Operand, desired: Operand, into: Int)
  case spawn(Int)
  case join(Int)
  case yield

  // What a strand does by itself, together with the operation before it.
  case set(Int, Operand)
  case add(Int, Operand)
  /// Leaves out so many instructions, or goes back.
  case skip(Int)
  case skipIf(Operand, Relation, Operand, Int)
  /// The program has failed if it does not hold.
  case check(Operand, Relation, Operand)

  var isLocal: Bool {
    switch self {
    case .set, .add, .skip, .skipIf, .check: true
    default: false
    }
  }
}

/// A program for ``Machine``.
package struct Program: Sendable {
  package let name: String
  package let strands: [[Instruction]]
  /// These many of the strands are there from the beginning; the others are spawned.
  package let started: Int
  /// What the cells hold at first.
  package let cells: [Int]
  package let mutexes: Int
  package let conditions: Int
  /// What the semaphores hold at first.
  package let semaphores: [Int]
  /// Whether the cells are right in the end.
  package let isRight: @Sendable ([Int]) -> Bool
  /// For each of the strands, the number of its code: of two with the same one, the instructions
  /// have the same places. `nil`: strategies are told no places.
  package var codes: [Int]?
  /// Whether the other strands go on after a check that did not hold.
  package var outlivesFailure = false

  package init(
    _ name: String, cells: [Int] = [], mutexes: Int = 0, conditions: Int = 0,
    semaphores: [Int] = [], started: Int? = nil, strands: [[Instruction]],
    isRight: @escaping @Sendable ([Int]) -> Bool = { _ in true }
  ) {
    self.name = name
    self.strands = strands
    self.started = started ?? strands.count
    self.cells = cells
    self.mutexes = mutexes
    self.conditions = conditions
    self.semaphores = semaphores
    self.isRight = isRight
  }
}
