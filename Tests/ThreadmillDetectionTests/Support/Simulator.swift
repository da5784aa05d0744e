import ThreadmillModel

/// Runs a program, one strand at a time in random order, and writes down what a gate would see.
///
/// Two descriptions of the same order are kept apart: clocks, as the graph gets them, and plain
/// steps with their direct successors, as the oracle gets them.
struct Simulator {
  enum Occurrence {
    case created(LockID)
    case nested(NestedAcquisition, step: Int)
    case retired(LockID)
    case disqualified(LockID)
  }

  fileprivate struct Strand {
    var rest: ArraySlice<LockProgram.Operation>
    var isStarted = false
    var isAnnounced = false
    var held: [Hold] = []
    var slot = 0
    var knowledge: [UInt32] = []
    var lastStep: Int?
  }

  private(set) var occurrences: [Occurrence] = []
  /// For each step, the steps that come before it, as a set of bits.
  private(set) var past: [UInt128] = []

  private var strands: [Strand]
  private var instances: [LockID] = []
  private var lastInstance: UInt64 = 0
  private var times: [UInt32] = [1]
  private var freeSlots: [(slot: Int, endedAt: UInt32)] = []
  private var mailbox: [Int: (knowledge: [UInt32], step: Int)] = [:]
  private var endings: [Int: (knowledge: [UInt32], step: Int)] = [:]

  init(_ program: LockProgram, using random: inout SeededGenerator) {
    strands = program.strands.map { Strand(rest: $0[...]) }
    for _ in 0..<program.lockCount { create() }
    strands[0].isStarted = true
    while past.count < 127, let index = ready.randomElement(using: &random) { advance(index) }
  }

  private var ready: [Int] {
    strands.indices.filter { strands[$0].isStarted && !(strands[$0].rest.isEmpty || isStuck($0)) }
  }

  /// Whether the strand would wait, and has said so already.
  private func isStuck(_ index: Int) -> Bool {
    switch strands[index].rest.first {
    case .acquire(let lock, let mode):
      strands[index].isAnnounced && !isFree(lock, mode, for: index)
    case .join(let strand): endings[strand] == nil
    case .receive(let channel): mailbox[channel] == nil
    default: false
    }
  }

  private func isFree(_ lock: Int, _ mode: HoldMode, for index: Int) -> Bool {
    let id = instances[lock]
    return strands.indices.allSatisfy { other in
      other == index
        || !strands[other].held.contains { $0.lock == id && $0.mode.excludes(mode) }
    }
  }

  private mutating func advance(_ index: Int) {
    guard let operation = strands[index].rest.first else { return }
    if case .acquire(let lock, let mode) = operation, !strands[index].isAnnounced {
      announce(Hold(lock: instances[lock], mode: mode), by: index)
      return
    }
    strands[index].rest.removeFirst()
    strands[index].isAnnounced = false
    perform(operation, by: index)
    if strands[index].rest.isEmpty { end(index) }
  }

  private mutating func announce(_ wanted: Hold, by index: Int) {
    strands[index].isAnnounced = true
    let step = nextStep(of: index)
    guard !strands[index].held.isEmpty else { return }
    let moment = Moment(
      strand: StrandID(UInt64(index)), slot: strands[index].slot,
      time: times[strands[index].slot], knowledge: strands[index].knowledge)
    let event = NestedAcquisition(
      thread: ThreadID(UInt32(index)), moment: moment, held: strands[index].held, wanted: wanted)
    occurrences.append(.nested(event, step: step))
  }

  private mutating func perform(_ operation: LockProgram.Operation, by index: Int) {
    switch operation {
    case .acquire(let lock, let mode):
      strands[index].held.append(Hold(lock: instances[lock], mode: mode))
    case .attempt(let lock, let mode):
      guard isFree(lock, mode, for: index) else { return }
      strands[index].held.append(Hold(lock: instances[lock], mode: mode))
    case .release(let lock):
      let id = instances[lock]
      guard let last = strands[index].held.lastIndex(where: { $0.lock == id }) else { return }
      strands[index].held.remove(at: last)
    case .fork(let strand): fork(strand, by: index)
    case .join(let strand): receive(endings[strand], by: index)
    case .send(let channel): mailbox[channel] = message(from: index)
    case .receive(let channel): receive(mailbox[channel], by: index)
    case .replace(let lock): replace(lock)
    case .disqualify(let lock): occurrences.append(.disqualified(instances[lock]))
    }
  }

  // MARK: Locks

  private mutating func create() {
    lastInstance += 1
    instances.append(LockID(lastInstance))
    occurrences.append(.created(LockID(lastInstance)))
  }

  private mutating func replace(_ lock: Int) {
    let id = instances[lock]
    let isUsed = strands.contains { strand in
      strand.held.contains { $0.lock == id } || (strand.isAnnounced && strand.wants(lock))
    }
    guard !isUsed else { return }
    occurrences.append(.retired(id))
    create()
    instances.swapAt(lock, instances.count - 1)
    instances.removeLast()
  }

  // MARK: Order

  private mutating func nextStep(of index: Int, after others: [Int] = []) -> Int {
    let before = others + (strands[index].lastStep.map { [$0] } ?? [])
    past.append(before.reduce(0) { $0 | past[$1] | (1 << UInt128($1)) })
    strands[index].lastStep = past.count - 1
    return past.count - 1
  }

  private mutating func message(from index: Int) -> (knowledge: [UInt32], step: Int) {
    let slot = strands[index].slot
    var knowledge = strands[index].knowledge
    knowledge.raise(slot, to: times[slot])
    times[slot] += 1
    return (knowledge, nextStep(of: index))
  }

  private mutating func receive(_ message: (knowledge: [UInt32], step: Int)?, by index: Int) {
    guard let message else { return }
    for (slot, time) in message.knowledge.enumerated() {
      strands[index].knowledge.raise(slot, to: time)
    }
    _ = nextStep(of: index, after: [message.step])
  }

  private mutating func fork(_ child: Int, by parent: Int) {
    let message = message(from: parent)
    strands[child].slot = slot(knownBy: message.knowledge)
    strands[child].isStarted = true
    receive(message, by: child)
    if strands[child].rest.isEmpty { end(child) }
  }

  /// A slot whose last strand is known to be over, or a new one.
  private mutating func slot(knownBy knowledge: [UInt32]) -> Int {
    let reusable = freeSlots.firstIndex { free in
      free.slot < knowledge.count && knowledge[free.slot] >= free.endedAt
    }
    if let reusable { return freeSlots.remove(at: reusable).slot }
    times.append(1)
    return times.count - 1
  }

  private mutating func end(_ index: Int) {
    let slot = strands[index].slot
    freeSlots.append((slot, times[slot]))
    endings[index] = message(from: index)
  }
}

extension Simulator.Strand {
  fileprivate func wants(_ lock: Int) -> Bool {
    if case .acquire(lock, _) = rest.first { true } else { false }
  }
}

extension [UInt32] {
  fileprivate mutating func raise(_ slot: Int, to time: UInt32) {
    if count <= slot { self += Array(repeating: 0, count: slot + 1 - count) }
    self[slot] = Swift.max(self[slot], time)
  }
}
