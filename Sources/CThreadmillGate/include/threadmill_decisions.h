/* Decisions: the rules by which the gate itself judges what it sees, as pure functions.
 *
 * Each rule takes one labelled struct, or one or two values, and looks at nothing else: no thread,
 * object, clock or lock. The gate gathers the values; the unit tests feed them in by hand. The
 * rules stand here, below Swift, because the gate asks them where an up-call costs too much; the
 * table "Decisions that stay in C" in CONTRIBUTING.md names the cost of each. */
#ifndef THREADMILL_DECISIONS_H
#define THREADMILL_DECISIONS_H

#include "threadmill_events.h"

/* Always inlined, so that a rule gets the attributes of the gate's code around it. */
#define TM_RULE static inline __attribute__((always_inline))

/* MARK: Early notification (early.c) */

/* The beginning of a group's life, as long as it may be that of a group whose end was asked for too
 * early: first a notification on the new, empty group, and then, in the same call of the same
 * function, the first enter, which another strand leaves. Everything else ends the story. */
typedef enum TM_CLOSED tm_early_chapter {
  TM_EARLY_NEW,
  TM_EARLY_NOTIFIED,
  TM_EARLY_ENTERED,
  TM_EARLY_LEFT, /* by another strand: it was for work that went on elsewhere */
  TM_EARLY_OVER,
} tm_early_chapter;

typedef enum TM_CLOSED tm_group_deed {
  TM_GROUP_NOTIFY,
  TM_GROUP_ENTER,
  TM_GROUP_LEAVE,
  TM_GROUP_WAIT
} tm_group_deed;

typedef struct tm_group_step {
  tm_group_deed deed;
  bool by_known_call;   /* of a notification: the frame of the function that asks was found */
  bool by_asker;        /* of an enter: the call that asked still runs, and enters */
  bool with_block;      /* of an enter: it comes with a block, which leaves by itself */
  bool by_other_strand; /* of a leave: not the strand that asked */
} tm_group_step;

/* The chapter that follows when a thread does something to the group. */
TM_RULE tm_early_chapter tm_early_next(tm_early_chapter now, tm_group_step step) {
  switch (step.deed) {
  case TM_GROUP_NOTIFY:
    return now == TM_EARLY_NEW && step.by_known_call ? TM_EARLY_NOTIFIED : TM_EARLY_OVER;
  case TM_GROUP_ENTER:
    if (now == TM_EARLY_NEW) return TM_EARLY_OVER;
    if (now != TM_EARLY_NOTIFIED) return now;
    if (!step.by_asker) return TM_EARLY_OVER;
    return step.with_block ? TM_EARLY_LEFT : TM_EARLY_ENTERED;
  case TM_GROUP_LEAVE: return now == TM_EARLY_ENTERED && step.by_other_strand ? TM_EARLY_LEFT : now;
  case TM_GROUP_WAIT: return TM_EARLY_OVER;
  }
}

/* Returns whether the group that ends was notified too early. `whole`: its creation was seen. */
TM_RULE bool tm_was_notified_early(tm_early_chapter last, bool whole) {
  return whole && last == TM_EARLY_LEFT;
}

/* MARK: Priority inversion (inversion.c) */

typedef struct tm_inversion_signs {
  bool other_known;            /* another side was found, and the wait was measured */
  bool ranked;                 /* ranks decided, and the other side's is lower */
  uint8_t waiter, other;       /* qualities of service; 0: none was chosen */
  bool other_had_object;       /* false: it ended the wait */
  bool without_owner;          /* the object turned out to have no owner */
  bool semaphore;              /* the object is a semaphore */
  bool others_work_is_waiters; /* the waiter's strand submitted the work that ended the wait */
} tm_inversion_signs;

/* A quality that was chosen, and is lower than the other one. */
TM_RULE bool tm_is_lower(uint8_t quality, uint8_t than) { return quality != 0 && quality < than; }

/* Returns whether a strand waited for one of lower quality or rank. A thread that waits for a
 * semaphore may just have nothing to do: it waits for work only if it submitted the work that
 * signals. A group, a work item and an operation are always waited for to end. */
TM_RULE bool tm_is_inverted(tm_inversion_signs s) {
  if (!s.other_known) return false;
  if (s.ranked) return true;
  if (!tm_is_lower(s.other, s.waiter)) return false;
  if (s.other_had_object) return !s.without_owner;
  return !s.semaphore || s.others_work_is_waiters;
}

/* Returns whether an inversion is worth a finding. Short sections of a queue that many threads sync
 * onto are the purpose of these queues. */
TM_RULE bool tm_is_inversion_of_interest(bool harmful, tm_kind kind) {
  return harmful || (kind != TM_SERIAL_QUEUE && kind != TM_CONCURRENT_QUEUE);
}

/* Returns whether a pair of places may be told once more after `times` times: eight times, and
 * while it is harmless only once. */
TM_RULE bool tm_may_tell_inversion(uint64_t times, bool harmful) {
  return times < (harmful ? 8 : 1);
}

/* Returns whether an item raises the queue that it is submitted to. A backlog of one does not
 * count: the next in line always sees one. A quality of 0 was not chosen. */
TM_RULE bool tm_raises_queue(uint8_t item, uint8_t queue, uint32_t backlog) {
  return item != 0 && queue != 0 && item > queue && backlog >= 2;
}

/* MARK: Starved pools and blocked tasks (object/pools.c, observe/starvation.c) */

typedef struct tm_pool_signs {
  bool cooperative;        /* the pool of Swift's tasks; else one of libdispatch's */
  bool work_waits;         /* work waits for a thread */
  bool barrier_waits;      /* a barrier keeps work back on purpose */
  bool suspended;          /* some queue was suspended: its work may wait on purpose */
  bool help_is_on_its_way; /* libdispatch is about to add a thread to a pool of its own */
  bool all_blocked;        /* all threads of the pool are blocked, without a time limit */
  uint32_t blocked;        /* the number of these threads */
  uint32_t limit;          /* so many blocked threads make the pool starved */
} tm_pool_signs;

/* Returns whether the pool may be starved, so that it is worth counting its threads. */
TM_RULE bool tm_may_be_starved(tm_pool_signs s) {
  if (!s.work_waits || s.barrier_waits) return false;
  return s.cooperative ? !s.help_is_on_its_way : !s.suspended;
}

/* Returns whether all threads of the pool are blocked, and work waits for one more. It is starved
 * if that stays so. */
TM_RULE bool tm_is_starved(tm_pool_signs s) {
  return tm_may_be_starved(s) && s.all_blocked && s.blocked >= s.limit;
}

/* Returns whether libdispatch is about to give the pool another thread: it looks once a second. */
TM_RULE bool tm_gets_thread(tm_pool_signs s) {
  return !s.cooperative && s.work_waits && (!s.all_blocked || s.blocked < s.limit);
}

/* Returns whether a wait of this kind blocks a task. Waits that a lock's owner ends are short in
 * correct code, and the business of other detectors. */
TM_RULE bool tm_blocks_task(tm_kind kind) {
  switch (kind) {
  case TM_SEMAPHORE:
  case TM_GROUP:
  case TM_CONDITION:
  case TM_THREAD:
  case TM_WORK_ITEM:
  case TM_SERIAL_QUEUE:
  case TM_CONCURRENT_QUEUE: return true;
  default: return false;
  }
}

/* Returns whether a sleep is longer than a poll or a back-off. */
TM_RULE bool tm_sleep_blocks_task(uint64_t milliseconds) { return milliseconds >= 100; }

/* MARK: Hangs (hang.c) */

typedef struct tm_thread_signs {
  bool asleep;         /* in the kernel */
  bool waits;          /* in a call that the gate watches */
  bool bounded;        /* that wait has a time limit */
  bool working;        /* it runs a block, a job or an iteration */
  bool librarys;       /* a library made it for itself */
  bool main;           /* the main thread */
  bool in_futex;       /* the system call that it sleeps in */
  bool shared;         /* another process may end that wait */
  bool without_source; /* no timer, file or sleep can wake it */
} tm_thread_signs;

typedef enum TM_CLOSED tm_thread_state {
  TM_THREAD_IDLE,
  TM_THREAD_STUCK,
  TM_THREAD_MOVING
} tm_thread_state;

/* A library's own thread is idle when it waits for others; so is the main thread in the loop that
 * waits for events. Code of the user's outside of a watched wait may go on at any time. */
TM_RULE tm_thread_state tm_state_of_thread(tm_thread_signs s) {
  if (!s.asleep) return TM_THREAD_MOVING;
  if (s.waits) return s.bounded || s.shared ? TM_THREAD_MOVING : TM_THREAD_STUCK;
  if (s.working || !(s.librarys || s.main)) return TM_THREAD_MOVING;
  if (s.main && s.in_futex) return TM_THREAD_MOVING;
  return s.without_source ? TM_THREAD_IDLE : TM_THREAD_MOVING;
}

/* Returns whether the thread is a library's own, with nothing of the user's to do. It may wake up
 * now and then. */
TM_RULE bool tm_is_free(tm_thread_signs s) { return s.librarys && !s.working && !s.waits; }

/* Returns whether the thread may still end the standstill. `woken`: it was woken in the second half
 * of the time. */
TM_RULE bool tm_may_move(tm_thread_signs s, bool woken) {
  return (woken && !tm_is_free(s)) || tm_state_of_thread(s) == TM_THREAD_MOVING;
}

/* Returns whether only another thread of the process can end the thread's wait. Signals aside: the
 * main thread's loop of events may exist for them. */
TM_RULE bool tm_is_bound(tm_thread_signs s) {
  tm_thread_state state = tm_state_of_thread(s);
  return (state == TM_THREAD_STUCK && s.in_futex) || (state == TM_THREAD_IDLE && !s.main);
}

/* Returns whether a standstill that has lasted long enough keeps anything from its end: a thread
 * waits for good, or a task of a test that runs does. */
TM_RULE bool tm_is_kept_from_end(bool thread_waits, bool test_awaits) {
  return thread_waits || test_awaits;
}

/* MARK: Continuations (continuation.c) */

typedef struct tm_resumption {
  bool known;   /* the record is that of this continuation */
  bool resumed; /* and says that it was resumed */
  bool fresh;   /* the continuation itself says that it was not resumed yet */
} tm_resumption;

/* Returns whether the continuation is resumed again. If the continuation is fresh, a record that
 * says so belongs to an earlier one at the same address. */
TM_RULE bool tm_is_resumed_again(tm_resumption r) { return r.known && r.resumed && !r.fresh; }

/* MARK: Waits for a group inside its own queue (group_wait.c) */

typedef struct tm_link_signs {
  bool suspended;   /* or not activated yet: it can be given another target */
  bool main_here;   /* the main queue, and this is the main thread */
  bool serial;      /* a serial queue */
  bool held;        /* this thread has it */
  bool owner_known; /* libdispatch's own word for the owner can be read */
  bool owned;       /* and it is this thread */
} tm_link_signs;

/* Returns whether this thread alone can go on with the work in the queue. */
TM_RULE bool tm_has_to_itself(tm_link_signs s) {
  if (s.main_here) return true;
  return s.serial && s.held && (!s.owner_known || s.owned);
}

/* Returns how many links lead to a queue that this thread has to itself; 0 if none does, or if the
 * way there may still change: a suspended queue can be given another target, which then takes along
 * the work in it. */
TM_RULE uint32_t tm_way_to_own(const tm_link_signs links[], uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (links[i].suspended) return 0;
    if (tm_has_to_itself(links[i])) return i + 1;
  }
  return 0;
}

typedef struct tm_block_signs {
  bool waits;             /* it has not begun */
  bool queued;            /* libdispatch has it */
  bool submitted_here;    /* by this thread */
  bool submission_known;  /* this thread has learnt of something after the submission */
  bool in_the_same_queue; /* as the blocks that were noted before, if there are any */
} tm_block_signs;

/* Returns whether the block certainly is in the group, and in the queue. */
TM_RULE bool tm_is_certainly_missing(tm_block_signs s) {
  return s.waits && s.queued && (s.submitted_here || s.submission_known) && s.in_the_same_queue;
}

/* MARK: Confinement (confinement.c) */

/* Signs that the thread is where the object belongs. Each sign alone acquits the thread, so the
 * gate reads a costly sign only while all cheaper ones are false. */
typedef struct tm_queue_signs {
  bool serial;        /* the queue is serial; else concurrent */
  bool owned;         /* libdispatch's own word says that this thread has it */
  bool main_here;     /* the main queue, and this is the main thread */
  bool held;          /* this thread is inside of `sync` on it */
  bool runs_below;    /* the current queue leads to it */
  bool owner_unknown; /* of a serial queue: libdispatch's word cannot be read */
  bool further_out;   /* of a concurrent queue: it may lie further out in nested calls of `sync` */
} tm_queue_signs;

/* Returns whether the thread may be inside the queue. */
TM_RULE bool tm_may_be_in_queue(tm_queue_signs s) {
  if (s.owned || s.main_here || s.held || s.runs_below) return true;
  return s.serial ? s.owner_unknown : s.further_out;
}

/* MARK: Suspended queues and sources (suspension.c) */

typedef enum TM_CLOSED tm_suspension_change {
  TM_SUSPENDS,
  TM_RESUMES,
  TM_ACTIVATES
} tm_suspension_change;

typedef struct tm_suspension {
  int32_t count; /* suspensions by the user that were not taken back */
  bool inactive; /* made without being active, and not activated since */
} tm_suspension;

/* The suspension after one call of the user's. The first resumption of an inactive source activates
 * it. */
TM_RULE tm_suspension tm_suspension_after(tm_suspension now, tm_suspension_change change,
                                          bool of_source) {
  if (change == TM_SUSPENDS) now.count++;
  else if (change == TM_RESUMES && now.count > 0) now.count--;
  else if (change == TM_ACTIVATES || of_source) now.inactive = false;
  return now;
}

/* Returns whether libdispatch traps if the object is released now. */
TM_RULE bool tm_may_not_be_released(tm_suspension s) { return s.inactive || s.count > 0; }

/* MARK: Locks (observe/nested.c, observe/blocked.c, observe/job_run.c, seam/run_section.c) */

typedef struct tm_relock_signs {
  tm_kind kind;
  tm_mode held, wanted; /* how the thread has it, and wants it once more */
  bool recursive;       /* the lock counts its owner's locks */
  bool checks_errors;   /* the lock refuses its owner with an error */
  bool others_release;  /* others may release it: other processes, or threads that have done so */
} tm_relock_signs;

typedef enum TM_CLOSED tm_relock_result {
  TM_RELOCK_COUNTS,  /* the lock is taken once more */
  TM_RELOCK_RETURNS, /* the call comes back, or another thread can end it */
  TM_RELOCK_HANGS    /* the thread waits for itself */
} tm_relock_result;

/* The result of taking a lock that the thread has. glibc refuses the owner of the write side with
 * EDEADLK; a reader that wants to write waits for itself. A semaphore is signalled by any thread. A
 * lock in shared memory may be released by a process that the gate does not see, such as a forked
 * child. POSIX lets only the owner release a mutex: another thread counts after it has done so. */
TM_RULE tm_relock_result tm_relock(tm_relock_signs s) {
  bool reads = s.held == TM_SHARED;
  if (s.recursive || (s.kind == TM_RWLOCK && reads && s.wanted == TM_SHARED))
    return TM_RELOCK_COUNTS;
  if (s.kind == TM_SEMAPHORE || s.checks_errors || s.others_release) return TM_RELOCK_RETURNS;
  if (s.kind != TM_RWLOCK) return TM_RELOCK_HANGS;
  return reads && s.wanted == TM_EXCLUSIVE ? TM_RELOCK_HANGS : TM_RELOCK_RETURNS;
}

/* Returns whether a hold and a wait for the same object exclude each other. */
TM_RULE bool tm_excludes(tm_mode held, tm_mode wanted) {
  return held == TM_EXCLUSIVE || wanted == TM_EXCLUSIVE;
}

/* Returns whether a lock belongs to the thread that took it, so that no task may take it along into
 * an await. */
TM_RULE bool tm_belongs_to_thread(tm_kind kind) {
  return kind == TM_MUTEX || kind == TM_RWLOCK || kind == TM_SPIN || kind == TM_SWIFT_MUTEX;
}

/* Returns whether the end of a thread that is asked for ends a wait of this kind: the call is a
 * cancellation point. Waits for locks are none. */
TM_RULE bool tm_ends_by_cancellation(tm_kind kind) {
  return kind == TM_THREAD || kind == TM_SEMAPHORE || kind == TM_CONDITION;
}

/* MARK: Operations (operations.c, dependencies.c) */

typedef enum TM_CLOSED tm_start_meaning {
  TM_START_FIRST,   /* the first use of the operation */
  TM_START_ALLOWED, /* its queue starts it, or it is finished, and then nothing happens */
  TM_START_AGAIN    /* Foundation traps */
} tm_start_meaning;

/* The meaning of a start of an operation in that state, which is in a queue or in none. */
TM_RULE tm_start_meaning tm_start_means(tm_operation_state state, bool in_queue) {
  if (state == TM_STATE_INITIALIZED) return TM_START_FIRST;
  bool by_queue = state == TM_STATE_STARTING && in_queue;
  return state == TM_STATE_FINISHED || by_queue ? TM_START_ALLOWED : TM_START_AGAIN;
}

/* Returns whether the operation has not begun, and will not before its dependencies are over. */
TM_RULE bool tm_is_kept_back(tm_operation_state state, bool seems_ready, bool cancelled) {
  return state <= TM_STATE_ENQUEUED && !seems_ready && !cancelled;
}

/* MARK: The main queue (main_queue.c) */

/* Returns for how many nanoseconds something has kept the main queue from others: since it began,
 * and since others are queued. */
TM_RULE uint64_t tm_main_queue_kept(uint64_t since, uint64_t queued_since, uint64_t now,
                                    uint32_t queued) {
  uint64_t from = since > queued_since ? since : queued_since;
  return queued && now > from ? now - from : 0;
}

/* Returns whether that is too long: the limit of the settings, which is not 0. */
TM_RULE bool tm_keeps_main_queue(uint64_t nanoseconds, uint32_t limit_milliseconds) {
  return nanoseconds >= (uint64_t)limit_milliseconds * 1000000;
}

#endif
