import Foundation

extension MachineFacts.Processors {
  package static var current: Self {
    let online = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    return Self(
      online: online, usable: status.flatMap(allowed) ?? online, quota: ControlGroup.current.quota)
  }

  /// The processors of which this process can have all of the time.
  package var free: Int { max(1, min(usable, quota.map { Int($0.rounded(.up)) } ?? usable)) }

  /// How many processors `/proc/self/status` allows: bits of a mask in hexadecimal digits.
  package static func allowed(in status: String) -> Int? {
    status.firstMatch(of: #/Cpus_allowed:\s*([0-9a-fA-F,]+)/#).map { match in
      match.output.1.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
    }
  }
}

/// The limits on processor time around a process, in both versions of the kernel's interface.
package struct ControlGroup: Sendable {
  /// What `/proc/self/cgroup` says.
  private let memberships: String
  /// Reads a file below `/sys/fs/cgroup`.
  private let read: @Sendable (String) -> String?

  package init(memberships: String, read: @escaping @Sendable (String) -> String?) {
    self.memberships = memberships
    self.read = read
  }

  static var current: ControlGroup {
    let memberships = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
    return ControlGroup(memberships: memberships ?? "") {
      try? String(contentsOfFile: "/sys/fs/cgroup/\($0)", encoding: .utf8)
    }
  }

  /// Processors' worth of time: the smallest limit of the group and those around it.
  package var quota: Double? {
    memberships.split(separator: "\n").flatMap(quotas).min()
  }

  private func quotas(of line: Substring) -> [Double] {
    let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return [] }
    if parts[1].isEmpty { return folders(up: parts[2]).compactMap(quota2) }
    let controllers = parts[1].split(separator: ",")
    guard controllers.contains("cpu") else { return [] }
    return folders(up: parts[2]).compactMap { quota1("\(parts[1])/\($0)") ?? quota1("cpu/\($0)") }
  }

  /// The group's folder, that of the group around it and so on; the outermost is empty.
  private func folders(up path: Substring) -> [String] {
    let parts = path.split(separator: "/")
    return (0...parts.count).map { parts.dropLast($0).joined(separator: "/") }
  }

  /// Version 2: a limit or `max`, and the period.
  private func quota2(_ folder: String) -> Double? {
    guard let text = read("\(folder)/cpu.max") else { return nil }
    let words = text.split { $0.isWhitespace }
    guard words.count == 2, let limit = Double(words[0]), let period = Double(words[1]), period > 0
    else { return nil }
    return limit / period
  }

  /// Version 1: -1 stands for no limit.
  private func quota1(_ folder: String) -> Double? {
    guard let limit = number("\(folder)/cpu.cfs_quota_us"), limit > 0,
      let period = number("\(folder)/cpu.cfs_period_us"), period > 0
    else { return nil }
    return limit / period
  }

  private func number(_ file: String) -> Double? {
    read(file).flatMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }
}
