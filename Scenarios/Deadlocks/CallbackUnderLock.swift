import Foundation

extension Scenario {
  /// A value tells its observers about a change while it holds its lock; an observer changes
  /// another value.
  ///
  /// **What people write.** `set` locks, stores, calls every observer, unlocks: so that observers
  /// see changes in order. The total follows the price. Later somebody lets the price follow the
  /// total as well, in another file.
  ///
  /// **Why it breaks.** Whoever changes the price holds its lock and wants that of the total.
  /// Whoever changes the total holds that one and wants the price's. Nobody wrote two nested locks:
  /// the nesting comes from calling out.
  ///
  /// **How it shows.** Reactive libraries had this one for years: a hang with twenty frames of
  /// closures between two `set`s.
  ///
  /// **Repair.** Collect the observers under the lock, leave it, and call them after that.
  static let callbackUnderLock = Scenario(
    id: "callback-under-lock", fault: .deadlocks,
    summary: "Observers are called under a lock and come back to a lock of the same kind.",
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
      let (price, total) = makeLinkedValues()
      let changed = Arrivals()
      onThreads(
        {
          price.setUnderLock(3)
          changed.announce()
        },
        {
          changed.waitAWhile()
          total.setUnderLock(9)
        })
    },
    harmful: {
      let (price, total) = makeLinkedValues()
      let both = Arrivals()
      onThreads(
        { price.setUnderLock(3) { both.meet(2, limit: .infinity) } },
        { total.setUnderLock(9) { both.meet(2, limit: .infinity) } })
    },
    repaired: {
      let (price, total) = makeLinkedValues()
      let both = Arrivals()
      onThreads(
        { price.set(3) { both.meet(2, limit: 0.1) } },
        { total.set(9) { both.meet(2, limit: 0.1) } })
    })
}

/// The total shows the price's changes, and the price the total's; `show` does not call observers,
/// so this ends.
private func makeLinkedValues() -> (price: Observed, total: Observed) {
  let (price, total) = (Observed(), Observed())
  price.observe { [weak total] in total?.show($0) }
  total.observe { [weak price] in price?.show($0) }
  return (price, total)
}

/// `lock` protects `value` and `observers`.
private final class Observed: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0
  private var observers: [@Sendable (Int) -> Void] = []

  func observe(_ observer: @escaping @Sendable (Int) -> Void) {
    lock.withLock { observers.append(observer) }
  }

  func show(_ newValue: Int) { lock.withLock { value = newValue } }

  /// `meanwhile` stands for the observers that are called before the one at fault.
  func setUnderLock(_ newValue: Int, meanwhile: () -> Void = {}) {
    lock.lock()
    value = newValue
    meanwhile()
    for observer in observers { observer(newValue) }
    lock.unlock()
  }

  func set(_ newValue: Int, meanwhile: () -> Void = {}) {
    lock.lock()
    value = newValue
    let observers = observers
    lock.unlock()
    meanwhile()
    for observer in observers { observer(newValue) }
  }
}
