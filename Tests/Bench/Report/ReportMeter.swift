import Foundation
import ThreadmillFormats
import ThreadmillModel
import ThreadmillReporting

/// Times each step from the shards' files to a file in every format, by the calls that
/// `threadmill report` makes. Seconds are those of the processor, which other programs do not use.
enum ReportMeter {
  static let mostSeconds = 10.0
  static let mostMegabytes = 500.0

  /// Prints a table; `false` if a limit is passed.
  static func run(on folder: String) throws -> Bool {
    let start = processorSeconds
    print("\(Campaign.findings) findings, \(Campaign.distinct) of them distinct")
    let report = try step("read and merge") { (try merged(from: folder), nil) }
    guard report.findings.count == Campaign.distinct else { throw CocoaError(.coderInvalidValue) }
    let lines = (1...100).map { "  ledger.lock()  // line \($0)" }
    let context = ReportContext(folder: Campaign.folder, command: "threadmill test") { _ in lines }
    for format in ReportFormat.allCases {
      try step("write \(format.rawValue)") {
        let bytes = format.bytes(of: report, context)
        try ReportFile.replace("\(folder)/report.\(format.rawValue)", with: bytes)
        return ((), bytes.count)
      }
    }
    let seconds = processorSeconds - start
    let isWithin = seconds < mostSeconds && peak < mostMegabytes
    print(row("everything", seconds, nil))
    print(
      "peak \(Int(peak)) MB; limits: \(Int(mostSeconds)) s, \(Int(mostMegabytes)) MB:",
      isWithin ? "kept" : "NOT kept")
    return isWithin
  }

  private static func merged(from folder: String) throws -> Report {
    var union = ReportUnion()
    let stacks = KnownStacks()
    for shard in 0..<Campaign.shards {
      let bytes = try ReportFile.bytes(of: Campaign.path(of: shard, in: folder))
      union.add(try StoredReport(parsing: bytes ?? [], knowing: stacks))
    }
    return union.report
  }

  @discardableResult private static func step<Value>(
    _ name: String, _ work: () throws -> (Value, bytes: Int?)
  ) rethrows -> Value {
    let start = processorSeconds
    let (value, bytes) = try work()
    print(row(name, processorSeconds - start, bytes))
    return value
  }

  private static func row(_ name: String, _ seconds: Double, _ bytes: Int?) -> String {
    let size = bytes.map { String(format: "  %7.1f MB", Double($0) / 1e6) } ?? ""
    let padded = name.padding(toLength: 16, withPad: " ", startingAt: 0)
    return "  \(padded)" + String(format: "%6.2f s", seconds) + size
  }

  private static var processorSeconds: Double {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// The most memory that this process ever had, in megabytes; 0 where the system does not say.
  private static var peak: Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(separator: " ").compactMap { Double($0) }.first
    return (kibibytes ?? 0) * 1024 / 1e6
  }
}
