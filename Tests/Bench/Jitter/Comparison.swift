import Foundation
import ThreadmillChildren
import ThreadmillModel

/// Runs each program in each way, as often as is asked for, and prints how often it went wrong.
struct Comparison: Sendable {
  enum Name: String, CaseIterable {
    case bare, naive, jitter
  }

  /// A way to run a program.
  struct Way: Sendable {
    let executable: String
    /// The environment of the run with this seed.
    let environment: @Sendable (UInt64) -> [String: String]
  }

  /// The number of runs in which one program, or any of them, went wrong.
  private struct Row {
    let program: String
    let runs: Int
    var hits: [Name: Int] = [:]

    func isWorse(_ name: Name, than other: Name) -> Bool {
      interval(name).high < interval(other).low
    }

    private func interval(_ name: Name) -> WilsonInterval {
      WilsonInterval(successes: hits[name] ?? 0, of: runs)
    }
  }

  /// A run did not do what it was asked for.
  struct Fault: Error, CustomStringConvertible { let description: String }

  let ways: [Name: Way]
  let runs: Int
  /// Run number `i` has the seed `seed + i`.
  let seed: UInt64
  /// Part of the names of the wanted programs; `nil` for all.
  let only: String?

  /// Two that are equally good are told apart by chance in one program of 300: of the 21 programs
  /// that fail at all, in one comparison of 14.
  ///
  /// - Returns: whether jitter brings out the mistake of each program, and those of all together,
  ///   as often as the naive one, as far as so many runs can tell.
  func print() async throws -> Bool {
    let slots = Slots(2 * ProcessInfo.processInfo.activeProcessorCount)
    say(line("\(runs) runs", Name.allCases.map(\.rawValue)))
    var rows: [Row] = []
    for program in try await programs() {
      let row = try await measure(program, in: slots)
      rows.append(row)
      say(line(row))
    }
    var all = Row(program: "all", runs: rows.count * runs)
    for row in rows { all.hits.merge(row.hits, uniquingKeysWith: +) }
    say(line(all))
    say(line("programs", Name.allCases.map { name in "\(rows.count { $0.hits[name] != nil })" }))
    let worse = (rows + [all]).filter { $0.isWorse(.jitter, than: .naive) }
    say("jitter is worse beyond the 95 % intervals: \(list(worse))")
    say(
      "jitter is better beyond the 95 % intervals: "
        + list((rows + [all]).filter { $0.isWorse(.naive, than: .jitter) }))
    return worse.isEmpty
  }

  private func programs() async throws -> [String] {
    guard let bare = ways[.bare] else { return [] }
    let result = try await ChildProcess(
      executable: bare.executable, arguments: ["list"], environment: [:], limit: 60
    ).run()
    let names = result.standardOutput.split(separator: "\n").map(String.init).filter { name in
      only.map(name.contains) ?? true
    }
    guard result.outcome == .exited(0), !names.isEmpty else {
      throw Fault(description: "no program is named so; list: \(result.outcome)")
    }
    return names
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
      return try await group.reduce(into: Row(program: program, runs: runs)) { row, name in
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
    case .exited(1), .signalled(SIGALRM): return true
    default: throw Fault(description: "\(program): \(result.outcome) \(result.standardError)")
    }
  }

  private func list(_ rows: [Row]) -> String {
    rows.isEmpty ? "none" : rows.map(\.program).joined(separator: ", ")
  }

  private func line(_ row: Row) -> String {
    line(row.program, Name.allCases.map { "\(row.hits[$0] ?? 0)" })
  }

  private func line(_ name: String, _ cells: [String]) -> String {
    name.padding(toLength: 22, withPad: " ", startingAt: 0)
      + cells.map { String(repeating: " ", count: max(1, 8 - $0.count)) + $0 }.joined()
  }

  /// Prints a line at once: the next one may take a minute.
  private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
