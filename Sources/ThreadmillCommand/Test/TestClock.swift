import Foundation
import Synchronization
import ThreadmillChildren

/// The time that a test may take.
enum TestLimit: Hashable, Sendable {
  /// So many seconds, whatever it does.
  case seconds(Int)
  /// As long as it likes, if only something goes on: for so many seconds no test has begun or
  /// ended, and the process and those that it has started have used next to no processor time.
  case standstill(Int)

  /// Long enough for a test that waits for a time limit of its own.
  static let usual = TestLimit.standstill(120)

  var title: String {
    switch self {
    case .seconds(let seconds): "Hang: a test ran for longer than \(seconds) s"
    case .standstill(let seconds): "Hang: the tests made no progress for \(seconds) s"
    }
  }
}

/// Looks at a process that runs tests, and at its journal, for tests that take too long.
final class TestClock: Sendable {
  private let file: URL
  private let limit: TestLimit
  private let explored: Set<String>
  private let progress: TestProgress?
  private struct State {
    var journal = TestJournal()
    /// Bytes of the journal that were read, up to the end of a line.
    var read: UInt64 = 0
    var since: [String: ContinuousClock.Instant] = [:]
    /// `nil` as long as there is time.
    var late: Set<String>?
    var looked: ContinuousClock.Instant?
    /// When something was last seen to go on, and the ticks that had been used by then, or soon
    /// after.
    var motion: (time: ContinuousClock.Instant, ticks: Int?)?
  }
  private let state = Mutex(State())

  /// Between two looks.
  private static let interval = Duration.milliseconds(200)
  /// After so long without news, the processor time is looked at.
  private static let silence = Duration.seconds(1)
  /// So much of a processor a process that stands still may use, for its timers.
  private static let negligible = 0.01

  /// - Parameter explored: tests that count as running until they have begun as usual, because the
  ///   process explores them before that.
  init(
    file: URL, limit: TestLimit, explored: [String] = [], telling progress: TestProgress? = nil
  ) {
    self.file = file
    self.limit = limit
    self.explored = Set(explored)
    self.progress = progress
  }

  /// The tests that took longer than allowed when ``isLate(_:)`` was first true: none if the
  /// process stood still between tests; `nil` if it never was.
  var late: Set<String>? { state.withLock { $0.late } }

  /// Takes a look, unless the last one was just now.
  func isLate(_ process: pid_t) -> Bool {
    let now = ContinuousClock.now
    return state.withLock { state in
      if let looked = state.looked, now - looked < Self.interval { return false }
      state.looked = now
      let hasNews = read(&state)
      if hasNews { progress?.show(state.journal, of: self) }
      let late: Set<String>?
      switch limit {
      case .seconds(let seconds):
        let running = running(state)
        state.since = state.since.filter { running.contains($0.key) }
        for test in running where state.since[test] == nil { state.since[test] = now }
        let tests = Set(state.since.filter { now - $0.value >= .seconds(seconds) }.keys)
        late = tests.isEmpty ? nil : tests
      case .standstill(let seconds):
        let stands = Self.stands(process, for: seconds, &state.motion, hasNews, now)
        late = stands ? running(state) : nil
      }
      state.late = state.late ?? late
      return late != nil
    }
  }

  private func running(_ state: State) -> Set<String> {
    state.journal.running.union(explored.filter { !state.journal.hasBegun($0) })
  }

  /// Reads the lines that are new; whether there are any.
  private func read(_ state: inout State) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    guard (try? handle.seek(toOffset: state.read)) != nil,
      let new = try? handle.readToEnd(), let end = new.lastIndex(of: UInt8(ascii: "\n"))
    else { return false }
    let lines = new[...end]
    state.read += UInt64(lines.count)
    for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
      state.journal.add(line)
    }
    return true
  }

  private static func stands(
    _ process: pid_t, for seconds: Int,
    _ motion: inout (time: ContinuousClock.Instant, ticks: Int?)?, _ hasNews: Bool,
    _ now: ContinuousClock.Instant
  ) -> Bool {
    guard !hasNews, let last = motion else {
      motion = (now, nil)
      return false
    }
    // A look at all processes is not cheap.
    guard let before = last.ticks else {
      if now - last.time >= Self.silence { motion = (now, Self.ticks(of: process)) }
      return false
    }
    if now - last.time < .seconds(seconds) { return false }
    let ticks = Self.ticks(of: process)
    let used = Double(ticks - before) / Double(sysconf(Int32(_SC_CLK_TCK)))
    if used >= 0, used < negligible * ((now - last.time) / .seconds(1)) { return true }
    motion = (now, ticks)
    return false
  }

  private static func ticks(of process: pid_t) -> Int {
    ProcessStatus.all(ofSession: process).map(\.status.ticks).reduce(0, +)
  }
}
