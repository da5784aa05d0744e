/// Something that Threadmill has to say about the program: a value, from which every format makes
/// its own words.
package struct Finding: Hashable, Sendable {
  package typealias Kind = FindingKind

  package enum Status: String, Sendable, CaseIterable {
    /// It happened in this run.
    case observed
    /// It did not happen in this run, but Threadmill saw nothing that prevents it.
    case potential
    /// A steered run, or a schedule of an exploration, made it happen.
    case confirmed
    /// A candidate that was dropped, kept with the reason.
    case filtered
  }

  package enum Severity: String, Sendable, CaseIterable {
    case error, warning, note
  }

  /// One thread's part in it.
  package struct Participant: Hashable, Sendable {
    package var thread: ThreadID
    /// A thread's or queue's own name.
    package var threadName: String?
    /// What it did, as one clause without the thread: "holds L2 and waits for L1".
    package var role: String
    /// The stack at the moment that matters: at the wait.
    package var frames: Backtrace
    /// What it held, in the order in which it was taken, and where each was taken.
    package var holds: [HeldObject]
    package var wants: LockID?
    /// Where the block or job that it ran was submitted, which is where the stack goes on; empty
    /// for a thread's own code.
    package var submitted: Backtrace
    /// That block or job, with its queues; `nil` for a thread's own code.
    package var runs: Execution?

    package init(
      thread: ThreadID, threadName: String? = nil, role: String, frames: Backtrace,
      holds: [HeldObject] = [], wants: LockID? = nil, submitted: Backtrace = [],
      runs: Execution? = nil
    ) {
      self.thread = thread
      self.threadName = threadName
      self.role = role
      self.frames = frames
      self.holds = holds
      self.wants = wants
      self.submitted = submitted
      self.runs = runs
    }
  }

  package struct HeldObject: Hashable, Sendable {
    package var object: LockID
    package var mode: HoldMode
    package var frames: Backtrace

    package init(object: LockID, mode: HoldMode = .exclusive, frames: Backtrace = []) {
      self.object = object
      self.mode = mode
      self.frames = frames
    }
  }

  /// Something worth knowing that is no thread's part: a block that waits for its turn, an `enter`
  /// without its `leave`.
  package struct Fact: Hashable, Sendable {
    /// One clause that names the objects, without a full stop.
    package var text: String
    /// The place that it is about; empty where there is none.
    package var frames: Backtrace

    package init(_ text: String, frames: Backtrace = []) {
      self.text = text
      self.frames = frames
    }

    /// How a fact begins that says where raced memory comes from; its address follows.
    package static let memory = "the memory at 0x"

    package var isAboutMemory: Bool { text.hasPrefix(Self.memory) }

    /// The words between the address of a global variable and its name.
    package static let global = " is global: "

    /// The name of the global variable that the raced memory is.
    package var racedGlobal: Substring? {
      guard isAboutMemory else { return nil }
      let rest = text.dropFirst(Self.memory.count).drop(while: \.isHexDigit)
      return rest.hasPrefix(Self.global) ? rest.dropFirst(Self.global.count) : nil
    }

    /// The first words of a fact about the atomic store that hands raced memory to another thread.
    package static let handOver = "the store that hands it over"

    package var isAboutHandOver: Bool { text.hasPrefix(Self.handOver) }

    /// The end of a fact that says which schedule of an exploration it was.
    private static let ofExploration = " of this exploration"

    package init(schedule number: Int) { self.init("schedule \(number)\(Self.ofExploration)") }

    package var isNumberOfSchedule: Bool { text.hasSuffix(Self.ofExploration) }

    /// The first words of what a program said of its end.
    private static let words = "the program said: "

    package init(lastWords words: String) { self.init(Self.words + words) }

    package var isLastWords: Bool { text.hasPrefix(Self.words) }
  }

  /// The result of running the program again to make it happen.
  package struct Confirmation: Hashable, Sendable {
    /// The number of runs, or of schedules if the finding has one; if it happened, it happened in
    /// the last one.
    package var tries: Int
    /// The test whose exploration reached it; `nil` for a run that was steered.
    package var test: String?
    /// The threads at the moment of the deadlock, in the order of the finding's own participants;
    /// empty if there was no deadlock.
    package var deadlock: [Participant]

    package init(tries: Int, test: String? = nil, deadlock: [Participant] = []) {
      self.tries = tries
      self.test = test
      self.deadlock = deadlock
    }
  }

  package var kind: Kind
  package var status: Status
  package var severity: Severity
  /// One line, a sentence without a full stop, that names the objects.
  package var title: String
  package var participants: [Participant]
  package var objects: [SharedObject]
  package var facts: [Fact]
  /// Display names of the tests in which it was seen; sorted, each once.
  package var tests: [String]
  package var count: Int
  package var seed: UInt64?
  package var schedule: String?
  /// Why a candidate was dropped; only with status `filtered`.
  package var reason: String?
  /// Whether one thread alone took the locks in orders that two threads could deadlock with.
  package var isSingleThreaded = false
  /// `nil` unless it was tried out.
  package var confirmation: Confirmation?
  /// `nil` if no baseline or suppression was given.
  package var judgement: Judgement?
  /// How it came about; only of what an exploration has found.
  package var story: ScheduleStory?

  package init(
    kind: Kind, status: Status, severity: Severity = .error, title: String,
    participants: [Participant] = [], objects: [SharedObject] = [], facts: [Fact] = [],
    tests: [String] = [], count: Int = 1, seed: UInt64? = nil, schedule: String? = nil,
    reason: String? = nil, confirmation: Confirmation? = nil, judgement: Judgement? = nil,
    story: ScheduleStory? = nil
  ) {
    self.kind = kind
    self.status = status
    self.severity = severity
    self.title = title
    self.participants = participants
    self.objects = objects
    self.facts = facts
    self.tests = tests
    self.count = count
    self.seed = seed
    self.schedule = schedule
    self.reason = reason
    self.confirmation = confirmation
    self.judgement = judgement
    self.story = story
  }
}
