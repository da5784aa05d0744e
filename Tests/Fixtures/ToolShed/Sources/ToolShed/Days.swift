import Synchronization

/// Counts the days on which carpenters came, each kind of work for itself.
public final class Days: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  public init() {}

  /// Begins a day of this work, says so, and returns its number, from 1.
  public func begin(_ work: String = #function) -> Int {
    let name = String(work.prefix { $0 != "(" })
    let day = counts.withLock { counts in
      counts[name, default: 0] += 1
      return counts[name, default: 0]
    }
    print("\(name): day \(day)")
    return day
  }
}
