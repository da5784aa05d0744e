import ThreadmillHistories
import ThreadmillModel
import ThreadmillReporting

/// A scenario in which a type does what it does not do for one thread, and the schedule of it.
public struct Counterexample: Error, CustomStringConvertible {
  /// One call of the scenario.
  public struct Call: Sendable, Hashable, CustomStringConvertible {
    /// `push(1)`.
    public let call: String
    /// `→ 3`, `threw Empty()`; empty for a call that returned nothing, `nil` for one that did not
    /// return.
    public let result: String?
    /// When the call began and ended, by numbers that rise with time; `nil` if it did not.
    public let began: Int?
    /// See ``began``.
    public let ended: Int?

    /// The call with its result.
    public var description: String {
      guard let result else {
        return began == nil ? "\(call) (never made)" : "\(call) (never returned)"
      }
      return result.isEmpty ? call : "\(call) \(result)"
    }
  }

  /// The scenario with what came of it: the calls of each thread, in order.
  public let threads: [[Call]]
  /// What went wrong, with the schedule and its story.
  public let failure: Exploration.Failure
  /// Whether all calls returned what no order explains; else ``failure`` says what went wrong, such
  /// as a deadlock.
  public let isUnexplained: Bool
  /// What was demanded.
  public let consistency: Consistency
  /// Why orders do not explain it, a line for each of the longest ones that begin well.
  public let reasons: [String]
  /// What `linearizable(…, replaying:)` takes to run it again.
  public let replay: String
  /// What all chance came from.
  public let seed: UInt64

  /// The calls of each thread without their results.
  public var scenario: [[String]] { threads.map { $0.map(\.call) } }
  /// The results of each thread's calls.
  public var results: [[String?]] { threads.map { $0.map(\.result) } }
  /// The order in which the threads went.
  public var schedule: Schedule { failure.schedule }

  /// What went wrong, in one line.
  public var title: String {
    if isUnexplained {
      let waits = threads.joined().contains { $0.result == nil }
      let what = waits ? "returned or why they wait" : "returned"
      return "not \(consistency.adjective): no order of these calls, one after the other, explains "
        + "what they \(what)"
    }
    for case .error(let error) in failure.causes {
      #if os(Linux)
        if let stalled = error as? Stalled { return "\(stalled)" }
      #endif
    }
    return "a scenario fails: \(failure.words)"
  }

  /// The scenario, why no order explains it, the schedule step by step, and how to repeat it.
  public var description: String {
    var text = "\(title)\n\n\(table)"
    if !reasons.isEmpty {
      text += "\n" + reasons.map { "  \($0)\n" }.joined()
    }
    return text + "\n" + story
  }

  /// The steps of the schedule as a table, and at the end how to run it again.
  public var story: String {
    let call = "try linearizable(…, replaying: \"\(replay)\") { … }"
    #if os(Linux)
      if let told = failure.told { return SourceText.report.text(for: told, replay: call) }
    #endif
    return "To repeat: \(call)\n"
  }

  /// The scenario side by side, in the order of time: a call that others overlap has a line for its
  /// begin, and one for its end.
  private var table: String {
    let head = threads.indices.map { "thread \($0 + 1)" }
    var rows = [head]
    for event in events {
      var row = head.map { _ in "" }
      row[event.thread] = event.words
      rows.append(row)
    }
    let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0.padded(to: $1) }
      return "  \(cells.joined(separator: "   "))".trimmingBlanks + "\n"
    }.joined()
  }

  private var events: [(thread: Int, words: String)] {
    var events: [(time: Int, thread: Int, words: String)] = []
    for (thread, calls) in threads.enumerated() {
      for call in calls {
        guard let began = call.began else {
          events.append((.max, thread, "\(call)"))
          continue
        }
        guard let ended = call.ended, ended > began + 1 else {
          events.append((began, thread, "\(call)"))
          continue
        }
        events.append((began, thread, "\(call.call) begins"))
        events.append((ended, thread, "\(call)"))
      }
    }
    return events.sorted { ($0.time, $0.thread) < ($1.time, $1.thread) }
      .map { ($0.thread, $0.words) }
  }
}

extension ProgressGuarantee {
  var adjective: String {
    switch self {
    case .blocking: "blocking"
    case .obstructionFree: "obstruction-free"
    case .lockFree: "lock-free"
    }
  }
}

extension Consistency {
  var adjective: String {
    switch self {
    case .linearizable: "linearizable"
    case .sequential: "sequentially consistent"
    case .quiescent: "quiescently consistent"
    }
  }
}
