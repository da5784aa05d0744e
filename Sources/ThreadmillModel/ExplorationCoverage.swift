/// How much of what can happen the schedules of one exploration have shown.
///
/// It counts pairs: a step that changes an object, and the next step of another strand that sees
/// the change. Steps are told apart by their places in the program. Accesses to memory are among
/// them only in a build in which they are points.
public struct ExplorationCoverage: Hashable, Codable, Sendable {
  /// Schedules that were run.
  public var schedules: Int
  /// Pairs of a write to memory, or the first value, and a read that has seen it.
  public var readsFromPairs: Int
  /// Pairs of steps at a lock, queue, semaphore, group or file, of which one followed the other.
  public var handOvers: Int
  /// Pairs of both sorts that exactly one schedule has shown.
  public var seenOnce: Int
  /// Pairs of both sorts that exactly two schedules have shown.
  public var seenTwice: Int
  /// The last schedule that has shown a new pair, counted from 1; 0 if none has.
  public var lastNew: Int
  /// Whether there were more pairs than an exploration keeps.
  public var isCut: Bool
  /// The lines that the exploration was led to, by the option `towards`.
  public var lines: [Line]
  /// Schedules in which these lines were met: at each of them stood another thread, block or task
  /// at the same time, or two of them at the only line.
  public var met: Int

  /// A line of the program that an exploration is led to.
  public struct Line: Hashable, Codable, Sendable {
    /// The line as it was named, such as `bank.c:12`.
    public var place: String
    /// Schedules in which a thread, block or task stood there.
    public var schedules: Int

    package init(place: String, schedules: Int) {
      (self.place, self.schedules) = (place, schedules)
    }
  }

  package init(
    schedules: Int = 0, readsFromPairs: Int = 0, handOvers: Int = 0, seenOnce: Int = 0,
    seenTwice: Int = 0, lastNew: Int = 0, isCut: Bool = false, lines: [Line] = [], met: Int = 0
  ) {
    (self.schedules, self.readsFromPairs, self.handOvers) = (schedules, readsFromPairs, handOvers)
    (self.seenOnce, self.seenTwice, self.lastNew) = (seenOnce, seenTwice, lastNew)
    (self.isCut, self.lines, self.met) = (isCut, lines, met)
  }

  /// An estimate of how many new pairs one further schedule shows.
  ///
  /// I. J. Good, "The Population Frequencies of Species and the Estimation of Population
  /// Parameters", Biometrika 40, 1953: the share of what was seen once. A strategy that leads to
  /// new pairs shows more of them once than chance would, so that the estimate is rather too high.
  public var newPairsPerSchedule: Double {
    schedules == 0 ? 0 : Double(seenOnce) / Double(schedules)
  }

  /// An estimate of how many pairs there are that no schedule has shown.
  ///
  /// A. Chao, "Estimating the Population Size for Capture-Recapture Data with Unequal
  /// Catchability", Biometrics 43, 1987, in the form without bias. It is a lower bound for pairs
  /// that are rarer than those that were seen twice.
  public var unseenPairs: Double {
    guard schedules > 0 else { return 0 }
    let share = Double(schedules - 1) / Double(schedules)
    return share * Double(seenOnce) * Double(max(0, seenOnce - 1)) / Double(2 * (seenTwice + 1))
  }
}

extension ExplorationCoverage: CustomStringConvertible {
  /// In one line.
  public var description: String {
    let least = isCut ? "at least " : ""
    let seen =
      "\(least)\(Self.plural(readsFromPairs, "reads-from pair")) and "
      + "\(Self.plural(handOvers, "hand-over")) seen in \(Self.plural(schedules, "schedule"))"
    let news = lastNew == 0 ? "" : ", the last new one in schedule \(lastNew); \(outlook)"
    return seen + news + (meeting.map { "; \($0)" } ?? "")
  }

  /// Whether the lines that the exploration was led to were met, as one clause; `nil` if it was led
  /// to none.
  package var meeting: String? {
    if lines.isEmpty { return nil }
    let missed = lines.filter { $0.schedules == 0 }.map(\.place)
    if !missed.isEmpty { return "no thread came to \(Self.list(missed))" }
    let places = Self.list(lines.map(\.place))
    let who = lines.count == 1 ? "two threads were at \(places)" : "threads were at \(places)"
    return met == 0
      ? "\(who), but never at the same time"
      : "\(who) at the same time in \(Self.plural(met, "schedule"))"
  }

  private static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
  }

  /// What further schedules are likely to show.
  private var outlook: String {
    guard seenOnce > 0 else { return "further schedules are unlikely to show new ones" }
    let every = max(1, Int((1 / newPairsPerSchedule).rounded()))
    let rate =
      every == 1 ? "almost every further schedule" : "about one of \(every) further schedules"
    let unseen = Int(unseenPairs.rounded(.up))
    return "\(rate) shows a new one" + (unseen == 0 ? "" : ", and \(unseen) or more are left")
  }

  private static func plural(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

/// What the exploration of one test has covered.
package struct ExploredTest: Hashable, Sendable {
  /// As findings call it.
  package var test: String
  package var coverage: ExplorationCoverage
  /// Whether there is no other schedule.
  package var isComplete: Bool
  /// Classes of schedules that differ in more than the order of independent steps; `nil` if they
  /// were not counted.
  package var classes: Int?
  /// Operations that were not under control, in all schedules.
  package var uncontrolled: Int

  /// The first words of the reason why a test is not explored, if it was to be led to a line that
  /// the program does not have.
  package static let cannotLead = "it cannot be led to "

  package init(
    _ test: String, _ coverage: ExplorationCoverage, isComplete: Bool, classes: Int? = nil,
    uncontrolled: Int = 0
  ) {
    (self.test, self.coverage, self.isComplete) = (test, coverage, isComplete)
    (self.classes, self.uncontrolled) = (classes, uncontrolled)
  }

  /// The one of two explorations of one test that has more to say: the same in any order, in any
  /// grouping, and however often one of them comes.
  package func merged(with other: ExploredTest) -> ExploredTest {
    key.lexicographicallyPrecedes(other.key) ? other : self
  }

  /// One for each test, by name.
  package static func merged(_ tests: some Sequence<ExploredTest>) -> [ExploredTest] {
    let merged = Dictionary(tests.map { ($0.test, $0) }) { $0.merged(with: $1) }
    return merged.values.sorted { $0.test < $1.test }
  }

  private var key: [Int] {
    [
      isComplete ? 1 : 0, coverage.schedules, coverage.readsFromPairs, coverage.handOvers,
      coverage.seenOnce, coverage.seenTwice, coverage.lastNew, coverage.isCut ? 1 : 0,
      uncontrolled, classes ?? -1, coverage.met,
    ] + coverage.lines.map(\.schedules)
  }
}
