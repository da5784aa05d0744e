import Foundation
import Synchronization

/// What a test process has written down about its tests: `+IDENTIFIER`, a tab and the name in
/// findings where one begins, `-IDENTIFIER` where it ends.
package struct TestJournal: Hashable, Sendable {
  /// How often each one is open.
  private var open: [String: Int] = [:]
  private var closed: Set<String> = []
  /// What findings call them.
  private var names: [String: String] = [:]

  package init() {}

  package init(_ text: some StringProtocol) {
    for line in text.split(separator: "\n") { add(line) }
  }

  /// Those that have begun and not ended.
  package var running: Set<String> { Set(open.keys) }
  /// Those that have begun and ended, whatever the result.
  package var ended: Set<String> { closed.subtracting(open.keys) }

  /// The identifiers of tests that findings name.
  package func identifiers(of tests: some Sequence<String>) -> Set<String> {
    let wanted = Set(tests)
    return Set(names.filter { wanted.contains($0.value) }.keys)
  }

  package func name(of identifier: String) -> String { names[identifier] ?? identifier }

  private mutating func add(_ line: some StringProtocol) {
    let parts = line.dropFirst().split(separator: "\t", maxSplits: 1).map { String($0) }
    guard let identifier = parts.first else { return }
    if line.hasPrefix("+") {
      open[identifier, default: 0] += 1
      names[identifier] = parts.last
    } else if line.hasPrefix("-"), let times = open[identifier] {
      open[identifier] = times > 1 ? times - 1 : nil
      closed.insert(identifier)
    }
  }
}

/// Looks at the journal of a process that runs, for tests that take too long.
final class TestClock: Sendable {
  private let file: URL
  private let limit: Duration
  private struct State {
    var since: [String: ContinuousClock.Instant] = [:]
    var late: Set<String> = []
  }
  private let state = Mutex(State())

  init(file: URL, seconds: Int) {
    self.file = file
    limit = .seconds(seconds)
  }

  /// Those that took longer than allowed when ``isLate`` was first true.
  var late: Set<String> { state.withLock { $0.late } }

  /// Takes one look.
  func isLate() -> Bool {
    let running = TestJournal((try? String(contentsOf: file, encoding: .utf8)) ?? "").running
    let now = ContinuousClock.now
    return state.withLock { state in
      state.since = state.since.filter { running.contains($0.key) }
      for test in running where state.since[test] == nil { state.since[test] = now }
      let late = state.since.filter { now - $0.value >= limit }.map(\.key)
      if state.late.isEmpty { state.late = Set(late) }
      return !late.isEmpty
    }
  }
}
