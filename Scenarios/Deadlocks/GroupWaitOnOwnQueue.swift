import Dispatch

extension Scenario {
  /// A kitchen has one queue, and the cook who runs on it waits for the dishes.
  ///
  /// **What people write.** All that touches the stove runs on one serial queue. Serving a menu is
  /// one of these things: it puts every dish on the queue, in a group, and waits for the group.
  ///
  /// **Why it breaks.** The dishes wait for the queue, which is taken up by the one that waits for
  /// the dishes.
  ///
  /// **How it shows.** It never served a single dish; with a concurrent queue, or called from
  /// elsewhere, the same code works.
  ///
  /// **Repair.** `notify` in the place of `wait`: the queue is free until the dishes are done.
  static let groupWaitOnOwnQueue = Scenario(
    id: "group-wait-on-own-queue", fault: .deadlocks,
    summary: "A group is waited for on the serial queue that has to run its work.",
    expectations: [
      .flawed: .init(.hangs, observe: .finds("deadlock"), explore: .finds("deadlock")),
      .repaired: .init(.ends, observe: .silent, options: "hang=1"),
    ],
    flawed: {
      let kitchen = Kitchen()
      let served = DispatchSemaphore(value: 0)
      kitchen.order {
        kitchen.serve()
        served.signal()
      }
      served.wait()
    },
    repaired: {
      let kitchen = Kitchen()
      let served = DispatchSemaphore(value: 0)
      kitchen.order { kitchen.serve { served.signal() } }
      served.wait()
    })
}

private final class Kitchen: Sendable {
  private let stove = DispatchQueue(label: "stove")

  func order(_ meal: @escaping @Sendable () -> Void) { stove.async(execute: meal) }

  func serve() { cook().wait() }

  func serve(whenDone: @escaping @Sendable () -> Void) {
    cook().notify(queue: stove, execute: whenDone)
  }

  private func cook() -> DispatchGroup {
    let dishes = DispatchGroup()
    for dish in ["soup", "fish"] { stove.async(group: dishes) { _ = dish.count } }
    return dishes
  }
}
