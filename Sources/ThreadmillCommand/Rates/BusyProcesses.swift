import Foundation
import ThreadmillChildren

/// Processes that use as much of a core as they get, beside something that is measured.
struct BusyProcesses {
  /// Counts, and looks from time to time whether who started it is still there, so that not even
  /// one that is killed leaves it behind.
  private static let script = """
    while kill -0 "$1" 2>&-; do
      i=0
      while [ $i -lt 100000 ]; do i=$((i + 1)); done
    done
    """

  /// Seconds after which one ends in any case: more than any part of a measurement takes.
  private static let limit: TimeInterval = 3_600

  let count: Int

  /// Starts them, and returns or throws what `body` does after the last of them has ended.
  func run<Value: Sendable>(
    beside body: @Sendable () async throws -> Value
  ) async throws -> Value {
    let child = ChildProcess(
      executable: "/bin/sh",
      arguments: ["-c", Self.script, "busy", String(ProcessInfo.processInfo.processIdentifier)],
      limit: Self.limit)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count { group.addTask { _ = try await child.run() } }
      let value = try await body()
      group.cancelAll()
      try await group.waitForAll()
      return value
    }
  }
}
