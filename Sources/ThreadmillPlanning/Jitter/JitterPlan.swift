import ThreadmillModel

/// Everything that the gate needs to know to disturb threads: data, made from a policy and a seed.
///
/// What a strand does at its point number `i` is `decisions[point][hash(seed, path, i)]`, where the
/// path says how the strand came to be: so one thread's luck does not change with another's.
package struct JitterPlan: Hashable, Sendable {
  /// Where a strand may be disturbed.
  package enum Point: Int, CaseIterable, Sendable {
    /// Right before and right after an operation on an object.
    case before, after
    /// A block or a job is about to run the user's code.
    case begin
    /// A new thread is about to run the user's code.
    case start
    /// A wait has ended; who waited lets others go first.
    case wake
    /// A memory access, in a Thread Sanitizer build with the wrap flags.
    case memory
    /// A wait for a condition is about to begin: whether it ends at once, for no reason.
    case spurious
    /// A timer is set: how late it comes.
    case late
  }

  package enum Decision: Hashable, Sendable {
    case nothing, yield
    case spin(microseconds: Int)
    case sleep(microseconds: Int)

    package var microseconds: Int {
      switch self {
      case .nothing, .yield: 0
      case .spin(let microseconds), .sleep(let microseconds): microseconds
      }
    }
  }

  /// The way in which some of the strands are disturbed.
  package struct Manner: Hashable, Sendable {
    /// The same number for each point: ``JitterPlan/choices``.
    package var decisions: [Point: [Decision]] = [:]
    /// Whether the windows, the ranks, and what was learnt are for these strands.
    package var starves = false
    package var ranks = false
    package var learns = false
  }

  /// A time in which some strands do not go on. It begins at a point, counted over all threads.
  package struct Window: Hashable, Sendable {
    package var begins: Int
    package var microseconds: Int
    /// Which strands are hit: those whose path, hashed with this, falls into the share.
    package var salt: UInt64
  }

  /// Delays where two threads came close (Li et al.: Efficient scalable thread-safety-violation
  /// detection, SOSP 2019).
  package struct NearMiss: Hashable, Sendable {
    /// How close two uses of one object by two threads have to be.
    package var closeMicroseconds = 10_000
    package var delayMicroseconds = 3_000
    /// What is left, in percent, of the probability of a delay after one.
    package var keepsPercent = 80
  }

  /// Entries of a table of decisions.
  package static let choices = 512
  /// Entries of a table for what is new.
  package static let freshChoices = 64

  package var seed: Seed
  /// Each strand follows one of them, by its path.
  package var manners: [Manner]
  /// What is done at a place that was not seen before, and so often nearly always; later ever more
  /// rarely.
  package var fresh: [Point: [Decision]] = [:]
  package var freshTimes = 0
  /// Whether the first threads that start at a place are held until others have begun, as blocks
  /// are.
  package var holdsThreads = false
  package var windows: [Window] = []
  /// After so many points the windows come again.
  package var windowPeriod = 0
  /// Of 256 strands, so many are hit by a window.
  package var starved = 0
  /// What a strand of each rank does at an operation: the first rank goes first.
  package var ranks: [Decision] = []
  /// At these points, counted over all threads, the strand gets the last rank.
  package var changes: [Int] = []
  package var nearMiss = NearMiss()
  /// Percent of the time that no thread is delayed for more of.
  package var budget = 75

  init(seed: Seed, manners: [Manner]) {
    self.seed = seed
    self.manners = manners
  }

  /// `nil` for no disturbance.
  package init?(_ policy: JitterPolicy, seed: Seed, budget: Int) {
    switch policy {
    case .off: return nil
    case .light: self = .light(seed)
    case .heavy: self = .heavy(seed)
    case .starve: self = .starve(seed)
    case .priority: self = .priority(seed)
    case .nearMiss: self = .nearMiss(seed)
    case .portfolio: self = .portfolio(seed)
    }
    self.budget = budget
  }
}
