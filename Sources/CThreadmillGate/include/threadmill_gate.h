/* What Swift sees of the gate: views of what happened, and the calls that steer it.
 *
 * The gate takes symbols over, keeps per-thread state and filters what was seen before. What is new
 * goes up through a `tm_listener`. Every up-call is made on the user's thread, with the thread
 * marked "inside" (its own calls pass straight through), invisible to Thread Sanitizer, errno
 * saved, one at a time in the whole process. Views and everything they point to are valid during
 * the up-call only. */
#ifndef THREADMILL_GATE_H
#define THREADMILL_GATE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum tm_kind {
  TM_MUTEX,
  TM_RECURSIVE_MUTEX,
  TM_RWLOCK,
  TM_SPIN,
  TM_SEMAPHORE,
  TM_CONDITION,
  TM_GROUP,
  TM_SERIAL_QUEUE,
  TM_CONCURRENT_QUEUE,
  TM_THREAD,
  TM_TASK_STATUS_LOCK,
  TM_SWIFT_MUTEX,
  TM_ONCE,
  TM_ACTOR,
  TM_OPERATION,
  TM_CONTINUATION,
  TM_TASK,
  TM_SOURCE,
  TM_WORK_ITEM,
  TM_CONFINED
} tm_kind;

typedef enum tm_mode { TM_EXCLUSIVE, TM_SHARED } tm_mode;

enum { TM_SITE = 4 };

/* One object, as held or wanted by a thread. */
typedef struct tm_object_view {
  uint64_t id; /* never reused; for a thread: its number */
  uint64_t address;
  tm_kind kind;
  tm_mode mode;
  bool fresh;               /* the first time that this instance goes up */
  const char *label;        /* a queue's; may be NULL */
  const uintptr_t *created; /* return addresses, innermost first */
  uint32_t created_count;
  uintptr_t site[TM_SITE]; /* where it was taken: the innermost return addresses, 0 where unknown */
} tm_object_view;

/* What a thread runs that was submitted: a block or a job, and where it goes. */
enum { TM_RUNS_QUEUES = 8 };
typedef struct tm_runs_view {
  uint32_t queue_count;
  tm_object_view group; /* that it belongs to; id 0: none */
  uint8_t root;         /* the quality of service of the global queue at the end; 0: unknown */
  bool job;             /* of the Swift runtime, for which the next three stand */
  bool pooled;          /* it runs on the threads of Swift's tasks */
  uint8_t priority;     /* 0: unknown */
  uint32_t task;        /* its identifier in this process; 0: unknown */
  tm_object_view queues[TM_RUNS_QUEUES]; /* that it was given to, then that one's target, … */
} tm_runs_view;

/* One thread at one moment. */
typedef struct tm_thread_view {
  uint32_t thread;
  char name[16];
  uint64_t strand;
  uint32_t slot, time;
  const uint32_t *knowledge;
  uint32_t knowledge_count;
  uint32_t scope;  /* the test that it works for; 0: unknown */
  uint8_t quality; /* the strand's quality of service, as libdispatch numbers it; 0: unknown */
  uintptr_t submitted[TM_SITE]; /* where the strand was submitted; 0 where unknown */
  const tm_runs_view *runs;     /* NULL: a thread's own code, or unknown */
  const uintptr_t *stack;       /* return addresses, innermost first */
  uint32_t stack_count;
  const tm_object_view *held; /* outermost first */
  uint32_t held_count;
  tm_object_view wanted; /* id 0: nothing */
} tm_thread_view;

typedef enum tm_certainty { TM_RELOCK, TM_QUEUE_REENTRY } tm_certainty;

/* What one thread did that a detector wants to know of; the numbers mean what the kind says. */
typedef enum tm_happening_kind {
  /* A group is left more often than it was entered; libdispatch is about to trap. Numbers: how many
   * of the places are enters (the rest are leaves), each newest first. */
  TM_GROUP_OVERLEFT,
  /* A strand waited for one of lower quality of service. `others`: that one, its stack the place
   * where it took the object or ended the wait, then what ran in between. Numbers: nanoseconds;
   * whether that is too long; 0 the other had it, 1 the other ended the wait; 2 where the other
   * waited for something itself, plus 1 if the wait had a time limit, plus 256 times the waiter's
   * rank where the system's ranks decide: the quality of the other is its rank then. */
  TM_PRIORITY_INVERTED,
  /* Work of a higher quality than its queue begins, after others that were submitted before it.
   * `others`: who submitted it, where. Numbers: nanoseconds; whether that is too long; how many
   * others; the queue's quality. */
  TM_QUEUE_RAISED,
  /* What belongs to a queue or an actor is used elsewhere: the confined, its place (id 0 for an
   * actor); the number of the thread that confined it. */
  TM_CONFINEMENT_BROKEN,
  /* The thread dies of a signal, the number. */
  TM_CRASHED,
  /* A block on the main queue kept others waiting: the queue; where it was submitted, then where
   * some of the others were; how many milliseconds, how many others; an address in the function
   * that the block ran, 0 if unknown. */
  TM_MAIN_QUEUE_HELD,
  /* The same by a wait of the main thread: what it waited for; where some of the others were
   * submitted. */
  TM_MAIN_THREAD_WAITED,
  /* A job of the Swift runtime ends with a lock, which its thread took meanwhile: the lock; where
   * its task goes on, innermost first, if that is known. */
  TM_LOCK_KEPT,
  /* A Swift task blocks the thread that it shares with others: the object that it waits for, or
   * none and so many milliseconds of sleep. */
  TM_JOB_BLOCKED,
  /* A continuation is resumed again; what comes of that is undefined, or a trap. Where it was
   * resumed before, and where it was made, each empty if that is not known; the thread that did
   * the first. */
  TM_RESUMED_TWICE,
  /* The last reference to a checked continuation goes away, and nobody has resumed it: where that
   * is with the callers that await it, if it is in the task's own function. */
  TM_CONTINUATION_DROPPED,
  /* A group that nobody waited for is gone; its first user asked for its end before entering it.
   * Places: where it asked, where it entered. */
  TM_GROUP_NOTIFIED_EARLY,
  /* The last reference to a semaphore is given up below its initial value; libdispatch is about to
   * trap. Numbers: the value, the initial value, how many of the places are waits (the rest are
   * signals), each newest first. */
  TM_SEMAPHORE_FREED_IN_USE,
  /* The last reference to a suspended queue or source is given up; libdispatch is about to trap.
   * Numbers: whether it was never activated. Places: where it was suspended, if it was. */
  TM_SUSPENDED_RELEASED,
  /* Operations that wait for each other, each for the next and the last for the first; in `places`
   * where each was told to. Numbers: how many there are, when not all are listed. */
  TM_OPERATIONS_IN_CYCLE,
  /* An operation is started or put into a queue although it is in a queue, runs or is over; it is
   * about to trap. Numbers: whether it is started, its state, the thread that used it first; the
   * place of that, if known. */
  TM_OPERATION_USED_AGAIN,
  /* An operation calls itself finished that its queue has not started. */
  TM_OPERATION_FINISHED_EARLY,
  /* An operation that Foundation saw finish calls itself executing, and no longer finished. */
  TM_OPERATION_REVIVED,
  /* A thread waits for the first operation, which cannot come before the end of the last; that runs
   * on this thread. Numbers: why (`tm_operation_hindrance`). */
  TM_OPERATION_AWAITED_INSIDE,
  /* A thread waits for a group without a limit, and blocks of it are in a serial queue that only
   * this thread can go on with: the group, then the queue that they were given to and its targets
   * up to that one. Numbers: whether that is the main queue and this the main thread. Places: where
   * those blocks were submitted. */
  TM_GROUP_AWAITED_INSIDE,
} tm_happening_kind;

typedef enum tm_operation_hindrance {
  TM_HINDERED_ITSELF,        /* it is the one that runs */
  TM_HINDERED_BY_DEPENDENCY, /* it waits, through those between, for the one that runs */
  TM_HINDERED_BY_QUEUE,      /* both are in one queue that runs one at a time */
  TM_HINDERED_BY_MAIN        /* it is in the main queue, and this is the main thread */
} tm_operation_hindrance;

enum { TM_HAPPENING_OBJECTS = 8, TM_HAPPENING_PLACES = 8, TM_HAPPENING_NUMBERS = 4 };

typedef struct tm_stack_view {
  const uintptr_t *addresses; /* innermost first */
  uint32_t count;
  uint32_t thread; /* whose; 0: unknown */
} tm_stack_view;

typedef struct tm_happening {
  tm_happening_kind kind;
  const tm_thread_view *thread;
  tm_object_view objects[TM_HAPPENING_OBJECTS];
  uint32_t object_count;
  tm_stack_view places[TM_HAPPENING_PLACES]; /* other places that belong to it */
  uint32_t place_count;
  const tm_thread_view *others; /* other threads that take part */
  uint32_t other_count;
  uint64_t numbers[TM_HAPPENING_NUMBERS];
} tm_happening;

/* Something about an object that the threads' own states do not say. */
typedef enum tm_fact_kind {
  /* A block that waits for its turn on a queue: `object`; `other` is the group it belongs to. */
  TM_FACT_QUEUED,
  /* A group was entered there by thread `number`, and nobody left it since. */
  TM_FACT_ENTERED,
  /* The semaphore is at 0; `number` is what it was made with. */
  TM_FACT_VALUE,
  /* The last signal, by thread `number`; the last waits that got through. */
  TM_FACT_SIGNALLED,
  TM_FACT_PASSED,
  /* A task waits for a continuation that nobody has resumed, for the test `number`, if that runs;
   * `place` is where the task goes on. */
  TM_FACT_UNRESUMED,
  /* The operation `object` does not start before `other`, which has not finished. */
  TM_FACT_DEPENDENT,
  /* The operation `object` has not finished; `number` is why (`tm_delay`). */
  TM_FACT_UNFINISHED,
} tm_fact_kind;

typedef enum tm_delay {
  TM_DELAY_NOT_STARTED, /* it is in no queue, and nobody started it */
  TM_DELAY_SUSPENDED,   /* its queue is suspended */
  TM_DELAY_QUEUED,      /* it has its turn to come in its queue */
  TM_DELAY_HANDED_OVER, /* its queue lets it start, and it may have */
  TM_DELAY_NOT_SAID     /* it began, nobody is in it, and it does not say that it is finished */
} tm_delay;

typedef struct tm_fact {
  tm_fact_kind kind;
  tm_object_view object, other; /* id 0: none */
  tm_stack_view place;
  uint64_t number;
} tm_fact;

/* Every thread that waits for something, none of which has moved, and what else there is to know.
 */
typedef struct tm_standstill {
  const tm_thread_view *threads;
  uint32_t thread_count;
  const tm_fact *facts;
  uint32_t fact_count;
  uint32_t left_out; /* threads and facts beyond what there was room for */
  uint32_t seconds;  /* 0: somebody asked for the picture */
} tm_standstill;
/* That one operation waits for another, and who said so. */
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
  uint32_t waiting;      /* so much work has not begun */
} tm_starvation;

typedef struct tm_race tm_race; /* see threadmill_race.h */

typedef struct tm_listener {
  /* About to wait for `wanted` while holding something, for the first time in this context. */
  void (*nested)(const tm_thread_view *);
  /* `threads[starting]` is about to block behind a thread that is blocked. Marks the threads of a
   * deadlock in `involved` and returns true if there is one; the gate then checks that none of them
   * moved. */
  bool (*blocked)(const tm_thread_view *threads, uint32_t count, uint32_t starting, bool *involved);
  /* None of them moved: it is a deadlock. The stacks are now filled in. */
  void (*deadlocked)(const tm_thread_view *threads, uint32_t count, uint32_t starting);
  /* What comes next cannot succeed. `wanted` is in `held`, or leads to it through `chain`. */
  void (*certain)(const tm_thread_view *, tm_certainty, const tm_object_view *chain,
                  uint32_t count);
  void (*retired)(uint64_t id);
  void (*happened)(const tm_happening *);
  /* Some time ago, and perhaps on another thread. */
  void (*raced)(const tm_race *);
  /* Nothing moves any more. Returns whether that is a hang; if so, the process is to end. */
  bool (*standstill)(const tm_standstill *);
  void (*starved)(const tm_starvation *);
  /* What was promised for the last standstill is delivered: write what is left and, if it was a
   * hang, end the process. */
  void (*give_up)(bool hang);
  /* An operation was told to wait for another one. Returns whether there may be a way back. */
  bool (*depends)(const tm_dependency *);
  /* It no longer does. */
  void (*independent)(uint64_t from, uint64_t to);
  /* The shortest known way along dependencies; returns the number of steps, 0 for none or for more
   * than the limit. */
  uint32_t (*way)(uint64_t from, uint64_t to, tm_dependency *steps, uint32_t limit);
  /* It is not a lock after all: a binary semaphore that another thread signalled. */
  void (*disqualified)(uint64_t id);
  /* Something was promised by `tm_promise`: no lock of the harness is held, deliver it. */
  void (*settle)(void);
  /* Swift Testing pushed or is about to pop its task-local state. Not serialised with the others.
   */
  uint32_t (*scope_entered)(void);
  void (*scope_leaving)(uint32_t scope);
} tm_listener;

/* Things that are counted instead of done; the names are in `tm_count_names`. */
typedef enum tm_count {
  TM_HOLDS_DROPPED,
  TM_STACKS_TRUNCATED,
  TM_STACKS_DROPPED,
  TM_THREADS_DROPPED,
  TM_STACKS_MISSED,
  TM_CLOCKS_DROPPED,
  TM_ACQUISITIONS_UNPROFILED,
  TM_LOCK_ORDERS_LEFT,
  TM_RACES_LEFT,
  TM_JITTER_POINTS,
  TM_JITTER_DELAYS,
  TM_JITTER_MILLISECONDS,
  TM_JITTER_OVER_BUDGET,
  TM_JITTER_LEFT, /* plans that there was no room for */
  TM_TRACE_DROPPED,
  TM_POOL_WORK_UNWATCHED, /* pieces of work of pools that there was no room for */
  TM_MEMORY_REFUSED,      /* tables that could not grow */
  TM_COUNTS
} tm_count;
extern const char *const tm_count_names[TM_COUNTS];
uint64_t tm_counted(tm_count);

/* What the gate itself has to know of the configuration. */
typedef struct tm_settings {
  bool continue_after_reentry;
  uint32_t hang_seconds;    /* 0: hangs are not looked for */
  uint32_t main_limit;      /* milliseconds; 0: nobody asks who keeps the main queue */
  bool shows_threads;       /* on SIGQUIT */
  bool hang_always;         /* also while no test runs */
  bool tells_crashes;       /* a signal that ends the process is a finding */
  bool saves;               /* what is known is written down before a signal ends the process */
  uint64_t inversion_limit; /* nanoseconds from which an inverted wait does harm */
  bool starvation;          /* starved pools are looked for */
  uint32_t pool;            /* how many of Swift's jobs run at once; 0: as libdispatch likes */
  bool profile;             /* waits and holds are measured */
  bool trace;               /* and recorded, each with its time, and what is run */
  bool races;               /* Thread Sanitizer's reports of races are taken in */
  bool sanitizer_speaks;    /* it prints and counts them, too, as if nobody took them in */
} tm_settings;

/* Starts watching. Called once, from the boot hook, before any other thread exists. */
void tm_activate(const tm_listener *listener, const tm_settings *settings);
/* Stops watching for good: at exit, in a forked child. */
void tm_deactivate(void);
bool tm_is_active(void);
/* Whether this copy of the gate is the one in charge (the process may hold two: linked and
 * preloaded). */
bool tm_is_primary(void);

/* Nanoseconds, counted in buckets: below 4 each number has its own, above there are four for each
 * power of two. */
enum { TM_DURATION_BUCKETS = 192 };
typedef struct tm_durations {
  uint64_t total, longest, buckets[TM_DURATION_BUCKETS];
} tm_durations;

/* The locks that one call stack made. A read-write lock and a queue have one for each mode. */
typedef struct tm_lock_profile {
  uint32_t number; /* by which a recording calls it */
  tm_kind kind;
  tm_mode mode;
  const char *label;   /* a queue's; may be NULL */
  tm_stack_view place; /* where it was made or, where nobody saw that, first used */
  bool is_first_use;
  uint64_t acquisitions, contended;
  tm_durations wait, hold; /* of a TM_SWIFT_MUTEX nobody sees how long it is held */
  tm_stack_view longest_holder;
} tm_lock_profile;
/* Every class that was used; views are valid during the call, stacks and labels for ever. */
void tm_profile_each(void (*visit)(const tm_lock_profile *, void *context), void *context);

typedef enum tm_traced_kind {
  TM_TRACED_HOLD,
  TM_TRACED_WAIT,
  TM_TRACED_BLOCK,     /* work that was submitted runs; `flow` is that of its submission */
  TM_TRACED_JOB,       /* the same of the Swift runtime */
  TM_TRACED_SUBMISSION /* without length */
} tm_traced_kind;

/* Something that was recorded (trace=true). */
typedef struct tm_traced {
  tm_traced_kind kind;
  uint32_t thread;
  uint64_t began, ended; /* nanoseconds of the clock that all processes share */
  bool open;             /* it had not ended yet */
  uint32_t lock_class;   /* of a hold or wait: a number of the profile's */
  uint64_t flow;         /* 0: not submitted as far as is known */
  const char *label;     /* of the queue; may be NULL */
  tm_stack_view place;   /* where it was submitted; may be empty */
} tm_traced;
/* Everything recorded, the oldest first, then what is still going on. A thread that goes on
 * meanwhile may be seen half. */
void tm_trace_each(void (*visit)(const tm_traced *, void *context), void *context);
uint64_t tm_trace_now(void);
/* Every thread that is there; of each view only who it is. */
void tm_threads_each(void (*visit)(const tm_thread_view *, void *context), void *context);

/* Makes nestings that involve the object at this address go up again. */
void tm_watch_again(uint64_t address);
/* The test that code without a scope of its own works for; for frameworks that run one test at a
 * time. */
void tm_set_process_scope(uint32_t scope);
/* A test begins or ends: hangs are looked for as long as one runs. */
void tm_test_began(uint32_t scope);
void tm_test_ended(uint32_t scope);
/* The test that the calling thread or task works for. */
uint32_t tm_current_scope(void);
/* Where the strand that runs here was submitted; zeros if that is not known. */
void tm_submitted_at(uintptr_t site[TM_SITE]);

/* How stacks are taken where frame pointers do not lead. Both return the number of addresses
 * written. */
typedef uint32_t (*tm_unwinder)(uintptr_t *addresses, uint32_t limit);
typedef uint32_t (*tm_context_unwinder)(void *ucontext, uintptr_t *addresses, uint32_t limit);
void tm_set_unwinders(tm_unwinder here, tm_context_unwinder from_signal);

/* A lock for the runtime's own state. Invisible to Thread Sanitizer and to the gate; not recursive.
 * While it is held the thread counts as inside and TSan ignores it. */
void tm_runtime_lock(void);
void tm_runtime_unlock(void);
/* One delivery of findings at a time. Held while symbols are looked up and reports are written,
 * never inside the runtime's lock; the caller is inside the harness. */
void tm_delivery_lock(void);
/* The same with a bound, for threads that may hold anything, the dynamic linker's lock included. */
bool tm_delivery_lock_within(unsigned milliseconds);
void tm_delivery_unlock(void);
/* The same bracket without the lock, for work on values of one's own. */
void tm_enter_harness(void);
void tm_leave_harness(void);

/* Called inside an up-call: there is something to deliver once the locks are left. */
void tm_promise(void);

/* Something that belongs to one queue or one actor. Filled in by the gate only, and does not move:
 * its address stands for what is confined. */
typedef struct tm_confinement {
  const void *place; /* the queue, or the identity of the actor's executor; NULL: not checked */
  tm_kind kind;      /* the place's */
  uint32_t name;     /* the place's, as a kept text; for an actor */
  uint32_t thread;   /* that confined it */
} tm_confinement;
/* Remembers who confines what, called `name`. The caller keeps the queue alive. */
void tm_confine_to_queue(tm_confinement *, const char *name, const void *queue);
void tm_confine_to_actor(tm_confinement *, const char *name, const void *executor,
                         const char *actor);
/* Tells if the calling thread is certainly elsewhere. */
void tm_confinement_check(const tm_confinement *);
void tm_confinement_end(tm_confinement *);

/* Whether the program counter lies in a library of the system or of the toolchain. */
bool tm_is_system_code(uintptr_t pc);
/* Whether the program counter lies in the gate itself. */
bool tm_is_gate_code(uintptr_t pc);
bool tm_has_thread_sanitizer(void);
/* What the dynamic linker knows of an address: exported symbol (or NULL), where that or the image
 * starts, image path. */
typedef struct tm_location {
  const char *symbol, *image;
  uintptr_t start;
} tm_location;
bool tm_locate(uintptr_t pc, tm_location *location);
/* An image that is loaded now: its path, which is empty for the program itself; how far it was
 * moved from the addresses of its file; its program headers. */
typedef struct tm_image {
  const char *path;
  uintptr_t moved;
  const void *headers;
  uint64_t header_bytes;
} tm_image;
bool tm_image_at(uintptr_t address, tm_image *image);
/* The demangled name, to be freed by the caller; NULL for what is no name of Swift or C++. */
char *tm_demangle(const char *name);
/* Whether a mangled name is that of the compiler's own glue. */
bool tm_is_thunk(const char *name);

/* Ends the process at once. Nothing runs at exit, not even Thread Sanitizer's checks, which would
 * mind that it ignores the thread that asks. */
void tm_end_process(int status) __attribute__((noreturn));
/* Runs `flush(status)` at exit, before Thread Sanitizer's own; what it returns becomes the status
 * if that was 0. */
void tm_at_exit(int (*flush)(int status));
/* Adds to what is written to standard error when a signal is about to end the process; NULL text
 * forgets all of it. The signal then does what it would have done. */
void tm_set_last_words(const char *text, uint64_t length);

#endif
