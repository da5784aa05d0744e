import ThreadmillModel

/// Every value that a body came to under many schedules, with how often and by which schedule.
public struct Outcomes<Value: Hashable & Sendable>: Sendable {
  /// One value that the body came to.
  public struct Outcome: Sendable {
    /// What the body returned.
    public let value: Value
    /// How many schedules led to it.
    public internal(set) var count: Int
    /// Leads to the value again: see `outcomes(replaying:_:)`. Made simple: few forced switches.
    public internal(set) var schedule: Schedule
    /// The first schedule that led to it, from 1.
    public let number: Int
    /// The names that ``Outcomes/naming(_:_:)`` gave to the value.
    public internal(set) var names: [String] = []
    /// What was different when the schedule was run again to make sure; `nil` if nothing was.
    public internal(set) var divergence: ScheduleDivergence?
    /// How it came about, step by step.
    var told: ScheduleStory?
  }

  /// All values, the most frequent first.
  public internal(set) var all: [Outcome]
  /// The exploration: how many schedules, the seed, whether they were all that there are.
  public let exploration: Exploration
  /// About how many schedules there are, where not all of them were run; D. E. Knuth, "Estimating
  /// the Efficiency of Backtrack Programs", 1975, over the last schedules, which are random walks.
  public let estimatedSchedules: Double?

  /// The distinct values.
  public var values: Set<Value> { Set(all.map(\.value)) }
  /// How many schedules were run.
  public var schedules: Int { exploration.schedules }
  /// Whether all schedules were run, so that no other value can come out.
  public var isComplete: Bool { exploration.isComplete }
  /// How often each value came out.
  public var counts: [Value: Int] {
    Dictionary(all.map { ($0.value, $0.count) }, uniquingKeysWith: +)
  }

  /// The outcome with this value; `nil` if no schedule led to it.
  public subscript(value: Value) -> Outcome? { all.first { $0.value == value } }

  /// How many schedules led to this value.
  public func count(of value: Value) -> Int { self[value]?.count ?? 0 }

  /// How many schedules led to a value with this name.
  public func count(named name: String) -> Int {
    all.reduce(0) { $0 + ($1.names.contains(name) ? $1.count : 0) }
  }

  /// Names the values for which `condition` holds, to count them and to find them in the table.
  public func naming(_ name: String, _ condition: (Value) -> Bool) -> Self {
    var named = self
    for index in all.indices where condition(all[index].value) {
      named.all[index].names.append(name)
    }
    return named
  }

  /// Throws if there is another value than these, with the schedule that leads to it.
  ///
  /// ```swift
  /// try outcomes { … }.allowing([.init(1, 2), .init(2, 1)])
  /// ```
  ///
  /// - Throws: ``ForbiddenOutcome``, for the forbidden value with the simplest schedule.
  @discardableResult
  public func allowing(_ allowed: Set<Value>) throws -> Self {
    let forbidden = all.filter { !allowed.contains($0.value) }
    let simplest = forbidden.min {
      ($0.schedule.forcedSwitches, $0.schedule.steps)
        < ($1.schedule.forcedSwitches, $1.schedule.steps)
    }
    guard let simplest else { return self }
    throw ForbiddenOutcome(
      outcome: simplest, outcomes: naming("forbidden") { !allowed.contains($0) })
  }
}

/// A body came to a value that is not allowed.
public struct ForbiddenOutcome<Value: Hashable & Sendable>: Error, CustomStringConvertible {
  /// The value, with its schedule.
  public let outcome: Outcomes<Value>.Outcome
  /// All values of the exploration; those that are not allowed are named "forbidden".
  public let outcomes: Outcomes<Value>

  /// The value that is not allowed.
  public var value: Value { outcome.value }
  /// Leads to it again.
  public var schedule: Schedule { outcome.schedule }

  /// The value, all others, and how it came about.
  public var description: String {
    "forbidden outcome: \(outcome.words)\n\n\(outcomes)\n\(outcome.story)"
  }
}
