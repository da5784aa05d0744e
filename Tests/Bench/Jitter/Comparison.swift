import Foundation
import ThreadmillChildren
import ThreadmillModel

/// Runs each program in each way, as often as is asked for, and prints how often it went wrong.
struct Comparison: Sendable {
  enum Name: String, CaseIterable {
    case bare, naive, jitter
  }

  /// How a program runs.
  struct Way: Sendable {
    let executable: String
    /// Of the run with this seed.
    let environment: @Sendable (UInt64) -> [String: String]
  }

  /// How often one program went wrong.
  private struct Row {
    let program: String
    var hits: [Name: Int] = [:]

    func interval(_ name: Name, of runs: Int) -> WilsonInterval {
      WilsonInterval(successes: hits[name] ?? 0, of: runs)
    }
  }

  /// The run did not do what it was asked for.
  struct Fault: Error { let description: String }

  let ways: [Name: Way]
  let runs: Int
  /// Of the first run; the others have those that follow.
  let seed: UInt64
  /// Part of the names of the wanted programs; `nil` for all.
  let only: String?

  /// - Returns: whether jitter brings out the mistake of each program as often as the naive one, as
  ///   far as so many runs can tell, and those of all together at least as often.
  func print() async throws -> Bool {
    let slots = Slots(2 * ProcessInfo.processInfo.activeProcessorCount)
    say(line("\(runs) runs", Name.allCases.map(\.rawValue)))
    var rows: [Row] = []
    for program in try await programs() {
      let row = try await measure(program, in: slots)
      rows.append(row)
      say(line(program, Name.allCases.map { "\(row.hits[$0] ?? 0)" }))
    }
    func sum(_ name: Name) -> Int { rows.reduce(0) { $0 + ($1.hits[name] ?? 0) } }
    say(line("all", Name.allCases.map { "\(sum($0))" }))
    say(line("programs", Name.allCases.map { name in "\(rows.count { $0.hits[name] != nil })" }))
    let worse = rows.filter {
      $0.interval(.jitter, of: runs).high < $0.interval(.naive, of: runs).low
    }
    let better = rows.filter {
      $0.interval(.jitter, of: runs).low > $0.interval(.naive, of: runs).high
    }
    say("jitter is better beyond the 95 % intervals: \(list(better))")
    say("jitter is worse beyond the 95 % intervals: \(list(worse))")
    return worse.isEmpty && sum(.jitter) >= sum(.naive)
  }

  private func programs() async throws -> [String] {
    guard let bare = ways[.bare] else { return [] }
    let result = try await ChildProcess(
      executable: bare.executable, arguments: ["list"], environment: [:], limit: 60
    ).run()
    return result.standardOutput.split(separator: "\n").map(String.init).filter { name in
      only.map(name.contains) ?? true
    }
  }

  /// The ways take turns, so that what else happens on the machine meets all of them alike.
  private func measure(_ program: String, in slots: Slots) async throws -> Row {
    let wanted = (seed..<seed + UInt64(runs)).flatMap { seed in
      ways.map { (name: $0, way: $1, seed: seed) }
    }
    return try await withThrowingTaskGroup(of: Name?.self) { group in
      for (name, way, seed) in wanted {
        let run = { @Sendable in try await goesWrong(program, way, seed) }
        group.addTask { try await slots.occupy(run) ? name : nil }
      }
      return try await group.reduce(into: Row(program: program)) { row, name in
        if let name { row.hits[name, default: 0] += 1 }
      }
    }
  }

  private func goesWrong(_ program: String, _ way: Way, _ seed: UInt64) async throws -> Bool {
    let child = ChildProcess(
      executable: way.executable, arguments: [program],
      environment: ["SWIFT_BACKTRACE": "enable=no"].merging(way.environment(seed)) { $1 },
      limit: 60)
    let result = try await child.run()
    switch result.outcome {
    case .exited(0): return false
    case .exited(1), .signalled: return true
    default: throw Fault(description: "\(program): \(result.outcome) \(result.standardError)")
    }
  }

  private func list(_ rows: [Row]) -> String {
    rows.isEmpty ? "none" : rows.map(\.program).joined(separator: ", ")
  }

  private func line(_ name: String, _ cells: [String]) -> String {
    name.padding(toLength: 22, withPad: " ", startingAt: 0)
      + cells.map { String(repeating: " ", count: max(1, 8 - $0.count)) + $0 }.joined()
  }

  /// Prints a line at once: the next one may take a minute.
  private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
