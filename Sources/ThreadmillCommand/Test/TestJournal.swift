import Foundation
import Synchronization

/// What a test process has written down about its tests: `+IDENTIFIER`, a tab and the name in
/// findings where one begins, `-IDENTIFIER` where it ends.
package struct TestJournal: Hashable, Sendable {
  /// How often each one is open.
  private var open: [String: Int] = [:]
  private var closed: Set<String> = []
  /// The numbers of the lines in which each one first began and last ended.
  private var began: [String: Int] = [:]
  private var endedAt: [String: Int] = [:]
  private var lines = 0
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

  /// Those that had ended when the first of these began. What ended later, beside them, may have
  /// come to its end without having said how.
  package func ended(before tests: Set<String>) -> Set<String> {
    guard let first = tests.compactMap({ began[$0] }).min() else { return ended }
    return ended.filter { endedAt[$0, default: 0] < first }
  }

  /// The identifiers of tests that findings name.
  package func identifiers(of tests: some Sequence<String>) -> Set<String> {
    let wanted = Set(tests)
    return Set(names.filter { wanted.contains($0.value) }.keys)
  }

  package func name(of identifier: String) -> String { names[identifier] ?? identifier }

  private mutating func add(_ line: some StringProtocol) {
    let parts = line.dropFirst().split(separator: "\t", maxSplits: 1).map { String($0) }
    guard let identifier = parts.first else { return }
    lines += 1
    if line.hasPrefix("+") {
      began[identifier] = began[identifier] ?? lines
      open[identifier, default: 0] += 1
      names[identifier] = parts.last
    } else if line.hasPrefix("-"), let times = open[identifier] {
      open[identifier] = times > 1 ? times - 1 : nil
      closed.insert(identifier)
      endedAt[identifier] = lines
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
