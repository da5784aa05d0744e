import Dispatch
import Foundation

extension Scenario {
  /// A label updates itself with `DispatchQueue.main.sync`, and is called from the main thread.
  ///
  /// **What people write.** The title must be set on the main queue and read back at once, so the
  /// setter hops there with `main.sync`. All callers were network callbacks when it was written.
  ///
  /// **Why it breaks.** Called on the main thread, it waits for the main queue, which the caller
  /// itself is holding up.
  ///
  /// **How it shows.** A trap in libdispatch, or a frozen program where an old version of it is in
  /// use, the first time a button calls what only the network used to call.
  ///
  /// **Repair.** Do it directly when already on the main thread, and hop only from others.
  static let mainSyncFromMain = Scenario(
    id: "main-sync-from-main", fault: .deadlocks,
    summary: "DispatchQueue.main.sync on the main thread.",
    expectations: [
      .flawed: .init(.traps, observe: .finds("queueReentry")),
      .repaired: .init(.ends, observe: .silent, isExplorable: false),
    ],
    flawed: {
      let label = TitleLabel()
      label.hopAndShow("Inbox")
    },
    repaired: {
      let label = TitleLabel()
      label.show("Inbox")
      let download = Thread {
        label.show("Inbox (3)")
        DispatchQueue.main.async { label.close() }
      }
      download.start()
      while !label.isClosed { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
      precondition(label.title == "Inbox (3)")
    })
}

/// Only the main thread touches `title` and `isClosed`.
private final class TitleLabel: @unchecked Sendable {
  private(set) var title = ""
  private(set) var isClosed = false

  func hopAndShow(_ text: String) {
    DispatchQueue.main.sync { title = text }
  }

  func show(_ text: String) {
    if Thread.isMainThread {
      title = text
    } else {
      DispatchQueue.main.sync { title = text }
    }
  }

  func close() { isClosed = true }
}
