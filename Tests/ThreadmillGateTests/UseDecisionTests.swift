import CThreadmillGate
import Testing

/// The gate's rules for the use of single objects: locks, queues, continuations, operations.
@Suite struct UseDecisionTests {
  // MARK: Locks

  private func relock(
    _ kind: tm_kind, held: tm_mode = TM_EXCLUSIVE, wanted: tm_mode = TM_EXCLUSIVE,
    recursive: Bool = false, checksErrors: Bool = false, othersRelease: Bool = false
  ) -> tm_relock_result {
    tm_relock(
      tm_relock_signs(
        kind: kind, held: held, wanted: wanted, recursive: recursive, checks_errors: checksErrors,
        others_release: othersRelease))
  }

  @Test func takingALockAgainHangs() {
    #expect(relock(TM_MUTEX) == .TM_RELOCK_HANGS)
    #expect(relock(TM_SPIN) == .TM_RELOCK_HANGS)
    #expect(relock(TM_SWIFT_MUTEX) == .TM_RELOCK_HANGS)
    #expect(relock(TM_RWLOCK, held: TM_SHARED) == .TM_RELOCK_HANGS)
  }

  @Test func takingALockAgainDoesNotHang() {
    #expect(relock(TM_MUTEX, recursive: true) == .TM_RELOCK_COUNTS)
    #expect(relock(TM_RWLOCK, held: TM_SHARED, wanted: TM_SHARED) == .TM_RELOCK_COUNTS)
    #expect(relock(TM_MUTEX, checksErrors: true) == .TM_RELOCK_RETURNS)
    #expect(relock(TM_MUTEX, othersRelease: true) == .TM_RELOCK_RETURNS)
    #expect(relock(TM_RWLOCK, held: TM_SHARED, othersRelease: true) == .TM_RELOCK_RETURNS)
    #expect(relock(TM_SEMAPHORE) == .TM_RELOCK_RETURNS)
    #expect(relock(TM_RWLOCK) == .TM_RELOCK_RETURNS)
    #expect(relock(TM_RWLOCK, wanted: TM_SHARED) == .TM_RELOCK_RETURNS)
  }

  @Test func onlyReadersShare() {
    #expect(tm_excludes(TM_EXCLUSIVE, TM_EXCLUSIVE))
    #expect(tm_excludes(TM_SHARED, TM_EXCLUSIVE))
    #expect(tm_excludes(TM_EXCLUSIVE, TM_SHARED))
    #expect(!tm_excludes(TM_SHARED, TM_SHARED))
  }

  @Test func cancellationEndsNoWaitForLock() {
    #expect([TM_THREAD, TM_SEMAPHORE, TM_CONDITION].allSatisfy(tm_ends_by_cancellation))
    #expect(![TM_MUTEX, TM_RWLOCK, TM_SPIN].contains(where: tm_ends_by_cancellation))
  }

  @Test func someLocksBelongToTheirThread() {
    #expect([TM_MUTEX, TM_RWLOCK, TM_SPIN].allSatisfy(tm_belongs_to_thread))
    #expect(![TM_SEMAPHORE, TM_SERIAL_QUEUE, TM_ACTOR].contains(where: tm_belongs_to_thread))
  }

  // MARK: Confinement

  @Test func eachSignAcquits() {
    func mayBeInside(serial: Bool, _ change: (inout tm_queue_signs) -> Void) -> Bool {
      var signs = tm_queue_signs(
        serial: serial, owned: false, main_here: false, held: false, runs_below: false,
        owner_unknown: false, further_out: false)
      change(&signs)
      return tm_may_be_in_queue(signs)
    }
    for serial in [true, false] {
      #expect(!mayBeInside(serial: serial) { _ in })
      #expect(mayBeInside(serial: serial) { $0.owned = true })
      #expect(mayBeInside(serial: serial) { $0.main_here = true })
      #expect(mayBeInside(serial: serial) { $0.held = true })
      #expect(mayBeInside(serial: serial) { $0.runs_below = true })
      #expect(mayBeInside(serial: serial) { $0.owner_unknown = true } == serial)
      #expect(mayBeInside(serial: serial) { $0.further_out = true } != serial)
    }
  }

  // MARK: Suspended queues and sources

  private func mayNotBeReleased(
    _ changes: [tm_suspension_change], inactive: Bool = false, ofSource: Bool = false
  ) -> Bool {
    let first = tm_suspension(count: 0, inactive: inactive)
    let last = changes.reduce(first) { tm_suspension_after($0, $1, ofSource) }
    return tm_may_not_be_released(last)
  }

  @Test func aSuspendedObjectMayNotBeReleased() {
    #expect(mayNotBeReleased([.TM_SUSPENDS]))
    #expect(mayNotBeReleased([.TM_SUSPENDS, .TM_SUSPENDS, .TM_RESUMES]))
    #expect(mayNotBeReleased([.TM_RESUMES, .TM_SUSPENDS]))
    #expect(mayNotBeReleased([], inactive: true))
    #expect(mayNotBeReleased([.TM_RESUMES], inactive: true))
    #expect(mayNotBeReleased([.TM_SUSPENDS, .TM_RESUMES], inactive: true, ofSource: true))
    #expect(mayNotBeReleased([.TM_SUSPENDS, .TM_ACTIVATES], inactive: true))
  }

  @Test func aResumedObjectMayBeReleased() {
    #expect(!mayNotBeReleased([]))
    #expect(!mayNotBeReleased([.TM_SUSPENDS, .TM_RESUMES]))
    #expect(!mayNotBeReleased([.TM_ACTIVATES], inactive: true))
    #expect(!mayNotBeReleased([.TM_RESUMES], inactive: true, ofSource: true))
  }

  // MARK: Continuations

  @Test func aContinuationIsResumedAgain() {
    func again(_ known: Bool, _ resumed: Bool, _ fresh: Bool) -> Bool {
      tm_is_resumed_again(tm_resumption(known: known, resumed: resumed, fresh: fresh))
    }
    #expect(again(true, true, false))
    #expect(!again(false, true, false))
    #expect(!again(true, false, false))
    #expect(!again(true, true, true))
  }

  // MARK: Operations

  @Test func aStartTrapsInBetween() {
    #expect(tm_start_means(TM_STATE_INITIALIZED, false) == .TM_START_FIRST)
    #expect(tm_start_means(TM_STATE_FINISHED, false) == .TM_START_ALLOWED)
    #expect(tm_start_means(TM_STATE_STARTING, true) == .TM_START_ALLOWED)
    #expect(tm_start_means(TM_STATE_STARTING, false) == .TM_START_AGAIN)
    let between = [
      TM_STATE_ENQUEUING, TM_STATE_ENQUEUED, TM_STATE_DISPATCHING, TM_STATE_EXECUTING,
      TM_STATE_FINISHING,
    ]
    #expect(between.allSatisfy { tm_start_means($0, true) == .TM_START_AGAIN })
  }

  @Test func anOperationIsKeptBackByItsDependencies() {
    #expect(tm_is_kept_back(TM_STATE_INITIALIZED, false, false))
    #expect(tm_is_kept_back(TM_STATE_ENQUEUED, false, false))
    #expect(!tm_is_kept_back(TM_STATE_DISPATCHING, false, false))
    #expect(!tm_is_kept_back(TM_STATE_ENQUEUED, true, false))
    #expect(!tm_is_kept_back(TM_STATE_ENQUEUED, false, true))
  }
}
