import Synchronization

/// Says how many tests of a run have ended, and which one runs, as the journals of its processes
/// have it.
final class TestProgress: Sendable {
  private let progress: Progress
  /// The number of tests of one run.
  private let total: Int
  /// Tests that have ended, by the process.
  private let ended = Mutex<[ObjectIdentifier: Int]>([:])

  init(_ progress: Progress, total: Int) {
    (self.progress, self.total) = (progress, total)
  }

  /// A run begins.
  func begin() { ended.withLock { $0 = [:] } }

  /// - Parameter clock: that of the process whose journal it is.
  func show(_ journal: TestJournal, of clock: TestClock) {
    let done = ended.withLock { ended in
      ended[ObjectIdentifier(clock)] = journal.ended.count
      return min(total, ended.values.reduce(0, +))
    }
    let running = journal.running.map(journal.name).min().map { "  \($0)" } ?? ""
    progress.note("\(done) of \(total) \(total == 1 ? "test" : "tests")\(running)")
  }
}
