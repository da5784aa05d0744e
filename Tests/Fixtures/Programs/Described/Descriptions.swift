// swift-format-ignore-file: OnlyOneTrailingClosureArgument
// This is how descriptions are written.

import Threadmill
import ThreadmillScenarios

/// A type of the catalogue, described: the same description for the flawed type and its twin.
struct Described: Sendable {
  typealias Check =
    @Sendable (_ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?)
    throws -> Linearizability

  let flawed: Check
  let repaired: Check

  static let all: [String: Described] = [
    "counter": .init(
      flawed: { try counter(HastyVisitCounter.self, $0, $1, $2, $3) },
      repaired: { try counter(CarefulVisitCounter.self, $0, $1, $2, $3) }),
    "stack": .init(
      flawed: { try stack(HastyPlateStack.self, $0, $1, $2, $3) },
      repaired: { try stack(CarefulPlateStack.self, $0, $1, $2, $3) }),
    "queue": .init(
      flawed: { try queue(HastyTicketLine.self, $0, $1, $2, $3) },
      repaired: { try queue(CarefulTicketLine.self, $0, $1, $2, $3) }),
    "cache": .init(
      flawed: { try cache(HastyCache.self, $0, $1, $2, $3) },
      repaired: { try cache(CarefulCache.self, $0, $1, $2, $3) }),
    "semaphore": .init(
      flawed: { try semaphore(HastyPermits.self, $0, $1, $2, $3) },
      repaired: { try semaphore(CarefulPermits.self, $0, $1, $2, $3) }),
    "once": .init(
      flawed: { try once(HastyOnce.self, $0, $1, $2, $3) },
      repaired: { try once(CarefulOnce.self, $0, $1, $2, $3) }),
    "limiter": .init(
      flawed: { try limiter(HastyLimiter.self, $0, $1, $2, $3) },
      repaired: { try limiter(CarefulLimiter.self, $0, $1, $2, $3) }),
    "bank": .init(
      flawed: { try bank(HastyBank.self, $0, $1, $2, $3) },
      repaired: { try bank(CarefulBank.self, $0, $1, $2, $3) }),
    "channel": .init(
      flawed: { try channel(HastyChannel.self, $0, $1, $2, $3) },
      repaired: { try channel(CarefulChannel.self, $0, $1, $2, $3) }),
    "observers": .init(
      flawed: { try observers(HastyObserverList.self, $0, $1, $2, $3) },
      repaired: { try observers(CarefulObserverList.self, $0, $1, $2, $3) }),
  ]
}

@Sendable private func counter<T: VisitCounter>(
  _ type: T.Type, _ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?
) throws -> Linearizability {
  try linearizable(
    { T() }, scenarios: scenarios, schedules: schedules, seed: seed, replaying: replay
  ) {
    Operation("visit") { $0.visit() }
    Operation("visits") { $0.visits }
  }
}

@Sendable private func stack<T: PlateStack>(
  _ type: T.Type, _ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?
) throws -> Linearizability {
  try linearizable(
    { T() }, scenarios: scenarios, schedules: schedules, seed: seed, replaying: replay
  ) {
    Operation("push", 1...3) { stack, plate in stack.push(plate) }
    Operation("pop") { stack in stack.pop() }
  }
}

@Sendable private func queue<T: TicketLine>(
  _ type: T.Type, _ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?
) throws -> Linearizability {
  try linearizable(
    { T() }, model: [Int](), scenarios: scenarios, schedules: schedules, seed: seed,
    replaying: replay
  ) {
    Operation("add", 1...3) {
      $0.add($1)
    } model: {
      $0.append($1)
    }
    Operation("next") {
      $0.next()
    } model: {
      $0.isEmpty ? nil : $0.removeFirst()
    }
  }
}

@Sendable private func cache<T: ExpiringCache>(
  _ type: T.Type, _ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?
) throws -> Linearizability {
  try linearizable(
    { T() }, scenarios: scenarios, schedules: schedules, seed: seed, replaying: replay
  ) {
    Operation("value", 1...2) { cache, key in cache.value(for: key) }
    Operation("expire", 1...2) { cache, key in cache.expire(key) }
  }
}

@Sendable private func semaphore<T: PermitSemaphore>(
  _ type: T.Type, _ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?
) throws -> Linearizability {
  try linearizable(
    { T() }, scenarios: scenarios, schedules: schedules, seed: seed, replaying: replay
  ) {
    Operation("give") { $0.give() }
    Operation("take") { $0.take() }
  }
}

@Sendable private func once<T: OnceOnly>(
  _ type: T.Type, _ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?
) throws -> Linearizability {
  try linearizable(
    { T() }, scenarios: scenarios, schedules: schedules, seed: seed, replaying: replay
  ) {
    Operation("result") { $0.result() }
  }
}

@Sendable private func limiter<T: RateLimiter>(
  _ type: T.Type, _ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?
) throws -> Linearizability {
  try linearizable(
    { T() }, scenarios: scenarios, schedules: schedules, seed: seed, replaying: replay
  ) {
    Operation("allows") { $0.allows() }
    Operation("reset") { $0.reset() }
  }
}

@Sendable private func bank<T: CoinBank>(
  _ type: T.Type, _ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?
) throws -> Linearizability {
  try linearizable(
    { T() }, scenarios: scenarios, schedules: schedules, seed: seed, replaying: replay
  ) {
    Operation("withdraw", 1...2) { bank, coins in await bank.withdraw(coins) }
    Operation("balance") { bank in await bank.balance() }
  }
}

@Sendable private func channel<T: LetterChannel>(
  _ type: T.Type, _ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?
) throws -> Linearizability {
  try linearizable(
    { T() }, scenarios: scenarios, schedules: schedules, seed: seed, replaying: replay
  ) {
    Operation("send", 1...2) { channel, letter in channel.send(letter) }
    Operation("receive") { channel in await channel.receive() }
  }
}

@Sendable private func observers<T: ObserverList>(
  _ type: T.Type, _ scenarios: Int, _ schedules: Int, _ seed: UInt64, _ replay: String?
) throws -> Linearizability {
  try linearizable(
    { T() }, scenarios: scenarios, schedules: schedules, seed: seed, replaying: replay
  ) {
    Operation("add", 1...2) { $0.add($1) }
    Operation("remove", 1...2) { $0.remove($1) }
    Operation("told") { $0.told() }
  }
}
