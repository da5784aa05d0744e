import Synchronization

extension Scenario {
  /// A thread writes a message and then sets an atomic flag; another waits for the flag and reads.
  ///
  /// **What people write.** The flag was a race, so it became an `Atomic<Bool>`. It is only a flag,
  /// so `.relaxed` seems to be enough: it is written once and read until it is true.
  ///
  /// **Why it breaks.** A relaxed store orders nothing but itself. The processor may make the flag
  /// visible before the message, and the compiler may move the message behind the flag.
  ///
  /// **How it shows.** Never on an Intel machine, which keeps the order of stores. On ARM, now and
  /// then, an empty message.
  ///
  /// **Repair.** Store the flag with `.releasing`, and load it with `.acquiring`: whoever sees the
  /// flag then sees what was written before it.
  static let relaxedFlag = Scenario(
    id: "relaxed-flag", fault: .memory,
    summary: "A message is announced by an atomic flag that is stored relaxed.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed, tsan: .finds("dataRace"), explore: .finds("dataRace"),
        options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let inbox = Inbox()
      onThreads({ inbox.postRelaxed(42) }, { demand(inbox.wait(), equals: 42) })
    },
    repaired: {
      let inbox = Inbox()
      onThreads({ inbox.post(42) }, { demand(inbox.wait(), equals: 42) })
    })
}

private final class Inbox: @unchecked Sendable {
  // Written before `isFull` becomes true, and read after that.
  private var message = 0
  private let isFull = Atomic(false)

  func postRelaxed(_ message: Int) {
    self.message = message
    isFull.store(true, ordering: .relaxed)
  }

  func post(_ message: Int) {
    self.message = message
    isFull.store(true, ordering: .releasing)
  }

  func wait() -> Int {
    while !isFull.load(ordering: .acquiring) {}
    return message
  }
}
