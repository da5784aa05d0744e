import ThreadmillModel
import ThreadmillOrders

/// Everything about lock cycles that is meant to be read.
extension LockOrderGraph {
  /// A chain of dependencies, in the order of its cycle, as a finding.
  func potentialDeadlock(_ chain: [Dependency]) -> Finding {
    let names = (chain + chain.prefix(1)).map { name($0.edge.from) }
    return finding(
      chain, severity: .error, title: "Lock order cycle: " + names.joined(separator: " → "))
  }

  /// A cycle that one strand made alone, as a note.
  func oneThreadCycle(_ chain: [Dependency]) -> Finding {
    let names = (chain + chain.prefix(1)).map { name($0.edge.from) }
    var note = finding(
      chain, severity: .note,
      title: "Lock order cycle in one thread: " + names.joined(separator: " → "))
    note.isSingleThreaded = true
    note.facts = [
      .init("one thread alone took these orders; two threads that do so can deadlock")
    ]
    return note
  }

  /// Two acquisitions of one piece of code as a finding about the class of their locks.
  func unorderedClass(_ chain: [Dependency]) -> Finding {
    let names = chain.map { name($0.edge.from) }.joined(separator: " and ")
    return finding(
      chain, severity: .warning,
      title: "Two locks of one class are nested without a fixed order: \(names)")
  }

  /// Why a candidate was dropped.
  func reason(_ reason: DropReason) -> String {
    switch reason {
    case .gate(let lock): "common gate lock: \(name(lock))"
    case .oneThread: "one thread only"
    case .mainThread: "the main thread only"
    case .ordered(let first, let second):
      "ordered by fork, join, wait or queue: \(first) always comes before \(second)"
    case .notALock(let lock): "\(name(lock)) is not used as a lock"
    }
  }

  private func finding(
    _ chain: [Dependency], severity: Finding.Severity, title: String
  ) -> Finding {
    Finding(
      kind: .lockOrderCycle, status: .potential, severity: severity, title: title,
      participants: chain.map { participant($0, known) },
      objects: chain.compactMap { object($0.edge.from) },
      tests: Set(chain.flatMap(\.acquisition.tests)).inOrder())
  }

  func participant(
    _ dependency: Dependency, _ known: (LockID) -> SharedObject
  ) -> Finding.Participant {
    let acquisition = dependency.acquisition
    let holds = known(dependency.edge.from).holding(dependency.heldMode)
    let takes = known(dependency.edge.to).taking(acquisition.wantedMode)
    return Finding.Participant(
      thread: acquisition.thread, threadName: acquisition.threadName, role: "\(holds) and \(takes)",
      frames: acquisition.stack.backtrace,
      holds: acquisition.held.map {
        Finding.HeldObject(object: $0.lock, mode: $0.mode, frames: $0.site.backtrace)
      },
      wants: dependency.edge.to, submitted: acquisition.submitted.backtrace,
      runs: acquisition.runs)
  }

  private func name(_ lock: LockID) -> String {
    object(lock)?.displayName ?? "lock \(lock)"
  }

  private func known(_ lock: LockID) -> SharedObject {
    object(lock) ?? SharedObject(id: lock, kind: .mutex)
  }
}
