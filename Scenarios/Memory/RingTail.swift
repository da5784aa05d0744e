import Synchronization

extension Scenario {
  /// A ring between one sender and one receiver.
  ///
  /// **What people write.** The sender fills a slot and moves the tail on; the receiver reads up to
  /// the tail. Slots and tail are atomic, and only one thread writes each, so all of it is relaxed.
  ///
  /// **Why it breaks.** The tail may move on before its slot is filled.
  ///
  /// **How it shows.** On ARM, under load, a value that nobody has sent. Nothing races, so no race
  /// detector sees it.
  ///
  /// **Repair.** Move the tail on with `.releasing`, and look at it with `.acquiring`.
  static let ringTail = Scenario(
    id: "ring-tail", fault: .memory,
    summary: "The tail of a ring buffer moves on by a relaxed store.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed, explore: .finds("assertionFailure"), options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let ring = Ring()
      onThreads(
        { for value in 1...2 { ring.sendRelaxed(value) } },
        {
          for value in ring.receive().enumerated() {
            demand(value.element, equals: value.offset + 1)
          }
        })
    },
    repaired: {
      let ring = Ring()
      onThreads(
        { for value in 1...2 { ring.send(value) } },
        {
          for value in ring.receive().enumerated() {
            demand(value.element, equals: value.offset + 1)
          }
        })
    })
}

private final class Ring: Sendable {
  private final class Slot: Sendable { let value = Atomic(0) }

  private let slots = [Slot(), Slot()]
  private let tail = Atomic(0)

  /// Called by the sender.
  func sendRelaxed(_ value: Int) {
    let end = tail.load(ordering: .relaxed)
    slots[end].value.store(value, ordering: .relaxed)
    tail.store(end + 1, ordering: .relaxed)
  }

  /// Called by the sender.
  func send(_ value: Int) {
    let end = tail.load(ordering: .relaxed)
    slots[end].value.store(value, ordering: .relaxed)
    tail.store(end + 1, ordering: .releasing)
  }

  /// All that is there. Called by the receiver.
  func receive() -> [Int] {
    slots.prefix(tail.load(ordering: .acquiring)).map { $0.value.load(ordering: .relaxed) }
  }
}
