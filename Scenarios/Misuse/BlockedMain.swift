import Dispatch
import Foundation

extension Scenario {
  /// A photo is scaled in the block that shows it, and the taps on the screen have to wait.
  ///
  /// **What people write.** The download calls back on the main queue, where the picture is shown;
  /// making it smaller is one more line there.
  ///
  /// **Why it breaks.** The main queue does one thing at a time. While the photo is scaled, nothing
  /// else that belongs there is done.
  ///
  /// **How it shows.** The screen freezes for as long as it takes, longer on old devices and with
  /// large photos; nobody sees it in a test.
  ///
  /// **Repair.** Scale on a queue of its own, and come to the main queue with the result.
  static let blockedMain = Scenario(
    id: "blocked-main", fault: .misuse,
    summary: "Long work in a block on the main queue, while others wait there.",
    expectations: [
      .flawed: .init(.delays, observe: .finds("blockedMainQueue")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      servingTheMainQueue { done in
        let screen = Screen(closed: done)
        DispatchQueue.main.async {
          screen.scale()
          screen.show()
        }
        screen.tap()
      }
    },
    repaired: {
      servingTheMainQueue { done in
        let screen = Screen(closed: done)
        DispatchQueue.global().async {
          screen.scale()
          DispatchQueue.main.async { screen.show() }
        }
        screen.tap()
      }
    })
}

/// Only the main queue touches it.
private final class Screen: @unchecked Sendable {
  private var isShown = false
  private var taps = 0
  private let closed: @Sendable () -> Void

  init(closed: @escaping @Sendable () -> Void) { self.closed = closed }

  /// The work of a large photo.
  func scale() { Thread.sleep(forTimeInterval: 0.6) }

  func show() {
    isShown = true
    endWhenDone()
  }

  func tap() {
    DispatchQueue.main.async {
      self.taps += 1
      self.endWhenDone()
    }
  }

  private func endWhenDone() { if isShown && taps > 0 { closed() } }
}
