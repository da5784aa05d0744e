import CThreadmillGate

/// A `Mutex` that threads of all kinds of code lock and unlock, run through every order of their
/// steps. The kernel is a part of the model; what the gate does is asked of `threadmill_mutex.h`.
///
/// A step is one access to the word, by a thread or by the kernel. A state that was reached before
/// is not gone on from again, so that threads may spin.
struct MutexWordModel {
  /// What code makes of a `Mutex`.
  enum Code: CaseIterable, Sendable {
    /// Its lock and unlock come to the gate: a debug build.
    case caught
    /// It exchanges by itself, and calls the gate where that fails: an optimised build.
    case optimised
    /// It exchanges by itself, and calls the standard library where that fails.
    case foreign
  }

  /// What is left out of the protocol.
  enum Flaw: CaseIterable, Sendable {
    /// A word is marked without looking whether it is still 0.
    case marksByStore
    /// A lock that threads wait for is freed like any other.
    case freesAwaited
    /// A word is marked when it was freed already.
    case marksAfterwards
    /// A lock is freed without looking whether the word is still the same.
    case freesByStore
    /// A free word is marked with KNOWN, which the kernel leaves beside the next owner's number.
    case marksWithKnown
    /// A thread that gave the lock back to the kernel for a moment, and did not get it, counts as
    /// waiting no longer.
    case leavesTheCount
    /// A word that is 0 is taken for that of a new mutex also while threads wait.
    case ignoresTheCount
  }

  struct Actor: Hashable {
    let code: Code
    let tries: Bool
    var rounds: Int
    var place = Place.outside
    /// The word as the actor last saw it.
    var seen: UInt32 = 0
    /// The gate counts it as waiting.
    var isCounted = false
    /// It has taken a new mutex only to leave the mark in its word.
    var isMarking = false
    var hasReleased = false
  }

  /// Where an actor is: the names say what it does next.
  enum Place: Hashable {
    case outside, mark, exchange, look, take, askKernel, asleep
    case given, wash, kernelWashes, takeWashed
    case inside, giveExchange, giveLook, give, giveKernel, kernelGives, markLate, gone
  }

  struct State: Hashable {
    var word: UInt32 = 0
    var actors: [Actor]
    /// Threads that wait in the kernel, first come first.
    var queue: [Int] = []
    var isFreed = false
    /// The gate knows of the mutex: a thread has left the mark.
    var isKnown = false
  }

  enum Violation: Error, Hashable {
    case twoInside, refused, kernelFindsInconsistency, lostWakeup, usedAfterFree, leftover
    /// Only of actors whose code is all caught: other code leaves 0 as well.
    case takenForNew
  }

  let flaw: Flaw?
  private(set) var states: Set<State> = []
  private(set) var violations: Set<Violation> = []

  init(_ actors: [Actor], flaw: Flaw? = nil) {
    self.flaw = flaw
    var open = [State(actors: actors)]
    states = Set(open)
    while let state = open.popLast() {
      do {
        for next in try successors(of: state) where states.insert(next).inserted {
          open.append(next)
        }
      } catch {
        violations.insert(error)
      }
    }
  }

  private func successors(of state: State) throws(Violation) -> [State] {
    var result: [State] = []
    for index in state.actors.indices {
      let place = state.actors[index].place
      guard place != .asleep && place != .gone else { continue }
      var next = state
      try step(index, &next)
      try check(next)
      result.append(next)
    }
    if result.isEmpty {
      guard state.queue.isEmpty else { throw .lostWakeup }
      guard isFree(state.word) else { throw .leftover }
    }
    return result
  }

  private func check(_ state: State) throws(Violation) {
    let inside = state.actors.indices.filter { state.actors[$0].place == .inside }
    guard inside.count < 2 else { throw .twoInside }
    if let owner = inside.first, state.word & UInt32(TM_WORD_OWNER) != number(owner) {
      throw .refused
    }
  }
}

extension MutexWordModel {
  /// The flag in a locked word, and what stands in a free one.
  var known: UInt32 { UInt32(TM_WORD_KNOWN) }
  var marked: UInt32 { flaw == .marksWithKnown ? known : TM_WORD_MARKED }

  func isFree(_ word: UInt32) -> Bool { word == 0 || word == marked }

  func number(_ index: Int) -> UInt32 { UInt32(index + 1) }

  /// Returns the number of threads that the gate counts as waiting.
  func waiting(_ state: State) -> Int { state.actors.count { $0.isCounted } }

  /// Puts `next` in the place of `seen`, if that is still there.
  func exchange(_ seen: UInt32, _ next: UInt32, _ state: inout State) -> Bool {
    guard state.word == seen else { return false }
    state.word = next
    return true
  }
}
