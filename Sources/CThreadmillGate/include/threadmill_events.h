/* Events: what the gate tells Swift of one thread (`tm_happening`), of a process that stands still
 * (`tm_standstill`) and of a pool (`tm_starvation`).
 *
 * Each kind of event has a struct of its own, with one labelled field for each thing that it says.
 * The enums that select a field of a union are closed: Swift switches over them without a default.
 * Views and everything that they point to are valid during the up-call only. */
#ifndef THREADMILL_EVENTS_H
#define THREADMILL_EVENTS_H

#include "threadmill_views.h"

enum { TM_PLACES = 8, TM_OPERATIONS = 8, TM_QUEUES_BETWEEN = 7 };

/* Places where threads did the same thing, the latest first. */
typedef struct tm_places {
  tm_stack_view list[TM_PLACES];
  uint32_t count;
} tm_places;

/* A group is left more often than it was entered. libdispatch is about to trap. */
typedef struct tm_group_overleft {
  tm_object_view group;
  tm_places enters, leaves;
} tm_group_overleft;

/* A strand waited for one of lower quality of service, or of lower rank. */
typedef struct tm_priority_inverted {
  tm_object_view object; /* the object that the strand waited for */
  uint64_t nanoseconds;  /* the length of the wait */
  bool harmful;          /* the wait reached the limit of the settings */
  bool limited;          /* the wait had a time limit */
  /* The part that the other side had in the wait: true if it ended the wait, false if it had the
   * object when the wait began. */
  bool other_ended_wait;
  bool other_waits; /* the other side waited for something itself */
  /* The ranks that the system gives the two threads (rank.h), if ranks and not qualities of service
   * were compared; else both are 0. */
  uint8_t waiter_rank, other_rank;
  const tm_thread_view *other;   /* its stack is where it took the object or ended the wait */
  const tm_thread_view *between; /* strands that ran meanwhile, with a quality between the two */
  uint32_t between_count;
} tm_priority_inverted;

/* Work of a higher quality than its queue begins, after others that were submitted before it. */
typedef struct tm_queue_raised {
  tm_object_view queue;
  uint64_t nanoseconds; /* from the submission to the begin */
  bool harmful;         /* the wait reached the limit of the settings */
  uint32_t backlog;     /* blocks that were submitted before */
  uint8_t quality;      /* the queue's, as libdispatch numbers it */
  const tm_thread_view *submitter;
} tm_queue_raised;

/* An object that belongs to a queue or an actor is used elsewhere. */
typedef struct tm_confinement_broken {
  tm_object_view object;
  tm_object_view place; /* the queue or actor; an actor has id 0 */
  uint32_t confiner;    /* the thread that confined the object */
} tm_confinement_broken;

/* The thread dies of a signal. */
typedef struct tm_crashed {
  int signal;
} tm_crashed;

/* Blocks that were queued on the main queue while something kept it. */
typedef struct tm_main_queue_waiters {
  uint64_t milliseconds; /* how long the main queue was kept */
  uint32_t count;        /* all that were queued at the end */
  tm_places submitted;   /* where some of them were submitted */
} tm_main_queue_waiters;

/* One block kept the main queue for longer than the limit, while others were queued. */
typedef struct tm_main_queue_held {
  tm_object_view queue;
  tm_stack_view submitted; /* where the block was submitted */
  uintptr_t function;      /* an address in the function that it ran; 0: unknown */
  tm_main_queue_waiters waiters;
} tm_main_queue_held;

/* One wait of the main thread kept the main queue for longer than the limit. */
typedef struct tm_main_thread_waited {
  tm_object_view object;
  tm_main_queue_waiters waiters;
} tm_main_thread_waited;

/* A job of the Swift runtime ends with a lock that its thread took meanwhile. */
typedef struct tm_lock_kept {
  tm_object_view lock;
  tm_stack_view awaits; /* where the job's task goes on; empty: unknown */
} tm_lock_kept;

/* A Swift task blocks the thread that it shares with other tasks, and waits. */
typedef struct tm_job_blocked {
  tm_object_view awaited; /* of kind TM_THREAD if the task waits for the end of a thread */
} tm_job_blocked;

/* A Swift task blocks the thread that it shares with other tasks, and sleeps. */
typedef struct tm_job_sleeps {
  uint64_t milliseconds;
} tm_job_sleeps;

/* A continuation is resumed again. The result is undefined, or a trap. */
typedef struct tm_resumed_twice {
  tm_stack_view before; /* the first resumption; empty: unknown */
  tm_stack_view made;   /* empty: unknown */
} tm_resumed_twice;

/* The last reference to a checked continuation goes away before any resumption. */
typedef struct tm_continuation_dropped {
  tm_stack_view awaits; /* the place, with the callers that await it; empty: not in the task's own
                         * function */
} tm_continuation_dropped;

/* A group without any wait is gone, and its first user asked for its end before entering it. */
typedef struct tm_group_notified_early {
  tm_object_view group;
  tm_stack_view notified, entered;
} tm_group_notified_early;

/* The last reference to a semaphore is given up below its initial value. libdispatch is about to
 * trap. */
typedef struct tm_semaphore_freed_in_use {
  tm_object_view semaphore;
  int64_t value, initial;
  tm_places waits, signals;
} tm_semaphore_freed_in_use;

/* The last reference to a suspended queue or source is given up. libdispatch is about to trap. */
typedef struct tm_suspended_released {
  tm_object_view object;
  bool never_activated;
  tm_stack_view suspended; /* where it was suspended; empty: it was not, or that is unknown */
} tm_suspended_released;

/* One operation of a chain, and the call that made it wait for the next one. */
typedef struct tm_dependent_operation {
  tm_object_view operation;
  tm_stack_view told;
} tm_dependent_operation;

/* Operations wait for each other: each for the next, the last for the first. */
typedef struct tm_operations_in_cycle {
  tm_dependent_operation operations[TM_OPERATIONS];
  uint32_t count;  /* of those listed */
  uint32_t length; /* of the cycle, listed or not */
} tm_operations_in_cycle;

/* The states of an operation, with Foundation's numbers. Not closed: the number comes from
 * Foundation's memory. */
typedef enum tm_operation_state {
  TM_STATE_INITIALIZED,
  TM_STATE_ENQUEUING,
  TM_STATE_ENQUEUED,
  TM_STATE_DISPATCHING,
  TM_STATE_STARTING,
  TM_STATE_EXECUTING,
  TM_STATE_FINISHING,
  TM_STATE_FINISHED
} tm_operation_state;

/* An operation is started or put into a queue although it is in a queue, runs or is over. It is
 * about to trap. */
typedef struct tm_operation_used_again {
  tm_object_view operation;
  bool starts; /* false: it is put into a queue */
  tm_operation_state state;
  tm_stack_view first_use; /* empty: unknown */
} tm_operation_used_again;

/* An operation calls itself finished before its queue has started it. */
typedef struct tm_operation_finished_early {
  tm_object_view operation;
  bool cancelled;
} tm_operation_finished_early;

/* An operation that Foundation saw finish calls itself executing, and no longer finished. */
typedef struct tm_operation_revived {
  tm_object_view operation;
} tm_operation_revived;

/* The obstacle between an operation and its begin, while a thread waits for it. */
typedef enum TM_CLOSED tm_operation_hindrance {
  TM_HINDERED_ITSELF,        /* the awaited operation is the one that runs */
  TM_HINDERED_BY_DEPENDENCY, /* it waits, through those between, for the one that runs */
  TM_HINDERED_BY_QUEUE,      /* both are in one queue that runs one at a time */
  TM_HINDERED_BY_MAIN        /* it is in the main queue, and this is the main thread */
} tm_operation_hindrance;

/* A thread waits for an operation that cannot begin before the wait is over. */
typedef struct tm_operation_awaited_inside {
  tm_operation_hindrance hindrance;
  tm_object_view awaited;
  tm_object_view running; /* on this thread; for the dependency and the queue only */
  /* For the dependency: the operations that lead from `awaited` to `running`, as many as fit. */
  tm_object_view between[TM_OPERATIONS - 2];
  uint32_t between_count;
} tm_operation_awaited_inside;

/* A thread waits for a group without a limit, and blocks of the group are in a serial queue that
 * only this thread can go on with. */
typedef struct tm_group_awaited_inside {
  tm_object_view group;
  /* The queue that the blocks were given to, and its targets up to the one that needs this thread:
   * that is always the last. */
  tm_object_view queues[TM_QUEUES_BETWEEN];
  uint32_t queue_count;
  bool on_main;     /* that queue is the main queue, and this is the main thread */
  tm_places blocks; /* where they were submitted */
} tm_group_awaited_inside;

/* The thread waits for a lock whose owner has ended: for ever. */
typedef struct tm_owner_ended {
  tm_object_view lock;
  tm_stack_view taken; /* where the owner took it; `thread` is the owner */
  const char *name;    /* the owner's; empty: it had none of its own */
} tm_owner_ended;

typedef enum TM_CLOSED tm_misuse {
  TM_UNLOCKED_UNHELD,   /* unlocked, and no thread has it */
  TM_UNLOCKED_OTHERS,   /* unlocked, and another thread has it */
  TM_DESTROYED_HELD,    /* destroyed, and a thread has it */
  TM_DESTROYED_AWAITED, /* a semaphore: destroyed, and a thread waits for it */
  TM_USED_DESTROYED,    /* used after it was destroyed */
  TM_AWAITED_WITHOUT,   /* a condition is waited for, and this thread does not have the mutex */
  TM_AWAITED_WITH_TWO,  /* a condition is waited for with it, and with another one at that time */
  TM_ENDED_WITH,        /* the thread ends, and has it */
} tm_misuse;

/* A lock is used against its rules. */
typedef struct tm_lock_misused {
  tm_misuse misuse;
  tm_object_view lock;
  tm_object_view condition; /* AWAITED_WITHOUT, AWAITED_WITH_TWO; else id 0 */
  tm_stack_view other;      /* the other place: of the hold, the wait or the end; empty: unknown */
} tm_lock_misused;

typedef enum TM_CLOSED tm_happening_kind {
  TM_GROUP_OVERLEFT,
  TM_PRIORITY_INVERTED,
  TM_QUEUE_RAISED,
  TM_CONFINEMENT_BROKEN,
  TM_CRASHED,
  TM_MAIN_QUEUE_HELD,
  TM_MAIN_THREAD_WAITED,
  TM_LOCK_KEPT,
  TM_JOB_BLOCKED,
  TM_JOB_SLEEPS,
  TM_RESUMED_TWICE,
  TM_CONTINUATION_DROPPED,
  TM_GROUP_NOTIFIED_EARLY,
  TM_SEMAPHORE_FREED_IN_USE,
  TM_SUSPENDED_RELEASED,
  TM_OPERATIONS_IN_CYCLE,
  TM_OPERATION_USED_AGAIN,
  TM_OPERATION_FINISHED_EARLY,
  TM_OPERATION_REVIVED,
  TM_OPERATION_AWAITED_INSIDE,
  TM_GROUP_AWAITED_INSIDE,
  TM_OWNER_ENDED,
  TM_LOCK_MISUSED,
} tm_happening_kind;

/* One thing that one thread did or suffered. The kind selects the member of the union; the names
 * are the same. */
typedef struct tm_happening {
  tm_happening_kind kind;
  const tm_thread_view *thread;
  union {
    tm_group_overleft group_overleft;
    tm_priority_inverted priority_inverted;
    tm_queue_raised queue_raised;
    tm_confinement_broken confinement_broken;
    tm_crashed crashed;
    tm_main_queue_held main_queue_held;
    tm_main_thread_waited main_thread_waited;
    tm_lock_kept lock_kept;
    tm_job_blocked job_blocked;
    tm_job_sleeps job_sleeps;
    tm_resumed_twice resumed_twice;
    tm_continuation_dropped continuation_dropped;
    tm_group_notified_early group_notified_early;
    tm_semaphore_freed_in_use semaphore_freed_in_use;
    tm_suspended_released suspended_released;
    tm_operations_in_cycle operations_in_cycle;
    tm_operation_used_again operation_used_again;
    tm_operation_finished_early operation_finished_early;
    tm_operation_revived operation_revived;
    tm_operation_awaited_inside operation_awaited_inside;
    tm_group_awaited_inside group_awaited_inside;
    tm_owner_ended owner_ended;
    tm_lock_misused lock_misused;
  };
} tm_happening;

/* The progress of an operation that waits for no other one. */
typedef struct tm_progress {
  tm_operation_state state;
  bool in_queue;
  bool queue_suspended; /* of an operation that its queue has not let start */
} tm_progress;

typedef enum TM_CLOSED tm_fact_kind {
  TM_FACT_QUEUED,     /* a block, submitted at `place`, waits for its turn on the queue `object` */
  TM_FACT_ENTERED,    /* the group `object` was entered at `place` and not left since */
  TM_FACT_VALUE,      /* the semaphore `object` is at 0 */
  TM_FACT_SIGNALLED,  /* the last signal of the semaphore `object` was at `place` */
  TM_FACT_PASSED,     /* the semaphore `object` let a wait at `place` pass */
  TM_FACT_DEPENDENT,  /* the operation `object` waits for another one */
  TM_FACT_UNFINISHED, /* the operation `object` has not finished */
} tm_fact_kind;

/* One statement about an object that the states of the threads do not contain. */
typedef struct tm_fact {
  tm_fact_kind kind;
  tm_object_view object;
  tm_stack_view place;
  union {
    tm_object_view group; /* QUEUED: the group that the block belongs to; id 0: none */
    int64_t initial;      /* VALUE: the value that the semaphore was made with */
    tm_object_view on;    /* DEPENDENT: the operation that has to finish first */
    tm_progress progress; /* UNFINISHED */
  };
} tm_fact;

typedef enum TM_CLOSED tm_standstill_cause {
  TM_STANDSTILL_ENDS,        /* nothing can move any more, and the process ends for it */
  TM_STANDSTILL_STAYS,       /* the same, and the process is left as it is */
  TM_STANDSTILL_ON_QUIT,     /* SIGQUIT asked for the picture */
  TM_STANDSTILL_ON_INTERRUPT /* SIGINT ends a program that did not move */
} tm_standstill_cause;

/* All threads that wait for something, none of which has moved, and further facts. */
typedef struct tm_standstill {
  tm_standstill_cause cause;
  const tm_thread_view *threads;
  uint32_t thread_count;
  const tm_fact *facts;
  uint32_t fact_count;
  const tm_suspended_view *tasks;
  uint32_t task_count;
  uint32_t left_out; /* threads, facts and tasks beyond the room for them */
} tm_standstill;

/* One operation waits for another one, because a thread told it to. */
typedef struct tm_dependency {
  uint64_t from, to; /* identifiers */
  uint64_t from_address;
  uint32_t place; /* the kept stack of the call */
  uint32_t thread, scope;
} tm_dependency;

/* Every thread of a pool is blocked, and none of them has moved, while there is work for one more.
 */
typedef struct tm_starvation {
  tm_standstill picture; /* the pool's threads */
  bool cooperative;      /* of Swift's tasks; else libdispatch's */
  const char *label;     /* the queue's; may be NULL */
  uint32_t waiting;      /* pieces of work that have not begun */
} tm_starvation;

#endif
