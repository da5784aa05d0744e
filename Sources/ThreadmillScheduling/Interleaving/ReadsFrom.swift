import ThreadmillModel

/// Who saw what of whom, over all schedules: each pair is a step that changed an object and the
/// next step that looked at it, by another strand. Steps are told apart by their places, so that
/// two strands that run the same code are one.
///
/// D. Wolff, Z. Shi, G. J. Duck, U. Mathur, A. Roychoudhury, "Greybox Fuzzing for Concurrency
/// Testing", ASPLOS 2024, section 3: reads-from pairs of abstract events.
///
/// Differences:
/// * A lock is seen from one taking of it to the next, and only by a strand that stood at it before
///   the first taking: of two sections, either may come first without anybody's noticing.
/// * Pairs within one strand do not count.
struct ReadsFrom: Sendable {
  /// A step, by its place; where that is not known, by its operation.
  typealias Event = UInt32

  /// A step and who saw what it did.
  struct Pair: Hashable, Sendable {
    /// 0: what was there in the beginning.
    var first: Event
    var second: Event
  }

  /// What is known of a pair.
  struct Known: Sendable {
    let pair: Pair
    /// Whether the second step is none that reads or writes memory.
    let isHandOver: Bool
    /// Schedules in which it was there.
    var seen = 0
    /// Schedules that were to lead to it.
    var tried = 0
    /// The last schedule in which it was there.
    fileprivate var last = -1
  }

  /// A step of a schedule, as far as it matters to an object.
  private struct Doing: Sendable {
    var event: Event
    var strand: UInt32
    var index: Int
  }

  /// A place that uses an object of this schedule.
  private struct User: Sendable {
    var event: Event
    /// By number and one more; `.max` for several.
    var strand: UInt32
    var looks: Bool
    var changes: Bool
    /// Whether it reads or writes memory.
    var isAccess: Bool
  }

  /// So many pairs are kept at most.
  private static let mostPairs = 1 << 13
  /// So many kinds of objects are remembered as ones whose pairs were made up.
  private static let mostImagined = 1 << 13
  /// So many kinds of objects are kept at most.
  private static let mostKinds = 256
  /// Of an object with more places than this, no pairs are made up.
  private static let mostUsers = 48

  /// All pairs that were seen, or could be, in the order in which they came.
  private(set) var pairs: [Known] = []
  /// How many of them were seen.
  private(set) var seen = 0
  private var numbers: [Pair: Int] = [:]
  /// The kinds of objects that strands share, each by the steps that use one.
  private(set) var kinds: [Set<Event>] = []
  /// The steps that use any shared object.
  private(set) var uses: Set<Event> = []
  /// By event: the events that change what it looks at.
  private(set) var changers: [Event: [Event]] = [:]

  /// Objects whose pairs were made up.
  private var imagined: Set<UInt64> = []
  private var last: [Doing] = []
  private var users: [[User]] = []
  private var before = PerStrand(-1)
  private var touched: [Int] = []
  private var schedules = 0
  /// The last schedule that has shown a new pair, counted from 1.
  private var lastNew = 0
  /// Whether a pair was left out, because there were too many.
  private var isCut = false

  /// - Returns: how many pairs the schedule was the first to show.
  mutating func learn(_ points: SharedPoints) -> Int {
    let known = seen
    clear()
    for (index, step) in points.log.enumerated() {
      if points.use(of: step.object).isShared { follow(step, index) }
      before[step.strand] = index
    }
    for object in touched { imagine(users[object]) }
    schedules += 1
    if seen > known { lastNew = schedules }
    return seen - known
  }

  /// What all schedules have shown. That a lock was free in the beginning is no hand-over.
  var coverage: ExplorationCoverage {
    var coverage = ExplorationCoverage(schedules: schedules, lastNew: lastNew, isCut: isCut)
    for known in pairs where known.seen > 0 && !(known.isHandOver && known.pair.first == 0) {
      if known.isHandOver { coverage.handOvers += 1 } else { coverage.readsFromPairs += 1 }
      if known.seen == 1 { coverage.seenOnce += 1 }
      if known.seen == 2 { coverage.seenTwice += 1 }
    }
    return coverage
  }

  mutating func noteTrial(of pair: Int) { pairs[pair].tried += 1 }

  static func event(of step: Offer) -> Event {
    step.place != 0 ? step.place : 1 << 31 | Event(step.operation.rawValue)
  }

  /// The step, if it uses an object; `nil` for one that only leaves a lock.
  static func use(of step: Offer) -> Event? {
    step.object == 0 || step.operation == .unlock || step.operation == .goOn ? nil : event(of: step)
  }

  // MARK: What was there

  private mutating func clear() {
    for object in touched {
      last[object] = Doing(event: 0, strand: .max, index: -1)
      users[object].removeAll(keepingCapacity: true)
    }
    touched.removeAll(keepingCapacity: true)
    before.reset()
  }

  private mutating func follow(_ step: Offer, _ index: Int) {
    guard let event = Self.use(of: step), let object = Int(exactly: step.object) else { return }
    grow(to: object)
    if users[object].isEmpty { touched.append(object) }
    let looks = step.operation != .write
    let user = User(
      event: event, strand: step.strand + 1, looks: looks, changes: step.writes,
      isAccess: step.operation.isAccess)
    note(user, object)
    let doing = last[object]
    let isSeen = !step.operation.isTaking || doing.event == 0 || stood(step, since: doing)
    if looks, doing.strand != step.strand, isSeen {
      see(Pair(first: doing.event, second: event), isHandOver: !step.operation.isAccess)
    }
    if step.writes { last[object] = Doing(event: event, strand: step.strand, index: index) }
  }

  /// Whether the strand stood at its step already when the other one was made.
  private mutating func stood(_ step: Offer, since doing: Doing) -> Bool {
    before[step.strand] < doing.index
  }

  private mutating func grow(to object: Int) {
    guard object >= last.count else { return }
    let count = object + 1 - last.count
    last += Array(repeating: Doing(event: 0, strand: .max, index: -1), count: count)
    users += Array(repeating: [], count: count)
  }

  private mutating func note(_ user: User, _ object: Int) {
    guard let index = users[object].firstIndex(where: { $0.event == user.event }) else {
      users[object].append(user)
      return
    }
    if users[object][index].strand != user.strand { users[object][index].strand = .max }
    users[object][index].looks = users[object][index].looks || user.looks
    users[object][index].changes = users[object][index].changes || user.changes
  }

  private mutating func see(_ pair: Pair, isHandOver: Bool) {
    guard let number = number(of: pair, isHandOver), pairs[number].last != schedules else { return }
    pairs[number].last = schedules
    pairs[number].seen += 1
    if pairs[number].seen == 1 { seen += 1 }
  }

  private mutating func number(of pair: Pair, _ isHandOver: Bool) -> Int? {
    if let number = numbers[pair] { return number }
    guard pairs.count < Self.mostPairs else {
      isCut = true
      return nil
    }
    numbers[pair] = pairs.count
    pairs.append(Known(pair: pair, isHandOver: isHandOver))
    return pairs.count - 1
  }

  // MARK: What could be

  /// Every change of the object might be the one that is seen by every look at it.
  private mutating func imagine(_ users: [User]) {
    // Making them up again only takes time.
    if imagined.count == Self.mostImagined { imagined.removeAll(keepingCapacity: true) }
    guard imagined.insert(Self.sum(of: users)).inserted else { return }
    note(kind: Set(users.map(\.event)))
    guard users.count <= Self.mostUsers else { return }
    for second in users where second.looks {
      for first in users where first.changes && canMeet(first, second) {
        if numbers[Pair(first: first.event, second: second.event)] == nil {
          _ = number(of: Pair(first: first.event, second: second.event), !second.isAccess)
        }
        note(changer: first.event, of: second.event)
      }
      if changers[second.event] != nil {
        _ = number(of: Pair(first: 0, second: second.event), !second.isAccess)
      }
    }
  }

  /// The same for objects with the same places, of which the same are several strands'.
  private static func sum(of users: [User]) -> UInt64 {
    users.reduce(0) { sum, user in
      let flags = (user.strand == .max ? 1 : 0) | (user.looks ? 2 : 0) | (user.changes ? 4 : 0)
      var word = SplitMix64(seed: Seed(rawValue: UInt64(user.event) << 3 | UInt64(flags)))
      return sum &+ word.next()
    }
  }

  /// Keeps a kind. If all its steps are steps of another one, a schedule has shown a part of that
  /// one.
  private mutating func note(kind: Set<Event>) {
    uses.formUnion(kind)
    if kinds.contains(where: kind.isSubset) { return }
    kinds.removeAll { $0.isSubset(of: kind) }
    if kinds.count < Self.mostKinds { kinds.append(kind) }
  }

  private func canMeet(_ first: User, _ second: User) -> Bool {
    first.strand != second.strand || first.strand == .max
  }

  private mutating func note(changer: Event, of event: Event) {
    if changers[event]?.contains(changer) != true { changers[event, default: []].append(changer) }
  }
}

extension OperationKind {
  /// Whether it takes a lock.
  var isTaking: Bool { self == .lock || self == .tryLock || self == .share }
}
