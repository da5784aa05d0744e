import Dispatch
import Foundation

extension Scenario {
  /// A download leaves its group in its completion, and once more when it fails.
  ///
  /// **What people write.** Every download enters a group and leaves it when it is over. A failing
  /// one reports its error, leaves, and then runs into the `leave` at the end as well.
  ///
  /// **Why it breaks.** A group counts. The second `leave` takes away what another download had
  /// entered, or takes the count below nothing.
  ///
  /// **How it shows.** With other downloads under way the notification comes too early. The last
  /// one to fail kills the program inside libdispatch.
  ///
  /// **Repair.** One `defer { group.leave() }` right after the work has begun.
  static let unbalancedLeave = Scenario(
    id: "unbalanced-leave", fault: .misuse,
    summary: "A failing path leaves a group twice.",
    expectations: [
      .flawed: .init(.traps, observe: .finds("unbalancedGroup")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      Downloads().load(failing: true) { downloads in
        guard downloads.fetch() else {
          downloads.group.leave()
          return downloads.group.leave()
        }
        downloads.group.leave()
      }
    },
    repaired: {
      Downloads().load(failing: true) { downloads in
        defer { downloads.group.leave() }
        guard downloads.fetch() else { return }
      }
    })
}

private final class Downloads: @unchecked Sendable {
  let group = DispatchGroup()
  // Written before the download starts, read by it.
  private var fails = false

  func load(failing: Bool, _ download: @escaping @Sendable (Downloads) -> Void) {
    fails = failing
    group.enter()
    DispatchQueue.global().async { download(self) }
    group.wait()
    // A second leave may come after the wait; the last download of a program is not waited for.
    Thread.sleep(forTimeInterval: 0.2)
  }

  func fetch() -> Bool { !fails }
}
