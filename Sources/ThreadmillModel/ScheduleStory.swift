/// One schedule as people read it: who did what, where, in which order, and how it ended.
///
/// A value without words for a whole: every format makes its own table.
package struct ScheduleStory: Hashable, Sendable {
  /// One step, or what somebody waits to do when nothing goes on.
  package struct Step: Hashable, Sendable {
    /// From 1; of what is waited for, one behind the last step.
    package var number: Int
    /// The thread, block or task that made the step: an index into ``columns``.
    package var column: Int
    package var operation: OperationKind
    /// `mutex L3`, `queue "bank"`; `nil` where it is done to nothing that has a name.
    package var object: String?
    /// What the memory model made of an access that did not see the newest store: one clause.
    package var note: String?
    /// Another thread, block or task made the step before, and could have gone on.
    package var isForced: Bool
    /// The user's own frames, innermost first, at most ``mostPlaces``.
    package var places: Backtrace

    package init(
      number: Int, column: Int, _ operation: OperationKind, object: String? = nil,
      isForced: Bool = false, places: Backtrace = []
    ) {
      (self.number, self.column, self.operation) = (number, column, operation)
      (self.object, self.isForced, self.places) = (object, isForced, places)
    }
  }

  /// A thread, block or task that cannot go on at the end.
  package struct Wait: Hashable, Sendable {
    package var step: Step
    /// The owner of what it waits for: an index into ``columns``; `nil` if it is not known.
    package var holder: Int?
    /// Whether the owner has ended, and can no longer give it back.
    package var isHolderOver: Bool

    package init(_ step: Step, holder: Int? = nil, isHolderOver: Bool = false) {
      (self.step, self.holder, self.isHolderOver) = (step, holder, isHolderOver)
    }
  }

  /// A suspended task that waits for no thread, or where it was started: one line below the table.
  package struct Await: Hashable, Sendable {
    /// One clause, without a full stop.
    package var text: String
    /// The user's own frames, innermost first, at most ``mostPlaces``.
    package var places: Backtrace
    /// Whether the body cannot end before the task goes on.
    package var keepsBody: Bool

    package init(_ text: String, places: Backtrace = [], keepsBody: Bool = false) {
      (self.text, self.places, self.keepsBody) = (text, places, keepsBody)
    }
  }

  package static let mostPlaces = 4

  /// The name of each thread, block or task, in the order in which they were first seen.
  package var columns: [String]
  /// Those that are told, by ascending numbers.
  package var steps: [Step]
  /// All that were made.
  package var total: Int
  /// The threads, blocks and tasks that could not go on at the end.
  package var waits: [Wait]
  /// The tasks that were suspended then, those that keep the body from its end first.
  package var awaits: [Await]
  /// Stopped at so many steps, with no end in sight.
  package var isEndless: Bool
  /// Runs it again.
  package var schedule: String

  package init(
    columns: [String], steps: [Step], total: Int, waits: [Wait] = [], awaits: [Await] = [],
    isEndless: Bool = false, schedule: String
  ) {
    (self.columns, self.steps, self.total) = (columns, steps, total)
    (self.waits, self.awaits) = (waits, awaits)
    (self.isEndless, self.schedule) = (isEndless, schedule)
  }
}

extension ScheduleStory {
  /// A step that an endless schedule repeated before it was stopped.
  package struct Habit: Hashable, Sendable {
    package var column: Int
    package var operation: OperationKind
    package var object: String?
    package var place: Frame?
    /// How often, of the last steps that are told.
    package var count: Int
  }

  /// The number of last steps from which ``habits`` is made.
  package static let lastSteps = 64

  /// The kinds of the last steps, the most frequent first; empty if the schedule has an end.
  package var habits: [Habit] {
    guard isEndless else { return [] }
    var habits: [Habit] = []
    for step in steps.suffix(Self.lastSteps) {
      let same = habits.firstIndex {
        $0.column == step.column && $0.operation == step.operation && $0.object == step.object
          && $0.place == step.places.first
      }
      if let same {
        habits[same].count += 1
      } else {
        habits.append(
          Habit(
            column: step.column, operation: step.operation, object: step.object,
            place: step.places.first, count: 1))
      }
    }
    // Equally frequent ones stay in the order in which they came.
    return habits.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map(\.element)
  }
}

extension OperationKind {
  /// The words before the object: `lock`, `wait for`.
  package var words: String {
    switch self {
    case .tryLock: "try"
    case .share: "lock for reading"
    case .wait: "wait for"
    case .submit: "submit to"
    case .spawn: "start a thread"
    case .once: "go through"
    case .sleep: "sleep"
    case .yield: "give way"
    case .point: "pass a point"
    case .hop: "hop to"
    case .goOn: "go on"
    case .receive: "read from"
    case .send: "write to"
    case .other: "do something"
    default: "\(self)"
    }
  }
}

extension OperationKind {
  /// What a file calls it: a name means something to whoever reads the file.
  package var name: String { "\(self)" }

  package init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}
