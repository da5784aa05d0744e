import ThreadmillModel

/// Brings strands to several lines of the program at the same time: whoever stands at one of them
/// is held until strands stand at all of them. A single line is met by two strands. After that, or
/// if nobody else can go on, those that were held go on as the strategy chooses.
///
/// K. Sen, "Race Directed Random Testing of Concurrent Programs", PLDI 2008, for two accesses to
/// memory; P. Joshi, C.-S. Park, K. Sen, M. Naik, "A Randomized Dynamic Program Analysis Technique
/// for Detecting Real Deadlocks", PLDI 2009, for the locks of a cycle.
///
/// Differences:
/// * In half of the schedules, some steps at a line pass before one is held, so that also later
///   rounds of a loop meet.
/// * One schedule in four is not led, in case that holding strands keeps a failure away.
/// * If all strands that can go on are held, time may pass, so that a strand comes that sleeps. Two
///   actions between which a test sleeps never meet otherwise.
struct Meeting: Sendable {
  /// So many steps are made in a schedule while somebody is held.
  private static let longestWait = 10_000
  /// In the schedules in which steps pass, fewer than so many do at each line.
  private static let mostSkipped = 6
  /// So often time passes in a schedule.
  private static let mostRests = 100

  /// The schedules in which a strand stood at each line.
  private(set) var arrivals: [Int]
  /// The schedules in which strands stood at all lines at the same time.
  private(set) var met = 0

  private var chance: Chance
  private let all: UInt16
  private var leads = false
  private var isMet = false
  /// The lines at which somebody stood in this schedule.
  private var reached: UInt16 = 0
  /// Steps that still pass, by line.
  private var skips: [Int]
  private var waited = 0
  private var rests = 0
  var mayLetTimePass = false

  /// The steps that are not held.
  private(set) var free = FreeSteps()

  /// - Parameter lines: at least one, and at most 16.
  init(lines: Int, seed: Seed) {
    arrivals = Array(repeating: 0, count: lines)
    skips = arrivals
    all = UInt16(truncatingIfNeeded: (1 << lines) - 1)
    chance = Chance(seed, salt: 7)
  }

  /// - Parameter isFree: whether the strategy may choose among some of the strands only.
  mutating func begin(schedule number: Int, isFree: Bool) {
    chance.begin(schedule: number)
    leads = isFree && number % 4 != 3
    (isMet, reached, waited, rests) = (false, 0, 0, 0)
    let passes = chance.below(2) == 1
    for line in skips.indices { skips[line] = passes ? chance.below(Self.mostSkipped) : 0 }
  }

  /// Looks at the steps that can be made.
  ///
  /// - Returns: whether some are held, and ``free`` has the others. If there are none, time is to
  ///   pass.
  mutating func holds(_ enabled: UnsafeBufferPointer<Offer>) -> Bool {
    var lines: UInt16 = 0
    for step in enabled { lines |= step.lines }
    reached |= lines
    if lines == all, !isMet { isMet = meet(enabled) }
    guard leads, !isMet, lines != 0, waited < Self.longestWait else { return false }
    let skips = skips
    free.gather(enabled) { Self.isHeld($0, skips) }
    if free.steps.count == enabled.count { return false }
    if free.steps.isEmpty {
      guard mayLetTimePass, rests < Self.mostRests else { return false }
      rests += 1
    }
    waited += 1
    return true
  }

  /// Takes a step that is about to be made.
  mutating func take(_ step: Offer) {
    for line in skips.indices where step.lines & 1 << line != 0 && skips[line] > 0 {
      skips[line] -= 1
    }
  }

  mutating func ended() {
    for line in arrivals.indices where reached & 1 << line != 0 { arrivals[line] += 1 }
    if isMet { met += 1 }
  }

  private static func isHeld(_ step: Offer, _ skips: [Int]) -> Bool {
    if step.lines == 0 { return false }
    return skips.indices.contains { step.lines & 1 << $0 != 0 && skips[$0] == 0 }
  }

  /// Whether each line has a strand of its own.
  private func meet(_ enabled: UnsafeBufferPointer<Offer>) -> Bool {
    let there = enabled.lazy.map(\.lines).filter { $0 != 0 }
    return arrivals.count == 1 ? there.count > 1 : cover(0, Array(there))
  }

  /// Whether the lines from `line` on can each have one of the strands.
  private func cover(_ line: Int, _ strands: [UInt16]) -> Bool {
    if line == arrivals.count { return true }
    if strands.count < arrivals.count - line { return false }
    for index in strands.indices where strands[index] & 1 << line != 0 {
      var others = strands
      others.remove(at: index)
      if cover(line + 1, others) { return true }
    }
    return false
  }
}
