import Foundation
import ThreadmillModel
import ThreadmillReporting

/// The reports of a campaign, made up: each shard has found half of what there is to find.
enum Campaign {
  static let shards = 100
  static let distinct = 2_000
  static let folder = "/home/me/bank"

  static var findings: Int { shards * distinct / 2 }

  static func path(of shard: Int, in folder: String) -> String { "\(folder)/shard-\(shard).json" }

  static func write(to folder: String) throws {
    for shard in 0..<shards {
      try ReportFile.write(report(of: shard), to: path(of: shard, in: folder))
    }
  }

  private static func report(of shard: Int) -> Report {
    let numbers = (0..<distinct / 2).map { ($0 * 2 + shard % 2) }
    return Report(
      findings: numbers.map { finding($0, in: shard) },
      run: .init(id: "campaign", jitter: .heavy, seed: Seed(rawValue: UInt64(shard))))
  }

  private static func finding(_ number: Int, in shard: Int) -> Finding {
    let kinds: [Finding.Kind] = [.lockOrderCycle, .dataRace, .deadlock]
    let locks = [LockID(1), LockID(12)]
    let threads = (0..<2).map { side in
      Finding.Participant(
        thread: ThreadID(UInt32(3 + side)), role: "holds \(locks[side]) and waits for another",
        frames: stack(number, side), holds: [.init(object: locks[side], frames: stack(number, 2))],
        wants: locks[1 - side])
    }
    let objects = locks.map { SharedObject(id: $0, kind: .mutex, created: stack(number, 3)) }
    return Finding(
      kind: kinds[number % kinds.count], status: .potential,
      severity: number % 5 == 0 ? .warning : .error,
      title: "L1 and L12 are taken in opposite orders by part \(number)", participants: threads,
      objects: objects, tests: ["BankTests/part\(number)()", "BankTests/shard\(shard)()"],
      seed: UInt64(shard))
  }

  /// Two frames of the user's in eight.
  private static func stack(_ number: Int, _ side: Int) -> Backtrace {
    (0..<8).map { depth in
      let isUsers = depth == 1 || depth == 2
      return Frame(
        address: 1, function: isUsers ? "Part\(number).step\(side)(_:\(depth))" : "library\(depth)",
        file: isUsers ? "\(folder)/Sources/Part\(number % 50).swift" : nil,
        line: isUsers ? 10 + number % 80 : nil, column: isUsers ? 5 : nil,
        image: isUsers ? "BankTests" : "libdispatch.so", offset: isUsers ? nil : 28,
        isSystem: !isUsers)
    }
  }
}
