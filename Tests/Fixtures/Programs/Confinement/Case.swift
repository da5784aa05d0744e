import Dispatch
import Threadmill

/// One way to come to an object that belongs somewhere.
struct Case: Sendable {
  let name: String
  /// Whether the object is used where it belongs.
  let isRight: Bool
  let run: @Sendable () -> Void

  static let all = queueCases + unseenCases + mainCases + actorCases
}

/// What belongs to somebody.
final class Ledger {
  private(set) var entries: [Int] = []
  func add(_ entry: Int) { entries.append(entry) }
}

/// Writes into the ledger, from wherever it is called.
func book(_ ledger: Confined<Ledger>) { ledger.use { $0.add(1) } }

/// Looks at the ledger, from wherever it is called.
func look(_ confinement: Confinement) { confinement.check() }

/// Runs `body` as a task and waits for it, on a thread that is not needed for it.
func runTask(_ body: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    await body()
    done.signal()
  }
  done.wait()
}
