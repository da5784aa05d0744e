import Foundation

/// What the kernel says about a process or a thread; see proc(5).
package struct ProcessStatus {
  /// `R` runs or could run, `S` sleeps, `D` waits for a device, `Z` and `X` have ended.
  package let state: Character
  package let session: pid_t
  /// The processor time of the process and of its children that were waited for, in ticks.
  package let ticks: Int
  /// Its threads, of which the first may have ended before the others.
  private let threads: Int

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
    let times = fields.count > 14 ? fields[11...14].compactMap { Int($0) } : []
    ticks = times.reduce(0, +)
    threads = fields.count > 17 ? Int(fields[17]) ?? 1 : 1
  }

  /// Whether the whole process has ended. The state is that of its first thread, which may have
  /// ended by itself.
  package var isOver: Bool { "ZX".contains(state) && threads <= 1 }

  /// Returns the status of each process of a session; nothing where there is no `/proc`.
  package static func all(ofSession leader: pid_t) -> [(process: pid_t, status: ProcessStatus)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    // A question to the kernel costs far less than a look into a file of each process there is.
    return names.compactMap { pid_t($0) }.filter { getsid($0) == leader }.compactMap { process in
      guard let status = ProcessStatus(path: "/proc/\(process)"), status.session == leader else {
        return nil
      }
      return (process, status)
    }
  }
}

/// Notices that a process has come to a standstill: for a while none of its threads has run.
///
/// A thread that could go on but gets no core is runnable, not asleep: load does not look quiet. A
/// watchdog's thread that wakes up a few times a second, such as Thread Sanitizer's and
/// Threadmill's, is no motion; one that polls in earnest is.
struct QuietWatch {
  /// Between two looks.
  static let interval: TimeInterval = 0.02
  /// How often all threads together may wake up in a second and be quiet all the same: twice what
  /// both watchdogs need.
  private static let wakesAllowed = 45.0

  let process: pid_t
  /// What the first look of the row saw, and when.
  private var start: (wakes: [String: Int], time: ContinuousClock.Instant)?
  private var looks = 0

  init(process: pid_t) { self.process = process }

  /// Takes one look; true once the looks of so many seconds have found every thread asleep, and
  /// the same threads with next to nothing done since the first of them.
  mutating func isQuiet(for seconds: TimeInterval) -> Bool {
    guard let now = sleepers() else {
      start = nil
      return false
    }
    guard let start, now.keys == start.wakes.keys, isNegligible(now, since: start) else {
      start = (now, .now)
      looks = 0
      return false
    }
    looks += 1
    return Double(looks) * Self.interval >= seconds
  }

  private func isNegligible(
    _ now: [String: Int], since start: (wakes: [String: Int], time: ContinuousClock.Instant)
  ) -> Bool {
    let wakes = now.values.reduce(0, +) - start.wakes.values.reduce(0, +)
    let seconds = (ContinuousClock.now - start.time) / .seconds(1)
    return Double(wakes) <= 2 + Self.wakesAllowed * seconds
  }

  /// How often each thread has been switched to so far; `nil` if one of them runs.
  private func sleepers() -> [String: Int]? {
    let tasks = "/proc/\(process)/task"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: tasks), !names.isEmpty
    else { return nil }
    var wakes: [String: Int] = [:]
    for name in names {
      guard ProcessStatus(path: "\(tasks)/\(name)")?.state == "S",
        let text = try? String(contentsOfFile: "\(tasks)/\(name)/status", encoding: .utf8)
      else { return nil }
      wakes[name] = text.split(separator: "\n").filter { $0.contains("ctxt_switches") }
        .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
    }
    return wakes
  }
}
