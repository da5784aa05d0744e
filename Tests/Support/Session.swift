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
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      guard let status = ProcessStatus(path: "/proc/\(process)") else { return false }
      return status.session == leader && !"ZX".contains(status.state)
    }
  }
}

/// What the kernel says about a process or a thread; see proc(5).
package struct ProcessStatus {
  /// `R` runs or could run, `S` sleeps, `D` waits for a device, `Z` and `X` have ended.
  package let state: Character
  package let session: pid_t

  /// - Parameter path: the folder of the process or thread below `/proc`; `nil` if there is none.
  package init?(path: String) {
    guard let text = try? String(contentsOfFile: path + "/stat", encoding: .utf8),
      let nameEnd = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: nameEnd)...].split(separator: " ")
    guard fields.count > 3, let state = fields[0].first, let session = pid_t(fields[3]) else {
      return nil
    }
    self.state = state
    self.session = session
  }
}

/// Notices that no thread of a process has run for a while.
///
/// A thread that could go on but gets no core is runnable, not asleep: load does not look quiet.
struct QuietWatch {
  /// Looks without a change that make it quiet; the looks come every 20 ms.
  private static let looksNeeded = 25

  let process: pid_t
  private var last: [String: String] = [:]
  private var looks = 0

  init(process: pid_t) { self.process = process }

  /// Takes one look; true once enough looks in a row have found every thread asleep and unchanged.
  mutating func isQuiet() -> Bool {
    let now = sleepers()
    looks = now != nil && now == last ? looks + 1 : 0
    last = now ?? [:]
    return looks >= Self.looksNeeded
  }

  /// Each thread's number of switches so far; `nil` if one of them runs.
  private func sleepers() -> [String: String]? {
    let tasks = "/proc/\(process)/task"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: tasks), !names.isEmpty
    else { return nil }
    var switches: [String: String] = [:]
    for name in names {
      guard ProcessStatus(path: "\(tasks)/\(name)")?.state == "S",
        let text = try? String(contentsOfFile: "\(tasks)/\(name)/status", encoding: .utf8)
      else { return nil }
      switches[name] = text.split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined()
    }
    return switches
  }
}
