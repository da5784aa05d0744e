// swift-format-ignore-file: OnlyOneTrailingClosureArgument
// This is how descriptions are written.

import Threadmill
import ThreadmillHistories
import ThreadmillScenarios

/// What it takes to check histories, beside what it takes to explore them.
enum Cost {
  static func tell(histories: Int) throws {
    try tell("stack", histories) { plans in
      try linearizable({ CarefulPlateStack() }, in: plans, schedules: 300) {
        Operation("push", 1...3) { stack, plate in stack.push(plate) }
        Operation("pop") { stack in stack.pop() }
      }
    }
    try tell("cache", histories) { plans in
      try linearizable({ CarefulCache() }, in: plans, schedules: 300) {
        Operation("value", 1...2) { cache, key in cache.value(for: key) }
        Operation("expire", 1...2) { cache, key in cache.expire(key) }
      }
    }
    try tell("bank", histories) { plans in
      try linearizable({ CarefulBank() }, in: plans, schedules: 300) {
        Operation("withdraw", 1...2) { bank, coins in await bank.withdraw(coins) }
        Operation("balance") { bank in await bank.balance() }
      }
    }
  }

  private static func tell(
    _ name: String, _ histories: Int, _ check: ([CallPlan]) throws -> Linearizability
  ) throws {
    var random = Numbers()
    // Most of the schedules of one scenario are histories of their own.
    let result = try check((0..<(histories / 100)).map { _ in plan(&random) })
    let each = result.checking / result.histories / Duration.nanoseconds(1)
    let share = result.checking / result.exploring
    let learning = result.learning / result.exploring
    print(
      name, "histories", result.histories, "nanoseconds", Int(each), "share", share, "learning",
      learning)
  }

  /// Three threads with three calls each, of operations 0 and 1; the first one has arguments.
  private static func plan(_ random: inout Numbers) -> CallPlan {
    CallPlan(
      threads: (0..<3).map { _ in
        (0..<3).map { _ in
          let operation = Int.random(in: 0...1, using: &random)
          let argument = operation == 0 ? Int.random(in: 0...1, using: &random) : 0
          return CallPlan.Call(operation: operation, argument: argument)
        }
      })
  }

  /// The same numbers in each run: a linear congruence, of which the upper half is taken.
  private struct Numbers: RandomNumberGenerator {
    private var state: UInt64 = 24

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 32 | state << 32
    }
  }
}
