/// The settings of a run, which the environment or the command line may give. A field's initial
/// value is the option's default.
///
/// `Options.table` describes every field for people and for the parser; nothing else knows the
/// names.
package struct Options: Hashable, Sendable {
  /// How tests are run.
  package enum Mode: String, CaseIterable, Sendable {
    /// Each test runs once, watched.
    case observe
    /// Each test runs under many schedules before that.
    case explore
  }

  /// What atomic variables are in an exploration of a Thread Sanitizer build with memory accesses
  /// as points.
  package enum Memory: String, CaseIterable, Sendable {
    /// A load reads the newest store.
    case strong
    /// A load reads any store that C++20 allows.
    case weak
  }

  /// The environment variable that carries options.
  package static let variable = "THREADMILL_OPTIONS"

  /// When a series of repetitions ends.
  package enum Until: String, CaseIterable, Sendable {
    /// At the first repetition that finds something or fails.
    case failure
    /// After all repetitions, which are counted.
    case end
  }

  /// The file of known findings, for which no test fails; `nil` for none.
  package var baseline: String?
  /// The file of suppressed findings, for which no test fails; `nil` for none.
  package var suppressions: String?
  /// Milliseconds from which an inverted wait is a warning; a shorter one is a note.
  package var inversionLimit = 1
  /// The path of the JSON report; `nil` for none.
  package var report: String?
  /// The parent process prints the report: this one prints only findings that may end it, and keeps
  /// its exit status. Without `report` it changes nothing.
  package var isBrief = false
  /// Potential lock order cycles are tried out at the end.
  package var confirms = false
  /// A certain re-entry (a lock by its owner, a queue by itself) proceeds as if it were recursive.
  package var continuesReentries = false
  /// So many processes of an explored program run at the same time; 0 for as many as there are
  /// cores.
  package var cores = 0
  package var jitter = JitterPolicy.off
  /// The greatest share of its time that a thread is delayed for, in percent.
  package var jitterBudget = 75
  /// `false` switches all detectors off, so that every must-find test has to fail.
  package var detects = true
  /// The orders of all locks are kept for the report.
  package var drawsLocks = false
  /// Kinds of findings that are not looked for.
  package var without: Set<Finding.Kind> = []
  /// Seconds without any progress that make a hang; 0 for never, `nil` for
  /// ``secondsWithoutProgress`` while a test runs, ``secondsOfDeadlock`` if a deadlock was found.
  package var hang: Int?
  /// Milliseconds; 0 for never.
  package var mainLimit = 250
  /// The path of the file with the places where threads came close to each other; `nil` for none.
  package var nearMisses: String?
  package var memory = Memory.strong
  package var mode = Mode.observe
  /// The seed of all random choices; `nil` if the run draws one.
  package var seed: Seed?
  /// How many of Swift's jobs of one priority run at once; 0 for as many as there are cores.
  package var pool = 0
  /// Locks are measured, and a table of them ends the run.
  package var profiles = false
  /// The report gets what threads hold, wait for and run, with times.
  package var records = false
  /// How often a repeated test runs; `nil` for once, or as often as `time` allows.
  package var repetitions: Int?
  /// The only schedule that an explored test runs under; `nil` for up to `schedules` of them.
  package var schedule: Schedule?
  /// The number of schedules of an exploration that names none itself.
  package var schedules = 1_000
  /// Opposite orders of locks that one thread alone took are errors; else they are notes.
  package var blamesOneThread = false
  /// Thread Sanitizer compares blocks, iterations and jobs instead of threads.
  package var comparesStrands = true
  package var strategy = ExplorationStrategy.portfolio
  /// `false` leaves frames as addresses.
  package var symbolicates = true
  /// Seconds after which no further repetition begins.
  package var time: Int?
  /// The lines at which explorations bring threads together.
  package var towards: [CodeLine] = []
  package var until = Until.failure

  /// The default of `hang` while a test runs.
  package static let secondsWithoutProgress = 30
  /// The default of `hang` while a test runs and a deadlock was found: it does not end by itself.
  package static let secondsOfDeadlock = 3

  /// So many processes of an explored program can run at the same time.
  package static let mostCores = 256
  /// So many lines can an exploration be led to.
  package static let mostLines = 8

  package init() {}

  package var looksForBlockedMain: Bool { detects && !without.contains(.blockedMainQueue) }
  package var looksForRaces: Bool { detects && !without.contains(.dataRace) }
  package var looksForStarvation: Bool { detects && !without.contains(.poolStarvation) }
  /// Whether a hang outside of tests is reported without ending the process.
  package var leavesHangs: Bool { looksForHangs && hang == nil && isBrief && report != nil }
  package var looksForHangs: Bool { detects && hangSeconds > 0 && !without.contains(.hang) }
  package var hangSeconds: Int { hang ?? Self.secondsWithoutProgress }
}

extension Options {
  /// One option: what people read about it and how the parser reaches its field.
  package struct Entry: Sendable {
    package let name: String
    /// The word for the value in `--help`: `PATH`, `true|false`.
    package let placeholder: String
    /// The allowed values, or one description of them, for error messages.
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
    .path("baseline", \.baseline, "Fail no test or process for a finding that this file lists."),
    .boolean(
      "brief", \.isBrief,
      """
      With report: print only findings that may end the program, and leave its exit status as it is.
      """),
    .boolean(
      "confirm", \.confirms,
      """
      At the end, make each potential lock order cycle deadlock: run the program again, or first \
      explore the tests (threadmill test).
      """),
    .boolean(
      "continue", \.continuesReentries,
      """
      If a thread waits for a lock or queue that it holds itself, report that, and let the thread \
      go on.
      """),
    .number(
      "cores", \.cores, in: 0...mostCores, placeholder: "N",
      """
      Explore a program with up to this many of its processes at once, which changes nothing but \
      the time; 0 is one for each core.
      """),
    .boolean("detect", \.detects, "Look for findings; false switches every detector off."),
    .boolean(
      "graph", \.drawsLocks,
      "Record the order in which all locks are taken, so that --dot can draw the whole program."),
    .number(
      "hang", \.hang, in: 0...86_400, placeholder: "SECONDS",
      """
      Report a hang and end the process after this long without progress; 0 is never, and unset is \
      \(secondsWithoutProgress) while a test runs, and \(secondsOfDeadlock) if a deadlock was found.
      """),
    .number(
      "inversionlimit", \.inversionLimit, in: 0...3_600_000, placeholder: "MILLISECONDS",
      """
      Warn of a wait for work of lower quality of service that is at least this long; a shorter \
      wait is a note.
      """),
    .choice(
      "jitter", \.jitter,
      "Disturb the timing of threads by this policy, so that rare failures happen more often."),
    .number(
      "jitterbudget", \.jitterBudget, in: 0...95, placeholder: "PERCENT",
      "Delay a thread for at most this share of its time, after the first 20 ms."),
    .number(
      "mainlimit", \.mainLimit, in: 0...3_600_000, placeholder: "MILLISECONDS",
      """
      Warn if one block or wait keeps the main queue from other work for longer than this; 0 is \
      never.
      """),
    .choice(
      "memory", \.memory,
      """
      In explorations under Thread Sanitizer, let an atomic load read the newest store, or any \
      allowed one; threadmill test --explore sets weak.
      """),
    .choice(
      "mode", \.mode,
      "Run each test as it is, or explore it under many schedules before it runs."),
    .path(
      "nearmisses", \.nearMisses,
      """
      Keep in this file the places where threads came close to each other, for the next run with \
      jitter=near-miss.
      """),
    .number(
      "pool", \.pool, in: 0...200, placeholder: "THREADS",
      """
      Run up to this many of Swift's tasks of one priority at once, on any machine; 0 is one for \
      each core.
      """),
    .boolean(
      "profile", \.profiles,
      "Measure how long locks are waited for and held, and print a table of them at the end."),
    .number(
      "repeat", \.repetitions, in: 1...1_000_000, placeholder: "N",
      "Run a repeated test this many times, unless the test names a number."),
    .path("report", \.report, "Write the findings of the whole run as JSON to this file."),
    .schedule(
      "schedule", \.schedule,
      "Run an explored test or program under this schedule alone, and say whether it was followed."),
    .number(
      "schedules", \.schedules, in: 1...100_000_000, placeholder: "N",
      "Explore a test or a program under at most this many schedules, unless the test names a number."
    ),
    .seed(
      "seed", \.seed, "Draw every random choice of jitter and of explorations from this number."),
    .boolean(
      "singlethreaded", \.blamesOneThread,
      "Report an error, not a note, if one thread alone takes locks in opposite orders."),
    .boolean(
      "strands", \.comparesStrands,
      """
      Under Thread Sanitizer, compare blocks and tasks, not the threads that run them: a race is \
      found even if one thread ran both sides.
      """),
    .choice(
      "strategy", \.strategy,
      "Choose schedules by this strategy, unless the test names one."),
    .path(
      "suppressions", \.suppressions,
      "Fail no test or process for a finding that this file suppresses."),
    .boolean("symbols", \.symbolicates, "Look up function, file and line of every frame."),
    .number(
      "time", \.time, in: 1...604_800, placeholder: "SECONDS",
      "Start no further repetition of a test after this long."),
    .lines(
      "towards", \.towards,
      """
      In explorations, hold each thread that comes to one of these lines until threads stand at all \
      of them; one line is met by two threads.
      """),
    .boolean(
      "trace", \.records,
      """
      Record in the report what threads hold, wait for and run, with times; of a long run, only \
      the end is kept.
      """),
    .choice(
      "until", \.until,
      "Stop repeating at the first finding or failure, or go on to the end and count them."),
    .kinds("without", \.without, "Do not look for findings of these kinds, separated by commas."),
  ]
}
