import Dispatch
import Foundation

extension Scenario {
  /// The screen asks a background queue for its state by `sync`.
  ///
  /// **What people write.** Uploads live on a serial queue at background, which also owns the list
  /// of what is done. The screen reads the list with `uploads.sync { … }`.
  ///
  /// **Why it breaks.** The `sync` waits for the upload that is under way, however long that takes,
  /// and the queue gets the processor last of all.
  ///
  /// **How it shows.** The screen freezes while something uploads.
  ///
  /// **Repair.** Ask with `async`, and take the answer on the screen's own queue.
  static let queueInversion = Scenario(
    id: "queue-inversion", fault: .priority,
    summary: "The screen syncs onto a background queue that is busy.",
    expectations: [
      .flawed: .init(.delays, observe: .finds("priorityInversion")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      Uploads().askDuringUpload { uploads, shown in
        _ = uploads.queue.sync { uploads.done }
        shown.leave()
      }
    },
    repaired: {
      Uploads().askDuringUpload { uploads, shown in
        uploads.queue.async {
          let done = uploads.done
          uploads.screen.async {
            _ = done.count
            shown.leave()
          }
        }
      }
    })
}

private final class Uploads: @unchecked Sendable {
  let queue = DispatchQueue(label: "uploads", qos: .background)
  let screen = DispatchQueue(label: "screen", qos: .userInteractive)
  // Belongs to `queue`.
  var done: [String] = []

  func askDuringUpload(_ ask: @escaping @Sendable (Uploads, DispatchGroup) -> Void) {
    let (uploading, asked) = (Arrivals(), Arrivals())
    let shown = DispatchGroup()
    shown.enter()
    queue.async {
      uploading.announce()
      asked.wait()
      Thread.sleep(forTimeInterval: 0.1)
      self.done.append("holiday")
    }
    screen.async {
      uploading.wait()
      asked.announce()
      ask(self, shown)
    }
    shown.wait()
  }
}
