import Foundation

/// A child process that leads a session, and whatever it has started in it.
struct Session: Sendable {
  let leader: pid_t
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameter leader: a child of this process that nobody else waits for.
  init(leader: pid_t) {
    self.leader = leader
    let ended = ended
    Thread.detachNewThread {
      var info = siginfo_t()
      while waitid(P_PID, id_t(leader), &info, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
      ended.signal()
    }
  }

  /// Waits up to `seconds` for the leader's end, which stays visible until `end`.
  func hasEnded(within seconds: TimeInterval) -> Bool {
    guard ended.wait(timeout: .now() + seconds) == .success else { return false }
    ended.signal()
    return true
  }

  /// Asks every process of the session to end, whatever process group it has moved to.
  func terminate() {
    for process in living() { kill(process, SIGTERM) }
  }

  /// Kills what is left of the session and returns the leader's status; at most once.
  ///
  /// Returns when none of it runs any more. Until the leader is reaped its number cannot mean
  /// another session. Nobody but a parent is told of a process's end, so the others are looked at.
  func end() -> Int32 {
    for process in living() { kill(process, SIGKILL) }
    ended.wait()
    while case let left = living(), !left.isEmpty {
      for process in left { kill(process, SIGKILL) }
      sched_yield()
    }
    var status: Int32 = 0
    while waitpid(leader, &status, 0) == -1 && errno == EINTR {}
    return status
  }

  private func living() -> [pid_t] {
    ProcessStatus.all(ofSession: leader).filter { !$0.status.isOver }.map(\.process)
  }
}
