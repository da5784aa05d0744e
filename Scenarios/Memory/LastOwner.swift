import Synchronization

extension Scenario {
  /// Two owners fill in a form; the one who lets go of it last reads it.
  ///
  /// **What people write.** A count of owners, from which each takes one off. Whoever comes to zero
  /// is the last. Counting needs no order, so it is relaxed.
  ///
  /// **Why it breaks.** The last owner has to see what the others did before they let go. A relaxed
  /// decrement tells it only that they have.
  ///
  /// **How it shows.** On ARM, a field that is empty although its owner has filled it in, or memory
  /// that is freed while somebody still writes.
  ///
  /// **Repair.** Take one off with `.acquiringAndReleasing`.
  static let lastOwner = Scenario(
    id: "last-owner", fault: .memory,
    summary: "A count of owners is decremented relaxed, and the last owner reads what all wrote.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed, explore: .finds("assertionFailure"), options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let form = Form()
      onThreads({ form.fillInRelaxed(0) }, { form.fillInRelaxed(1) })
    },
    repaired: {
      let form = Form()
      onThreads({ form.fillIn(0) }, { form.fillIn(1) })
    })
}

private final class Form: Sendable {
  private final class Field: Sendable { let value = Atomic(0) }

  private let fields = [Field(), Field()]
  private let owners = Atomic(2)

  func fillInRelaxed(_ index: Int) {
    fields[index].value.store(1, ordering: .relaxed)
    if owners.subtract(1, ordering: .relaxed).newValue == 0 { read() }
  }

  func fillIn(_ index: Int) {
    fields[index].value.store(1, ordering: .relaxed)
    if owners.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { read() }
  }

  private func read() {
    demand(fields.map { $0.value.load(ordering: .relaxed) }, equals: [1, 1])
  }
}
