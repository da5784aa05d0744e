/// What a run may be told from outside. A field's initial value is the option's default.
///
/// `Options.table` describes every field for people and for the parser; nothing else knows the
/// names.
package struct Options: Hashable, Sendable {
  /// What is done with tests.
  package enum Mode: String, CaseIterable, Sendable {
    /// They run as ever, watched.
    case observe
    /// Each of them runs under many schedules before.
    case explore
  }

  /// The environment variable that carries options.
  package static let variable = "THREADMILL_OPTIONS"

  /// When repeating ends before its time.
  package enum Until: String, CaseIterable, Sendable {
    /// At the first repetition that finds something or fails.
    case failure
    /// Never: all of them are counted.
    case end
  }

  /// Findings that are known, which no test answers for; `nil` for none.
  package var baseline: String?
  /// Findings that somebody has looked at, which no test answers for; `nil` for none.
  package var suppressions: String?
  /// Milliseconds from which an inverted wait is a warning; a shorter one is a note.
  package var inversionLimit = 1
  /// Where the JSON report goes; `nil` for none.
  package var report: String?
  /// Whoever started the process tells the report: only what it may not survive is named on
  /// standard error, and its exit status stays as it is. Without `report` it changes nothing.
  package var isBrief = false
  /// Potential lock order cycles are tried out at the end.
  package var confirms = false
  /// A certain re-entry (a lock by its owner, a queue by itself) proceeds as if it were recursive.
  package var continuesReentries = false
  package var jitter = JitterPolicy.off
  /// Percent of the time that no thread is delayed for more of.
  package var jitterBudget = 75
  /// `false` switches all detectors off, so that every must-find test has to fail.
  package var detects = true
  /// The orders of all locks are kept for the report.
  package var drawsLocks = false
  /// Kinds of findings that are not looked for.
  package var without: Set<Finding.Kind> = []
  /// Seconds without any progress that make a hang; 0 for never, `nil` for
  /// ``secondsWithoutProgress`` while a test runs.
  package var hang: Int?
  /// Milliseconds; 0 for never.
  package var mainLimit = 250
  /// Where the places are kept at which threads came close to each other; `nil` for nowhere.
  package var nearMisses: String?
  package var mode = Mode.observe
  /// Where the chance of a run comes from; `nil` for a seed of its own.
  package var seed: Seed?
  /// How many of Swift's jobs of one priority run at once; 0 for as many as there are cores.
  package var pool = 0
  /// Locks are measured, and a table of them ends the run.
  package var profiles = false
  /// What threads hold, wait for and run is recorded, with times.
  package var records = false
  /// How often what repeats is run; `nil` for once, or as often as `time` lets it.
  package var repetitions: Int?
  /// The only one that is run where a test is explored; `nil` for as many as are wanted.
  package var schedule: Schedule?
  /// How many an exploration runs that does not say so itself.
  package var schedules = 1_000
  /// Opposite orders of locks that one thread alone took are errors; else they are notes.
  package var blamesOneThread = false
  /// Thread Sanitizer compares blocks, iterations and jobs instead of threads.
  package var comparesStrands = false
  package var strategy = ExplorationStrategy.portfolio
  /// `false` leaves frames as addresses.
  package var symbolicates = true
  /// Seconds after which no further repetition begins.
  package var time: Int?
  package var until = Until.failure

  /// What is taken for a hang of a test when nobody says otherwise.
  package static let secondsWithoutProgress = 30

  package init() {}

  package var looksForBlockedMain: Bool { detects && !without.contains(.blockedMainQueue) }
  package var looksForRaces: Bool { detects && !without.contains(.dataRace) }
  package var looksForStarvation: Bool { detects && !without.contains(.poolStarvation) }
  /// Whether a hang is told while no test runs, and the process is left as it is.
  package var leavesHangs: Bool { looksForHangs && hang == nil && isBrief && report != nil }
  package var looksForHangs: Bool { detects && hangSeconds > 0 && !without.contains(.hang) }
  package var hangSeconds: Int { hang ?? Self.secondsWithoutProgress }
}

extension Options {
  /// One option: what people read about it and how the parser reaches its field.
  package struct Entry: Sendable {
    package let name: String
    /// What stands for the value in help: `PATH`, `true|false`.
    package let placeholder: String
    /// All that may be written, or one description of it: what an error lists.
    package let allowed: [String]
    /// One sentence, without the default.
    package let sentence: String
    /// The field's value as it would be written.
    package let read: @Sendable (Options) -> String?
    /// Sets the field, or returns `false` and changes nothing when the value is not allowed.
    package let write: @Sendable (inout Options, String) -> Bool

    /// The default as it would be written; `nil` when the option is unset by default.
    package var fallback: String? { read(Options()) }
  }

  /// Every option there is, in alphabetical order: the one place to add another.
  package static let table: [Entry] = [
    .path("baseline", \.baseline, "Let no test or process fail for findings that this file knows."),
    .boolean(
      "brief", \.isBrief,
      """
      With report: name on standard error only what the program may not survive, and leave its \
      exit status alone.
      """),
    .boolean(
      "confirm", \.confirms,
      """
      At the end, start the program again for each potential lock order cycle, and hold its threads \
      where they would meet.
      """),
    .boolean(
      "continue", \.continuesReentries,
      "Let a thread go on, as if recursive, into a lock or queue that it is already in."
    ),
    .boolean("detect", \.detects, "Look for findings; false switches every detector off."),
    .boolean(
      "graph", \.drawsLocks,
      "Keep in the report in which order all locks were taken, for a drawing of the whole program."),
    .number(
      "hang", \.hang, in: 0...86_400, placeholder: "SECONDS",
      """
      Report a hang and end the process after so long without any progress: 0 for never, unset for \
      \(secondsWithoutProgress) while a test runs.
      """),
    .number(
      "inversionlimit", \.inversionLimit, in: 0...3_600_000, placeholder: "MILLISECONDS",
      "Warn of a wait for work of lower quality of service from this length on, else only note it."
    ),
    .choice(
      "jitter", \.jitter,
      "Disturb the timing of threads in this way, so that what seldom happens happens here."),
    .number(
      "jitterbudget", \.jitterBudget, in: 0...95, placeholder: "PERCENT",
      "Delay no thread for more of the time than this, but for 20 ms at the beginning."),
    .number(
      "mainlimit", \.mainLimit, in: 0...3_600_000, placeholder: "MILLISECONDS",
      "Warn of one block or wait that holds the main queue longer while others wait; 0 for never."
    ),
    .choice(
      "mode", \.mode,
      "Let tests run as they are, or explore each under many schedules before it runs."),
    .path(
      "nearmisses", \.nearMisses,
      "Keep in this file at which places threads came close, for the next run with near-miss."),
    .number(
      "pool", \.pool, in: 0...200, placeholder: "THREADS",
      """
      Let so many of Swift's tasks of one priority run at once, whatever the machine has; 0 for as \
      many as there are cores.
      """),
    .boolean(
      "profile", \.profiles,
      "Measure how long locks are waited for and held, and end the run with a table of them."),
    .number(
      "repeat", \.repetitions, in: 1...1_000_000, placeholder: "N",
      "Run so often what is repeated and has no number of its own."),
    .path("report", \.report, "Write the findings of the whole run as JSON to this file."),
    .schedule(
      "schedule", \.schedule,
      "Where a test is explored, run this schedule and no other, and say whether it was followed."),
    .number(
      "schedules", \.schedules, in: 1...100_000_000, placeholder: "N",
      "Explore a test under so many schedules at most, where it has no number of its own."),
    .seed(
      "seed", \.seed, "Draw everything that jitter does, and every schedule, from this number."),
    .boolean(
      "singlethreaded", \.blamesOneThread,
      "Take it for an error, not for a note, if one thread alone takes locks in opposite orders."),
    .boolean(
      "strands", \.comparesStrands,
      """
      Under Thread Sanitizer, compare blocks and tasks, not the threads that run them: a race is \
      found even if one thread ran both sides.
      """),
    .choice(
      "strategy", \.strategy,
      "Choose schedules in this way, where the test does not say how."),
    .path(
      "suppressions", \.suppressions,
      "Let no test or process fail for findings that this file suppresses."),
    .boolean("symbols", \.symbolicates, "Look up function, file and line of every frame."),
    .number(
      "time", \.time, in: 1...604_800, placeholder: "SECONDS",
      "Begin no further repetition of a test after so long."),
    .boolean(
      "trace", \.records,
      "Record in the report what threads hold, wait for and run, and when, the end of a long run only."
    ),
    .choice(
      "until", \.until,
      "Stop repeating at the first finding or failure, or go on to the end and count them."),
    .kinds("without", \.without, "Do not look for findings of these kinds, separated by commas."),
  ]
}

extension Options.Entry {
  fileprivate static func path(
    _ name: String, _ field: WritableKeyPath<Options, String?> & Sendable, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "PATH", allowed: ["a path"], sentence: sentence,
      read: { $0[keyPath: field] },
      write: { options, text in
        // A path with a zero byte would be cut by every system call.
        guard !text.isEmpty, !text.utf8.contains(0) else { return false }
        options[keyPath: field] = text
        return true
      })
  }

  fileprivate static func boolean(
    _ name: String, _ field: WritableKeyPath<Options, Bool> & Sendable, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "true|false", allowed: ["true", "false"], sentence: sentence,
      read: { String($0[keyPath: field]) },
      write: { options, text in
        guard let value = Bool(text) else { return false }
        options[keyPath: field] = value
        return true
      })
  }

  fileprivate static func kinds(
    _ name: String, _ field: WritableKeyPath<Options, Set<Finding.Kind>> & Sendable,
    _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "KIND,…", allowed: Finding.Kind.allCases.map(\.rawValue),
      sentence: sentence,
      read: { options in
        let kinds = options[keyPath: field].map(\.rawValue).sorted()
        return kinds.isEmpty ? nil : kinds.joined(separator: ",")
      },
      write: { options, text in
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let kinds = words.compactMap { Finding.Kind(rawValue: String($0)) }
        guard kinds.count == words.count else { return false }
        options[keyPath: field] = Set(kinds)
        return true
      })
  }

  fileprivate static func number(
    _ name: String, _ field: WritableKeyPath<Options, Int> & Sendable, in range: ClosedRange<Int>,
    placeholder: String, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: placeholder,
      allowed: ["a whole number from \(range.lowerBound) to \(range.upperBound)"],
      sentence: sentence,
      read: { String($0[keyPath: field]) },
      write: { options, text in
        guard let value = Int(text), range.contains(value) else { return false }
        options[keyPath: field] = value
        return true
      })
  }

  /// The same for an option that is unset by default.
  fileprivate static func number(
    _ name: String, _ field: WritableKeyPath<Options, Int?> & Sendable, in range: ClosedRange<Int>,
    placeholder: String, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: placeholder,
      allowed: ["a whole number from \(range.lowerBound) to \(range.upperBound)"],
      sentence: sentence,
      read: { $0[keyPath: field].map(String.init) },
      write: { options, text in
        guard let value = Int(text), range.contains(value) else { return false }
        options[keyPath: field] = value
        return true
      })
  }

  fileprivate static func seed(
    _ name: String, _ field: WritableKeyPath<Options, Seed?> & Sendable, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "N", allowed: ["a whole number from 0 to \(UInt64.max)"],
      sentence: sentence,
      read: { $0[keyPath: field]?.description },
      write: { options, text in
        guard let value = UInt64(text) else { return false }
        options[keyPath: field] = Seed(rawValue: value)
        return true
      })
  }

  fileprivate static func schedule(
    _ name: String, _ field: WritableKeyPath<Options, Schedule?> & Sendable, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "SCHEDULE", allowed: ["a schedule, which begins with tm1:"],
      sentence: sentence,
      read: { $0[keyPath: field]?.description },
      write: { options, text in
        guard let value = try? Schedule(parsing: text) else { return false }
        options[keyPath: field] = value
        return true
      })
  }

  fileprivate static func choice<Value>(
    _ name: String, _ field: WritableKeyPath<Options, Value> & Sendable, _ sentence: String
  ) -> Self where Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String {
    let allowed = Value.allCases.map(\.rawValue)
    return Self(
      name: name, placeholder: allowed.joined(separator: "|"), allowed: allowed,
      sentence: sentence,
      read: { $0[keyPath: field].rawValue },
      write: { options, text in
        guard let value = Value(rawValue: text) else { return false }
        options[keyPath: field] = value
        return true
      })
  }
}
