import Foundation

/// Says how far runs have come: one line that changes on a terminal, a few lines elsewhere.
final class Progress: Sendable {
  private struct State {
    var done = 0
    var wrong = 0
    /// The number of runs that were done when the last line was printed.
    var told = 0
  }

  /// A word for what the command does.
  private let name: String
  /// The number of runs; `nil` if it is not known.
  private let total: Int?
  /// The word for runs that went wrong.
  private let wrong: String
  private let console: Console
  private let lock = NSLock()
  // Guarded by the lock.
  private nonisolated(unsafe) var state = State()

  init(_ name: String, total: Int?, wrong: String = "not as expected", console: Console) {
    self.name = name
    self.total = total
    self.wrong = wrong
    self.console = console
  }

  func advance(past run: String, isWrong: Bool = false) {
    lock.withLock {
      state.done += 1
      if isWrong { state.wrong += 1 }
      if console.isLive {
        show("\(count)  \(run)")
      } else if isWorthALine {
        state.told = state.done
        console.complain("\(name): \(count)\n")
      }
    }
  }

  /// Shows the progress within a run, on a terminal.
  func note(_ text: String) {
    guard console.isLive else { return }
    lock.withLock { show(total == 1 ? text : "\(count)  \(text)") }
  }

  /// Leaves a terminal as it was before.
  func end() { if console.isLive { console.complain(Self.erase) } }

  /// Replaces the line; a longer one than a terminal has room for could not be erased.
  private func show(_ text: String) {
    let text = text.printable
    let shown = text.count > Self.width ? text.prefix(Self.width - 1) + "…" : text[...]
    console.complain(Self.erase + shown)
  }

  private static let erase = "\r\u{1B}[K"
  private static let width = 79

  /// After every tenth of all; where nobody knows how many those are, after every run up to ten,
  /// then every ten up to a hundred, and so on. Of a single run, the result says enough.
  private var isWorthALine: Bool {
    if total == 1 { return false }
    if let total { return state.done * 10 / total > state.told * 10 / total }
    var step = 1
    while state.done >= step * 10 { step *= 10 }
    return state.done % step == 0
  }

  private var count: String {
    let wrong = state.wrong > 0 ? ", \(state.wrong) \(wrong)" : ""
    return "\(state.done)\(total.map { " of \($0)" } ?? " done")\(wrong)"
  }
}
