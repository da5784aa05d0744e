#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel

  // The gate's events, turned into the model's values. Each switch is exhaustive: a new kind of
  // event does not compile until it has a value here. A view is valid during the up-call only;
  // everything here copies.

  /// Returns the first elements of an array of C, which Swift imports as a tuple.
  private func elements<Tuple, Element>(
    _ tuple: Tuple, _ count: UInt32, of _: Element.Type
  ) -> [Element] {
    withUnsafeBytes(of: tuple) { Array($0.bindMemory(to: Element.self).prefix(Int(count))) }
  }

  extension Backtrace {
    fileprivate init(_ view: tm_stack_view) { self.init(view.addresses, count: view.count) }
  }

  extension Happening.PastStep {
    fileprivate init(_ view: tm_stack_view) {
      self.init(at: Backtrace(view), by: view.thread == 0 ? nil : ThreadID(view.thread))
    }

    /// `nil` for an empty stack, which stands for an unknown place.
    fileprivate init?(known view: tm_stack_view) {
      if view.count == 0 { return nil }
      self.init(view)
    }
  }

  extension tm_places {
    fileprivate var views: [tm_stack_view] { elements(list, count, of: tm_stack_view.self) }
    fileprivate var steps: [Happening.PastStep] { views.map(Happening.PastStep.init) }
  }

  extension tm_main_queue_waiters {
    fileprivate var value: Happening.MainQueueWaiters {
      Happening.MainQueueWaiters(
        milliseconds: milliseconds, count: Int(count),
        submitted: submitted.views.map { Backtrace($0) })
    }
  }

  extension tm_group_overleft {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.GroupOverleft {
      Happening.GroupOverleft(
        thread: thread, group: group.sharedObject, enters: enters.steps, leaves: leaves.steps)
    }
  }

  extension tm_group_notified_early {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.GroupNotifiedEarly {
      Happening.GroupNotifiedEarly(
        thread: thread, group: group.sharedObject, notified: .init(notified),
        entered: .init(entered))
    }
  }

  extension tm_confinement_broken {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.ConfinementBroken {
      Happening.ConfinementBroken(
        thread: thread, object: object.sharedObject, place: place.sharedObject,
        confiner: ThreadID(confiner))
    }
  }

  extension tm_main_queue_held {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.MainQueueHeld {
      Happening.MainQueueHeld(
        thread: thread, queue: queue.sharedObject, submitted: Backtrace(submitted),
        function: function == 0 ? nil : UInt64(function), waiters: waiters.value)
    }
  }

  extension tm_main_thread_waited {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.MainThreadWaited {
      Happening.MainThreadWaited(
        thread: thread, object: object.sharedObject, waiters: waiters.value)
    }
  }

  extension tm_lock_kept {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.LockKept {
      Happening.LockKept(thread: thread, lock: lock.sharedObject, awaits: Backtrace(awaits))
    }
  }

  extension tm_resumed_twice {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.ResumedTwice {
      Happening.ResumedTwice(thread: thread, before: .init(before), made: Backtrace(made))
    }
  }

  extension tm_semaphore_freed_in_use {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.SemaphoreFreedInUse {
      Happening.SemaphoreFreedInUse(
        thread: thread, semaphore: semaphore.sharedObject, value: Int(value),
        initial: Int(initial), waits: waits.steps, signals: signals.steps)
    }
  }

  extension tm_suspended_released {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.SuspendedReleased {
      Happening.SuspendedReleased(
        thread: thread, object: object.sharedObject, isNeverActivated: never_activated,
        suspended: .init(known: suspended))
    }
  }

  extension tm_operation_finished_early {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.OperationFinishedEarly {
      Happening.OperationFinishedEarly(
        thread: thread, operation: operation.sharedObject, isCancelled: cancelled)
    }
  }

  extension tm_priority_inverted {
    fileprivate var betweenViews: UnsafeBufferPointer<tm_thread_view> {
      UnsafeBufferPointer(start: between, count: Int(between_count))
    }

    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.PriorityInverted? {
      guard let other else { return nil }
      let ranks = SchedulingRank(rawValue: waiter_rank).flatMap { waiter in
        SchedulingRank(rawValue: other_rank).map {
          Happening.PriorityInverted.Ranks(waiter: waiter, other: $0)
        }
      }
      return Happening.PriorityInverted(
        thread: thread, object: object.sharedObject, nanoseconds: nanoseconds,
        isHarmful: harmful, isLimited: limited,
        othersPart: other_ended_wait ? .endedWait : .hadObject, otherWaits: other_waits,
        ranks: ranks, other: other.pointee.snapshot(tests: []),
        between: betweenViews.map { $0.snapshot(tests: []) })
    }
  }

  extension tm_queue_raised {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.QueueRaised? {
      guard let submitter, let quality = Quality(rawValue: quality) else { return nil }
      return Happening.QueueRaised(
        thread: thread, queue: queue.sharedObject, quality: quality, nanoseconds: nanoseconds,
        isHarmful: harmful, backlog: Int(backlog),
        submitter: submitter.pointee.snapshot(tests: []))
    }
  }

  extension tm_job_blocked {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.JobBlocked {
      guard awaited.kind == TM_THREAD else {
        return Happening.JobBlocked(thread: thread, awaited: .object(awaited.sharedObject))
      }
      let joined = awaited.id == 0 ? nil : ThreadID(UInt32(awaited.id))
      return Happening.JobBlocked(thread: thread, awaited: .endOfThread(joined))
    }
  }

  extension tm_operations_in_cycle {
    fileprivate var listed: [tm_dependent_operation] {
      elements(operations, count, of: tm_dependent_operation.self)
    }

    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.OperationsInCycle {
      Happening.OperationsInCycle(
        thread: thread,
        operations: listed.map { .init($0.operation.sharedObject, told: Backtrace($0.told)) },
        length: Int(length))
    }
  }

  extension tm_operation_used_again {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.OperationUsedAgain {
      Happening.OperationUsedAgain(
        thread: thread, operation: operation.sharedObject, use: starts ? .start : .addToQueue,
        state: .init(state), firstUse: .init(known: first_use))
    }
  }

  extension OperationState {
    /// `nil` for a number that this version of the gate does not know.
    fileprivate init?(_ state: tm_operation_state) {
      switch state {
      case TM_STATE_INITIALIZED: self = .initialized
      case TM_STATE_ENQUEUING: self = .enqueuing
      case TM_STATE_ENQUEUED: self = .enqueued
      case TM_STATE_DISPATCHING: self = .dispatching
      case TM_STATE_STARTING: self = .starting
      case TM_STATE_EXECUTING: self = .executing
      case TM_STATE_FINISHING: self = .finishing
      case TM_STATE_FINISHED: self = .finished
      default: return nil
      }
    }
  }

  extension tm_operation_awaited_inside {
    fileprivate var betweenViews: [tm_object_view] {
      elements(between, between_count, of: tm_object_view.self)
    }

    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.OperationAwaitedInside {
      let hindrance: Happening.OperationAwaitedInside.Hindrance =
        switch hindrance {
        case .TM_HINDERED_ITSELF: .itself
        case .TM_HINDERED_BY_DEPENDENCY:
          .dependency(running: running.sharedObject, between: betweenViews.map(\.sharedObject))
        case .TM_HINDERED_BY_QUEUE: .queue(running: running.sharedObject)
        case .TM_HINDERED_BY_MAIN: .main
        }
      return Happening.OperationAwaitedInside(
        thread: thread, awaited: awaited.sharedObject, hindrance: hindrance)
    }
  }

  extension tm_group_awaited_inside {
    fileprivate var queueViews: [tm_object_view] {
      elements(queues, queue_count, of: tm_object_view.self)
    }

    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.GroupAwaitedInside {
      Happening.GroupAwaitedInside(
        thread: thread, group: group.sharedObject, queues: queueViews.map(\.sharedObject),
        isOnMain: on_main, blocks: blocks.steps)
    }
  }

  extension tm_owner_ended {
    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.OwnerEnded {
      let name = name.map { String(cString: $0) } ?? ""
      return Happening.OwnerEnded(
        thread: thread, lock: lock.sharedObject, owner: ThreadID(taken.thread),
        ownerName: name.isEmpty ? nil : name, taken: Backtrace(taken))
    }
  }

  extension tm_misuse {
    fileprivate var value: Happening.LockMisused.Misuse {
      switch self {
      case .TM_UNLOCKED_UNHELD: .unlockedUnheld
      case .TM_UNLOCKED_OTHERS: .unlockedOthers
      case .TM_DESTROYED_HELD: .destroyedHeld
      case .TM_DESTROYED_AWAITED: .destroyedAwaited
      case .TM_USED_DESTROYED: .usedDestroyed
      case .TM_AWAITED_WITHOUT: .awaitedWithout
      case .TM_AWAITED_WITH_TWO: .awaitedWithTwo
      case .TM_ENDED_WITH: .endedWith
      }
    }
  }

  extension tm_lock_misused {
    fileprivate var objectViews: [tm_object_view] {
      condition.id == 0 ? [lock] : [lock, condition]
    }

    fileprivate func value(_ thread: ThreadSnapshot) -> Happening.LockMisused {
      Happening.LockMisused(
        thread: thread, misuse: misuse.value, lock: lock.sharedObject,
        condition: condition.id == 0 ? nil : condition.sharedObject, other: .init(known: other))
    }
  }

  extension tm_happening {
    /// All objects that the event names.
    var objectViews: [tm_object_view] {
      switch kind {
      case .TM_GROUP_OVERLEFT: [group_overleft.group]
      case .TM_PRIORITY_INVERTED: [priority_inverted.object]
      case .TM_QUEUE_RAISED: [queue_raised.queue]
      case .TM_CONFINEMENT_BROKEN: [confinement_broken.object, confinement_broken.place]
      case .TM_CRASHED, .TM_JOB_SLEEPS, .TM_RESUMED_TWICE, .TM_CONTINUATION_DROPPED: []
      case .TM_MAIN_QUEUE_HELD: [main_queue_held.queue]
      case .TM_MAIN_THREAD_WAITED: [main_thread_waited.object]
      case .TM_LOCK_KEPT: [lock_kept.lock]
      case .TM_JOB_BLOCKED: job_blocked.awaited.kind == TM_THREAD ? [] : [job_blocked.awaited]
      case .TM_GROUP_NOTIFIED_EARLY: [group_notified_early.group]
      case .TM_SEMAPHORE_FREED_IN_USE: [semaphore_freed_in_use.semaphore]
      case .TM_SUSPENDED_RELEASED: [suspended_released.object]
      case .TM_OPERATIONS_IN_CYCLE: operations_in_cycle.listed.map(\.operation)
      case .TM_OPERATION_USED_AGAIN: [operation_used_again.operation]
      case .TM_OPERATION_FINISHED_EARLY: [operation_finished_early.operation]
      case .TM_OPERATION_REVIVED: [operation_revived.operation]
      case .TM_OPERATION_AWAITED_INSIDE:
        [operation_awaited_inside.awaited] + operation_awaited_inside.betweenViews
          + [operation_awaited_inside.running]
      case .TM_GROUP_AWAITED_INSIDE:
        [group_awaited_inside.group] + group_awaited_inside.queueViews
      case .TM_OWNER_ENDED: [owner_ended.lock]
      case .TM_LOCK_MISUSED: lock_misused.objectViews
      }
    }

    /// The threads that take part, besides the acting one.
    var otherViews: [tm_thread_view] {
      switch kind {
      case .TM_PRIORITY_INVERTED:
        [priority_inverted.other?.pointee].compactMap { $0 } + priority_inverted.betweenViews
      case .TM_QUEUE_RAISED: [queue_raised.submitter?.pointee].compactMap { $0 }
      case .TM_GROUP_OVERLEFT, .TM_CONFINEMENT_BROKEN, .TM_CRASHED, .TM_MAIN_QUEUE_HELD,
        .TM_MAIN_THREAD_WAITED, .TM_LOCK_KEPT, .TM_JOB_BLOCKED, .TM_JOB_SLEEPS,
        .TM_RESUMED_TWICE, .TM_CONTINUATION_DROPPED, .TM_GROUP_NOTIFIED_EARLY,
        .TM_SEMAPHORE_FREED_IN_USE, .TM_SUSPENDED_RELEASED, .TM_OPERATIONS_IN_CYCLE,
        .TM_OPERATION_USED_AGAIN, .TM_OPERATION_FINISHED_EARLY, .TM_OPERATION_REVIVED,
        .TM_OPERATION_AWAITED_INSIDE, .TM_GROUP_AWAITED_INSIDE, .TM_OWNER_ENDED,
        .TM_LOCK_MISUSED:
        []
      }
    }

    /// Returns the event as a value; `nil` if it lacks a part without which it says nothing. Reads
    /// the thread's view, which is valid during the up-call only.
    func value(tests: [String]) -> Happening? {
      let thread = thread.pointee.snapshot(tests: tests)
      return switch kind {
      case .TM_GROUP_OVERLEFT: .groupOverleft(group_overleft.value(thread))
      case .TM_PRIORITY_INVERTED: priority_inverted.value(thread).map { .priorityInverted($0) }
      case .TM_QUEUE_RAISED: queue_raised.value(thread).map { .queueRaised($0) }
      case .TM_CONFINEMENT_BROKEN: .confinementBroken(confinement_broken.value(thread))
      case .TM_CRASHED: .crashed(.init(thread: thread, signal: crashed.signal))
      case .TM_MAIN_QUEUE_HELD: .mainQueueHeld(main_queue_held.value(thread))
      case .TM_MAIN_THREAD_WAITED: .mainThreadWaited(main_thread_waited.value(thread))
      case .TM_LOCK_KEPT: .lockKept(lock_kept.value(thread))
      case .TM_JOB_BLOCKED: .jobBlocked(job_blocked.value(thread))
      case .TM_JOB_SLEEPS:
        .jobSleeps(.init(thread: thread, milliseconds: job_sleeps.milliseconds))
      case .TM_RESUMED_TWICE: .resumedTwice(resumed_twice.value(thread))
      case .TM_CONTINUATION_DROPPED:
        .continuationDropped(
          .init(thread: thread, awaits: Backtrace(continuation_dropped.awaits)))
      case .TM_GROUP_NOTIFIED_EARLY: .groupNotifiedEarly(group_notified_early.value(thread))
      case .TM_SEMAPHORE_FREED_IN_USE: .semaphoreFreedInUse(semaphore_freed_in_use.value(thread))
      case .TM_SUSPENDED_RELEASED: .suspendedReleased(suspended_released.value(thread))
      case .TM_OPERATIONS_IN_CYCLE: .operationsInCycle(operations_in_cycle.value(thread))
      case .TM_OPERATION_USED_AGAIN: .operationUsedAgain(operation_used_again.value(thread))
      case .TM_OPERATION_FINISHED_EARLY:
        .operationFinishedEarly(operation_finished_early.value(thread))
      case .TM_OPERATION_REVIVED:
        .operationRevived(
          .init(thread: thread, operation: operation_revived.operation.sharedObject))
      case .TM_OPERATION_AWAITED_INSIDE:
        .operationAwaitedInside(operation_awaited_inside.value(thread))
      case .TM_GROUP_AWAITED_INSIDE: .groupAwaitedInside(group_awaited_inside.value(thread))
      case .TM_OWNER_ENDED: .ownerEnded(owner_ended.value(thread))
      case .TM_LOCK_MISUSED: .lockMisused(lock_misused.value(thread))
      }
    }
  }

  extension tm_standstill {
    var threadViews: UnsafeBufferPointer<tm_thread_view> {
      UnsafeBufferPointer(start: threads, count: Int(thread_count))
    }

    var factViews: UnsafeBufferPointer<tm_fact> {
      UnsafeBufferPointer(start: facts, count: Int(fact_count))
    }

    var taskViews: UnsafeBufferPointer<tm_suspended_view> {
      UnsafeBufferPointer(start: tasks, count: Int(task_count))
    }

    /// - Parameter tests: returns the tests of a scope.
    func value(tests: (UInt32) -> [String]) -> Standstill {
      Standstill(
        threads: threadViews.map { $0.snapshot(tests: tests($0.scope)) },
        facts: factViews.map(\.value),
        tasks: taskViews.map { $0.value(tests: tests($0.scope)) }, leftOut: Int(left_out))
    }
  }

  extension tm_starvation {
    func value(tests: (UInt32) -> [String]) -> Starvation {
      Starvation(
        pool: cooperative ? .cooperative : .dispatch, label: label.map { String(cString: $0) },
        threads: picture.threadViews.map { $0.snapshot(tests: tests($0.scope)) },
        leftOut: Int(picture.left_out), waiting: Int(waiting))
    }
  }

  extension tm_fact {
    /// The second object of the fact.
    var other: tm_object_view? {
      let view: tm_object_view? =
        switch kind {
        case .TM_FACT_QUEUED: group
        case .TM_FACT_DEPENDENT: on
        case .TM_FACT_ENTERED, .TM_FACT_VALUE, .TM_FACT_SIGNALLED, .TM_FACT_PASSED,
          .TM_FACT_UNFINISHED:
          nil
        }
      return view.flatMap { $0.id == 0 ? nil : $0 }
    }

    fileprivate var value: Standstill.Fact {
      let thread = ThreadID(place.thread)
      let statement: Standstill.Fact.Statement =
        switch kind {
        case .TM_FACT_QUEUED: .queued(group: other?.sharedObject)
        case .TM_FACT_ENTERED: .entered(by: thread)
        case .TM_FACT_VALUE: .value(initial: Int(initial))
        case .TM_FACT_SIGNALLED: .signalled(by: thread)
        case .TM_FACT_PASSED: .passed(by: thread)
        case .TM_FACT_DEPENDENT: .dependent(on: on.sharedObject)
        case .TM_FACT_UNFINISHED: .unfinished(OperationState(progress.state), queue: progress.queue)
        }
      return Standstill.Fact(object.sharedObject, statement, at: Backtrace(place))
    }
  }

  extension tm_suspended_view {
    func value(tests: [String]) -> SuspendedTask {
      let object = object.id == 0 ? nil : object.sharedObject
      let awaited: SuspendedTask.Awaited =
        switch awaited {
        case .TM_AWAITS_TASK: .task(on == 0 ? nil : on)
        case .TM_AWAITS_CONTINUATION: .continuation(object)
        case .TM_AWAITS_GROUP: .group
        case .TM_AWAITS_ACTOR, .TM_AWAITS_THREAD: .turn(on: object)
        case .TM_AWAITS_UNKNOWN: .unknown
        }
      return SuspendedTask(
        number: task, awaited: awaited, place: Backtrace(place), created: Backtrace(created),
        parent: parent == 0 ? nil : parent, tests: tests, isRoot: root,
        awaitsUsersContinuation: users)
    }
  }

  extension tm_progress {
    fileprivate var queue: Standstill.Fact.Queue {
      guard in_queue else { return .none }
      return queue_suspended ? .suspended : .active
    }
  }
#endif
