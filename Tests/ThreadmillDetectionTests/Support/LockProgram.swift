import ThreadmillModel

/// A random program of a few strands and locks.
struct LockProgram {
  enum Operation: Hashable {
    case acquire(lock: Int, mode: HoldMode)
    /// Takes the lock only if nobody is in the way.
    case attempt(lock: Int, mode: HoldMode)
    /// Nothing if an attempt failed before.
    case release(lock: Int)
    case fork(strand: Int)
    case join(strand: Int)
    case send(channel: Int)
    case receive(channel: Int)
    /// The instance is destroyed, if nobody is using it, and another one takes its place.
    case replace(lock: Int)
    /// The lock turns out to be none.
    case disqualify(lock: Int)
  }

  var strands: [[Operation]]
  var lockCount: Int

  /// - Parameter removals: whether locks are replaced and disqualified while the program runs.
  init(using random: inout SeededGenerator, removals: Bool) {
    lockCount = 2 + random.below(4)
    let strandCount = 2 + random.below(3)
    strands = []
    for _ in 0..<strandCount {
      var body: [Operation] = []
      for _ in 0..<(1 + random.below(3)) {
        body += Self.section(lockCount, using: &random)
        if removals, random.chance(35) { body.append(.replace(lock: random.below(lockCount))) }
        if removals, random.chance(8) { body.append(.disqualify(lock: random.below(lockCount))) }
      }
      strands.append(body)
    }
    addForksAndJoins(using: &random)
    if random.chance(40) { addHandOver(using: &random) }
  }

  /// Two to four locks, one inside the other, and all released again.
  private static func section(
    _ lockCount: Int, using random: inout SeededGenerator
  ) -> [Operation] {
    let depth = min(2 + random.below(3), lockCount)
    var locks = Array((0..<lockCount).shuffled(using: &random).prefix(depth))
    if random.chance(25), let gate = locks.firstIndex(of: 0) { locks.swapAt(0, gate) }
    if random.chance(8) { locks.append(locks[0]) }
    let takes = locks.map { lock -> Operation in
      let mode: HoldMode = random.chance(30) ? .shared : .exclusive
      return random.chance(15) ? .attempt(lock: lock, mode: mode) : .acquire(lock: lock, mode: mode)
    }
    let order = random.chance(70) ? locks.reversed() : locks.shuffled(using: &random)
    return takes + order.map(Operation.release)
  }

  /// Each strand but the first is forked by an earlier one and, perhaps, joined by it later.
  private mutating func addForksAndJoins(using random: inout SeededGenerator) {
    for child in strands.indices.dropFirst() {
      let parent = random.below(child)
      let start = random.below(strands[parent].count + 1)
      strands[parent].insert(.fork(strand: child), at: start)
      guard random.chance(50) else { continue }
      let after = start + 1
      let end = after + random.below(strands[parent].count - after + 1)
      strands[parent].insert(.join(strand: child), at: end)
    }
  }

  private mutating func addHandOver(using random: inout SeededGenerator) {
    let sender = random.below(strands.count)
    let receiver = random.below(strands.count)
    guard sender != receiver else { return }
    strands[sender].insert(.send(channel: 0), at: random.below(strands[sender].count + 1))
    strands[receiver].insert(.receive(channel: 0), at: random.below(strands[receiver].count + 1))
  }
}
