import Foundation

/// Says how far many runs have come: one line that changes on a terminal, a few lines elsewhere.
final class Progress: Sendable {
  private struct State {
    var done = 0
    var wrong = 0
    /// Tenths that were told.
    var tenths = 0
  }

  /// What goes on, in a word.
  private let name: String
  private let total: Int
  private let console: Console
  private let lock = NSLock()
  // Guarded by the lock.
  private nonisolated(unsafe) var state = State()

  init(_ name: String, total: Int, console: Console) {
    self.name = name
    self.total = total
    self.console = console
  }

  func advance(past run: String, isWrong: Bool = false) {
    lock.withLock {
      state.done += 1
      if isWrong { state.wrong += 1 }
      if console.isLive {
        console.complain("\(Self.erase)\(count)  \(run)")
      } else if state.done * 10 / total > state.tenths {
        state.tenths = state.done * 10 / total
        console.complain("\(name): \(count)\n")
      }
    }
  }

  /// Leaves a terminal as it was before.
  func end() { if console.isLive { console.complain(Self.erase) } }

  private static let erase = "\r\u{1B}[K"

  private var count: String {
    let wrong = state.wrong > 0 ? ", \(state.wrong) not as expected" : ""
    return "\(state.done) of \(total)\(wrong)"
  }
}
