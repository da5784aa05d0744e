import CThreadmillGate
import Testing

/// The gate's rules for waits that last: inversions, starved pools, hangs, the main queue.
@Suite struct WaitDecisionTests {
  // MARK: Priority inversion

  private func isInverted(_ change: (inout tm_inversion_signs) -> Void) -> Bool {
    var signs = tm_inversion_signs(
      other_known: true, ranked: false, waiter: 0x19, other: 0x09, other_had_object: true,
      without_owner: false, semaphore: false, others_work_is_waiters: false)
    change(&signs)
    return tm_is_inverted(signs)
  }

  @Test func anInversion() {
    #expect(isInverted { _ in })
    #expect(isInverted { ($0.ranked, $0.waiter, $0.other) = (true, 0, 0x54) })
    #expect(isInverted { $0.other_had_object = false })
    #expect(
      isInverted {
        ($0.other_had_object, $0.semaphore, $0.others_work_is_waiters) = (false, true, true)
      })
  }

  @Test func noInversion() {
    #expect(!isInverted { $0.other_known = false })
    #expect(!isInverted { $0.other = 0x19 })
    #expect(!isInverted { $0.other = 0 })
    #expect(!isInverted { $0.waiter = 0 })
    #expect(!isInverted { $0.without_owner = true })
    #expect(!isInverted { ($0.other_had_object, $0.semaphore) = (false, true) })
  }

  @Test func anInversionIsWorthAFinding() {
    #expect(tm_is_inversion_of_interest(false, TM_MUTEX))
    #expect(tm_is_inversion_of_interest(true, TM_SERIAL_QUEUE))
    #expect(!tm_is_inversion_of_interest(false, TM_SERIAL_QUEUE))
    #expect(!tm_is_inversion_of_interest(false, TM_CONCURRENT_QUEUE))
    #expect((0..<10).map { tm_may_tell_inversion($0, true) }.filter { $0 }.count == 8)
    #expect((0..<10).map { tm_may_tell_inversion($0, false) }.filter { $0 }.count == 1)
  }

  @Test func anItemRaisesItsQueue() {
    #expect(tm_raises_queue(0x19, 0x11, 2))
    #expect(!tm_raises_queue(0x19, 0x11, 1))
    #expect(!tm_raises_queue(0x11, 0x11, 9))
    #expect(!tm_raises_queue(0x11, 0x19, 9))
    #expect(!tm_raises_queue(0x19, 0, 9))
    #expect(!tm_raises_queue(0, 0x11, 9))
  }

  // MARK: Pools

  private static let tasks = tm_pool_signs(
    cooperative: true, work_waits: true, barrier_waits: false, suspended: false,
    help_is_on_its_way: false, all_blocked: true, blocked: 2, limit: 2)

  private static let blocks = but(tasks) { $0.cooperative = false }

  private static func but(
    _ signs: tm_pool_signs, _ change: (inout tm_pool_signs) -> Void
  ) -> tm_pool_signs {
    var signs = signs
    change(&signs)
    return signs
  }

  @Test(
    "starved",
    arguments: [
      tasks, blocks, but(tasks) { $0.suspended = true },
      but(blocks) { $0.help_is_on_its_way = true }, but(tasks) { $0.blocked = 3 },
    ])
  func starved(signs: tm_pool_signs) { #expect(tm_is_starved(signs)) }

  @Test(
    "not starved",
    arguments: [
      but(tasks) { $0.work_waits = false }, but(tasks) { $0.barrier_waits = true },
      but(tasks) { $0.help_is_on_its_way = true }, but(tasks) { $0.all_blocked = false },
      but(tasks) { $0.blocked = 1 }, but(blocks) { $0.suspended = true },
    ])
  func notStarved(signs: tm_pool_signs) { #expect(!tm_is_starved(signs)) }

  @Test func libdispatchAddsAThread() {
    #expect(tm_gets_thread(Self.but(Self.blocks) { $0.blocked = 1 }))
    #expect(tm_gets_thread(Self.but(Self.blocks) { $0.all_blocked = false }))
    #expect(!tm_gets_thread(Self.blocks))
    #expect(!tm_gets_thread(Self.but(Self.tasks) { $0.blocked = 1 }))
    #expect(!tm_gets_thread(Self.but(Self.blocks) { ($0.blocked, $0.work_waits) = (1, false) }))
  }

  @Test func aTaskIsBlocked() {
    let blocking = [
      TM_SEMAPHORE, TM_GROUP, TM_CONDITION, TM_THREAD, TM_WORK_ITEM, TM_SERIAL_QUEUE,
      TM_CONCURRENT_QUEUE,
    ]
    #expect(blocking.allSatisfy(tm_blocks_task))
    let short = [TM_MUTEX, TM_RECURSIVE_MUTEX, TM_RWLOCK, TM_SPIN, TM_SWIFT_MUTEX, TM_ONCE]
    #expect(!short.contains(where: tm_blocks_task))
    #expect(tm_sleep_blocks_task(100))
    #expect(!tm_sleep_blocks_task(99))
  }

  // MARK: Hangs

  private static let stuck = tm_thread_signs(
    asleep: true, waits: true, bounded: false, working: false, librarys: false, main: false,
    in_futex: true, shared: false, without_source: false)

  private static func but(
    _ signs: tm_thread_signs, _ change: (inout tm_thread_signs) -> Void
  ) -> tm_thread_signs {
    var signs = signs
    change(&signs)
    return signs
  }

  private static let idle = but(stuck) {
    ($0.waits, $0.librarys, $0.without_source) = (false, true, true)
  }

  private static let eventLoop = but(idle) {
    ($0.librarys, $0.main, $0.in_futex) = (false, true, false)
  }

  @Test(
    arguments: [
      (stuck, .TM_THREAD_STUCK), (but(stuck) { $0.working = true }, .TM_THREAD_STUCK),
      (idle, .TM_THREAD_IDLE), (eventLoop, .TM_THREAD_IDLE),
      (but(stuck) { $0.asleep = false }, .TM_THREAD_MOVING),
      (but(stuck) { $0.bounded = true }, .TM_THREAD_MOVING),
      (but(stuck) { $0.shared = true }, .TM_THREAD_MOVING),
      (but(stuck) { $0.waits = false }, .TM_THREAD_MOVING),
      (but(idle) { $0.working = true }, .TM_THREAD_MOVING),
      (but(idle) { $0.without_source = false }, .TM_THREAD_MOVING),
      (but(eventLoop) { $0.in_futex = true }, .TM_THREAD_MOVING),
    ] as [(tm_thread_signs, tm_thread_state)])
  func theStateOfAThread(signs: tm_thread_signs, state: tm_thread_state) {
    #expect(tm_state_of_thread(signs) == state)
  }

  /// A library's own thread may wake up and find nothing to do.
  @Test func aThreadThatWokeUpMayMove() {
    #expect(!tm_may_move(Self.stuck, false))
    #expect(tm_may_move(Self.stuck, true))
    #expect(!tm_may_move(Self.idle, true))
    #expect(tm_may_move(Self.eventLoop, true))
    #expect(tm_may_move(Self.but(Self.stuck) { $0.bounded = true }, false))
  }

  /// The default of `threadmill run` tells a hang only if every thread is bound.
  @Test func aThreadIsBoundIfOnlyOthersCanWakeIt() {
    #expect(tm_is_bound(Self.stuck))
    #expect(tm_is_bound(Self.idle))
    #expect(!tm_is_bound(Self.eventLoop))
    #expect(!tm_is_bound(Self.but(Self.stuck) { $0.in_futex = false }))
    #expect(!tm_is_bound(Self.but(Self.stuck) { $0.shared = true }))
    #expect(!tm_is_bound(Self.but(Self.stuck) { $0.bounded = true }))
    #expect(!tm_is_bound(Self.but(Self.idle) { $0.without_source = false }))
  }

  @Test func aStandstillKeepsSomethingFromItsEnd() {
    #expect(tm_is_kept_from_end(true, false))
    #expect(tm_is_kept_from_end(false, true))
    #expect(!tm_is_kept_from_end(false, false))
  }

  // MARK: The main queue

  @Test func theMainQueueIsKept() {
    #expect(tm_keeps_main_queue(250_000_000, 250))
    #expect(!tm_keeps_main_queue(249_999_999, 250))
  }

  @Test func theMainQueueIsKeptFromOthersOnly() {
    #expect(tm_main_queue_kept(1_000, 400, 1_500, 1) == 500, "queued before it began")
    #expect(tm_main_queue_kept(1_000, 1_400, 1_500, 1) == 100, "queued while it went on")
    #expect(tm_main_queue_kept(1_000, 1_600, 1_500, 1) == 0, "the clocks of two cores")
    #expect(tm_main_queue_kept(1_000, 400, 1_500, 0) == 0, "none is queued any more")
  }
}
