import Dispatch
import Foundation

extension Scenario {
  /// A bank locks the source of a transfer, then its target.
  ///
  /// **What people write.** `transfer(from: a, to: b)` takes `a.lock`, then `b.lock`. There is only
  /// one function, and it always locks in the same order: source first.
  ///
  /// **Why it breaks.** The order depends on the arguments. `transfer(from: b, to: a)` at the same
  /// time takes them the other way round.
  ///
  /// **How it shows.** The bank stops when two customers pay each other at the same moment: rare,
  /// and never in a test with one customer.
  ///
  /// **Repair.** Order by identity: the account with the smaller number is locked first, whichever
  /// way the money goes.
  static let oppositeTransfer = Scenario(
    id: "opposite-transfer", fault: .deadlocks,
    summary: "transfer(a, b) and transfer(b, a) each lock the source, then the target.",
    expectations: [
      .flawed: .init(
        .ends, observe: .finds("lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .harmful: .init(
        .hangs, observe: .finds("deadlock", allowing: "lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let (alice, bob) = (Account(number: 1, balance: 100), Account(number: 2, balance: 100))
      let (paid, requests) = (Arrivals(), DispatchGroup())
      DispatchQueue.global().async(group: requests) {
        transfer(30, from: alice, to: bob)
        paid.announce()
      }
      DispatchQueue.global().async(group: requests) {
        paid.waitAWhile()
        transfer(10, from: bob, to: alice)
      }
      requests.wait()
    },
    harmful: {
      let (alice, bob) = (Account(number: 1, balance: 100), Account(number: 2, balance: 100))
      let both = Arrivals()
      onThreads(
        { transfer(30, from: alice, to: bob) { both.meet(2, limit: .infinity) } },
        { transfer(10, from: bob, to: alice) { both.meet(2, limit: .infinity) } })
    },
    repaired: {
      let (alice, bob) = (Account(number: 1, balance: 100), Account(number: 2, balance: 100))
      let both = Arrivals()
      onThreads(
        { transferByNumber(30, from: alice, to: bob) { both.meet(2, limit: 0.1) } },
        { transferByNumber(10, from: bob, to: alice) { both.meet(2, limit: 0.1) } })
      precondition(alice.balance == 80 && bob.balance == 120)
    })
}

/// `lock` protects `balance`.
private final class Account: @unchecked Sendable {
  let lock = NSLock()
  let number: Int
  var balance: Int

  init(number: Int, balance: Int) {
    self.number = number
    self.balance = balance
  }
}

/// `meanwhile` stands for the check of the balance that takes its time.
private func transfer(
  _ amount: Int, from source: Account, to target: Account, meanwhile: () -> Void = {}
) {
  source.lock.lock()
  meanwhile()
  target.lock.lock()
  source.balance -= amount
  target.balance += amount
  target.lock.unlock()
  source.lock.unlock()
}

private func transferByNumber(
  _ amount: Int, from source: Account, to target: Account, meanwhile: () -> Void = {}
) {
  let (first, second) = source.number < target.number ? (source, target) : (target, source)
  first.lock.lock()
  meanwhile()
  second.lock.lock()
  source.balance -= amount
  target.balance += amount
  second.lock.unlock()
  first.lock.unlock()
}
