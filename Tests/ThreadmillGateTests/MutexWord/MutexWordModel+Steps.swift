import CThreadmillGate

/// The steps of an actor.
extension MutexWordModel {
  func step(_ index: Int, _ state: inout State) throws(Violation) {
    guard !state.isFreed else { throw .usedAfterFree }
    switch state.actors[index].place {
    case .outside, .mark, .exchange: try lockInlined(index, &state)
    case .look, .take: try lock(index, &state)
    case .askKernel: try askKernel(index, &state)
    case .given, .wash, .kernelWashes, .takeWashed: try mark(index, &state)
    case .inside, .giveExchange: unlockInlined(index, &state)
    case .giveLook, .give, .giveKernel, .kernelGives, .markLate: try unlock(index, &state)
    case .asleep, .gone: break
    }
  }

  /// The code that the compiler puts into the user's function.
  private func lockInlined(_ index: Int, _ state: inout State) throws(Violation) {
    let actor = state.actors[index]
    switch actor.place {
    case .outside:
      state.actors[index].seen = state.word
      let marks = actor.code == .caught && state.word == 0
      state.actors[index].place = marks ? .mark : .exchange
    case .mark:
      if flaw == .marksByStore { state.word = marked }
      let takes = flaw != .marksByStore && exchange(0, number(index) | known, &state)
      state.actors[index].isMarking = takes
      if takes { try takeForNew(&state) }
      state.actors[index].place = takes ? .giveLook : .exchange
    default:
      if exchange(0, number(index), &state) { return enter(index, &state) }
      state.actors[index].place = .look
    }
  }

  /// A mutex is new if its word is 0 and no thread waits.
  private func takeForNew(_ state: inout State) throws(Violation) {
    let isNew = waiting(state) == 0 || flaw == .ignoresTheCount
    guard !isNew || !state.isKnown || state.actors.contains(where: { $0.code != .caught }) else {
      throw .takenForNew
    }
    state.isKnown = true
  }

  private func enter(_ index: Int, _ state: inout State) {
    state.actors[index].place = .inside
    state.actors[index].seen = 0
    state.actors[index].isCounted = false
  }

  /// `_lockSlow` and `_tryLockSlow`, of the gate or of the standard library.
  private func lock(_ index: Int, _ state: inout State) throws(Violation) {
    let actor = state.actors[index]
    if actor.place == .take {
      let next = wanted(actor, index).next
      if exchange(actor.seen, next, &state) { return enter(index, &state) }
      state.actors[index].place = .look
      return
    }
    state.actors[index].seen = state.word
    switch wanted(state.actors[index], index).way {
    case TM_WORD_EXCHANGE: state.actors[index].place = .take
    case TM_WORD_REFUSE: throw .refused
    default:
      if actor.tries { return tryInVain(index, &state) }
      if actor.code != .foreign { state.actors[index].isCounted = true }
      state.actors[index].place = .askKernel
    }
  }

  /// The standard library's step: 0 → number, or the kernel.
  private func wanted(_ actor: Actor, _ index: Int) -> tm_word_step {
    guard actor.code == .foreign else {
      let seen = actor.seen == marked ? TM_WORD_MARKED : actor.seen
      return tm_word_lock(seen, number(index), true)
    }
    let isFree = actor.seen == 0
    return tm_word_step(way: isFree ? TM_WORD_EXCHANGE : TM_WORD_KERNEL, next: number(index))
  }

  /// The standard library asks the kernel even then, which says that a thread waits.
  private func tryInVain(_ index: Int, _ state: inout State) {
    guard state.actors[index].code == .foreign else { return leave(index, &state) }
    if tm_word_owner(state.word) == 0 {
      state.word = state.word & known | number(index)
      return enter(index, &state)
    }
    state.word |= TM_WORD_AWAITED
    leave(index, &state)
  }

  /// The gate's steps after the kernel gave it the lock.
  private func mark(_ index: Int, _ state: inout State) throws(Violation) {
    let actor = state.actors[index]
    switch actor.place {
    case .given:
      let alone = waiting(state) == 1
      if tm_word_is_to_be_washed(state.word, number(index), alone) {
        state.actors[index].place = .wash
        return
      }
      _ = exchange(number(index), number(index) | known, &state)
    case .wash, .kernelWashes:
      state.actors[index].place = .kernelWashes
      if try release(index, actor.place == .wash, &state) {
        state.actors[index].place = .takeWashed
      }
      return
    default:
      guard exchange(0, number(index) | known, &state) else {
        state.actors[index].place = .look
        if flaw == .leavesTheCount { state.actors[index].isCounted = false }
        return
      }
    }
    enter(index, &state)
  }

  private func unlockInlined(_ index: Int, _ state: inout State) {
    let actor = state.actors[index]
    if actor.place == .inside {
      state.actors[index].place = actor.code == .caught ? .giveLook : .giveExchange
    } else if exchange(number(index), 0, &state) {
      leave(index, &state)
    } else {
      state.actors[index].place = actor.code == .foreign ? .giveKernel : .giveLook
    }
  }

  /// `_unlockSlow`, and the unlock of a debug build.
  private func unlock(_ index: Int, _ state: inout State) throws(Violation) {
    let actor = state.actors[index]
    switch actor.place {
    case .giveLook:
      state.actors[index].seen = state.word
      state.actors[index].place = .give
    case .give: try give(index, &state)
    case .markLate:
      _ = exchange(0, marked, &state)
      state.actors[index].place = state.actors[index].rounds == 0 ? .gone : .outside
    default:
      state.actors[index].place = .kernelGives
      if try release(index, actor.place == .giveKernel, &state) { leave(index, &state) }
    }
  }

  private func give(_ index: Int, _ state: inout State) throws(Violation) {
    var seen = state.actors[index].seen
    if flaw == .freesAwaited { seen &= ~TM_WORD_AWAITED }
    let step = tm_word_unlock(seen, number(index), flaw != .marksAfterwards)
    guard step.way != TM_WORD_REFUSE else { throw .refused }
    let next = step.next == TM_WORD_MARKED ? marked : step.next
    let stores = flaw == .freesByStore || flaw == .freesAwaited
    if stores { state.word = next }
    guard step.way == TM_WORD_EXCHANGE, stores || exchange(seen, next, &state) else {
      state.actors[index].place = .giveKernel
      return
    }
    leave(index, &state)
    if flaw == .marksAfterwards { state.actors[index].place = .markLate }
  }

  /// The round is over. Whoever leaves last may free the memory.
  private func leave(_ index: Int, _ state: inout State) {
    state.actors[index].seen = 0
    guard !state.actors[index].isMarking else {
      state.actors[index].isMarking = false
      state.actors[index].place = .exchange
      return
    }
    state.actors[index].rounds -= 1
    state.actors[index].hasReleased = state.actors[index].rounds == 0
    state.actors[index].place = state.actors[index].rounds == 0 ? .gone : .outside
    state.isFreed = state.actors.allSatisfy(\.hasReleased)
  }
}

/// The kernel's futex that passes priorities on.
extension MutexWordModel {
  private func owner(_ word: UInt32) -> UInt32 { tm_word_owner(word) }

  /// FUTEX_LOCK_PI.
  fileprivate func askKernel(_ index: Int, _ state: inout State) throws(Violation) {
    guard owner(state.word) != number(index) else { throw .refused }
    let isGates = state.actors[index].code != .foreign
    if owner(state.word) == 0 {
      guard state.queue.isEmpty else { throw .kernelFindsInconsistency }
      state.word = state.word & known | number(index)
      if isGates { state.actors[index].place = .given } else { enter(index, &state) }
      return
    }
    state.word |= TM_WORD_AWAITED
    state.queue.append(index)
    state.actors[index].place = .asleep
  }

  /// FUTEX_UNLOCK_PI, which is two steps: the kernel reads the word, and exchanges it when it has
  /// the futex's own lock. A thread that comes to wait in between changes the word. Returns whether
  /// the lock is given.
  ///
  /// The kernel reads once more if it sees a number that AWAITED was added to. With any other
  /// change it refuses, and the standard library ends the program: also if the number has KNOWN.
  fileprivate func release(_ index: Int, _ reads: Bool, _ state: inout State) throws(Violation)
    -> Bool
  {
    guard !reads else {
      guard owner(state.word) == number(index) else { throw .refused }
      state.actors[index].seen = state.word
      return false
    }
    let seen = state.actors[index].seen
    let isSame = state.word == seen
    let isAwaitedNow = !state.queue.isEmpty && owner(state.word) == seen
    guard isSame || isAwaitedNow else { throw .kernelFindsInconsistency }
    state.actors[index].seen = state.word
    if isSame { passOn(&state) }
    return isSame
  }

  /// The lock goes to the thread that has waited longest, or is free.
  private func passOn(_ state: inout State) {
    guard !state.queue.isEmpty else {
      state.word = 0
      return
    }
    let next = state.queue.removeFirst()
    state.word = number(next) | TM_WORD_AWAITED
    let isGates = state.actors[next].code != .foreign
    if isGates { state.actors[next].place = .given } else { enter(next, &state) }
  }
}
