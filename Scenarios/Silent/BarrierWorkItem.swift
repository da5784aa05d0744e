import Dispatch

extension Scenario {
  /// A register is read with `sync` and written by grouped work items with the barrier flag.
  ///
  /// **What people write.** The reader-writer idiom on a concurrent queue; the writes belong to a
  /// group, so that the caller can wait for them.
  ///
  /// **Why it looks dangerous.** A dictionary is written and read on a concurrent queue. Under
  /// Thread Sanitizer the flag gets lost on the way to libdispatch, and then it is indeed a race.
  ///
  /// **Why it is correct.** A barrier block runs alone on its queue.
  static let barrierWorkItem = Scenario(
    id: "barrier-work-item",
    summary: "async(group:flags: .barrier) is the writer of a concurrent queue.",
    correct: {
      let register = Register()
      let writes = DispatchGroup()
      for number in 0..<200 {
        register.enter("guest \(number)", in: writes)
        _ = register.count
      }
      writes.wait()
      precondition(register.count == 200)
    })
}

/// `queue` protects `guests`: barriers write, everything else reads.
private final class Register: @unchecked Sendable {
  private let queue = DispatchQueue(label: "register", attributes: .concurrent)
  private var guests: [String] = []

  var count: Int { queue.sync { guests.count } }

  func enter(_ guest: String, in group: DispatchGroup) {
    queue.async(group: group, flags: .barrier) { self.guests.append(guest) }
  }
}
