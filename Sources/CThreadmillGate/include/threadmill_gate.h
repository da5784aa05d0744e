/* The gate's interface for Swift: views of what happened, and the calls that steer the gate.
 *
 * The gate takes symbols over, keeps per-thread state and filters repeated facts. New facts go up
 * through a `tm_listener`. Every up-call is made on the user's thread, with the thread marked
 * "inside" (its own calls pass straight through), invisible to Thread Sanitizer, with errno saved,
 * and one at a time in the whole process. Views, and everything they point to, are valid during the
 * up-call only. */
#ifndef THREADMILL_GATE_H
#define THREADMILL_GATE_H

#include "threadmill_events.h"
#include "threadmill_layouts.h"
#include "threadmill_views.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tm_certainty { TM_RELOCK, TM_QUEUE_REENTRY } tm_certainty;

/* What becomes of the process after a standstill, or after a signal. */
typedef enum TM_CLOSED tm_outcome {
  TM_PROCESS_STAYS, /* it goes on standing still */
  TM_SIGNAL_ENDS,   /* a signal is about to end it */
  TM_HANG_ENDS      /* the listener ends it */
} tm_outcome;

typedef struct tm_race tm_race; /* see threadmill_race.h */

typedef struct tm_listener {
  /* The thread is about to wait for `wanted` while it holds other objects, for the first time in
   * this context. */
  void (*nested)(const tm_thread_view *);
  /* `threads[starting]` is about to block behind a thread that is blocked. Marks the threads of a
   * deadlock in `involved` and returns true if there is one; the gate then checks that none of them
   * moved. */
  bool (*blocked)(const tm_thread_view *threads, uint32_t count, uint32_t starting, bool *involved);
  /* None of the involved threads moved: it is a deadlock. The stacks are now filled in. */
  void (*deadlocked)(const tm_thread_view *threads, uint32_t count, uint32_t starting);
  /* The call that comes next cannot succeed. `wanted` is in `held`, or leads to it through
   * `chain`. */
  void (*certain)(const tm_thread_view *, tm_certainty, const tm_object_view *chain,
                  uint32_t count);
  void (*retired)(uint64_t id);
  void (*happened)(const tm_happening *);
  /* A race, which happened some time ago, and perhaps on another thread. */
  void (*raced)(const tm_race *);
  /* No thread moves any more, or a signal asks for a picture. Returns whether it is a hang. */
  bool (*standstill)(const tm_standstill *);
  void (*starved)(const tm_starvation *);
  /* All facts about the last standstill have been delivered: the listener writes the rest of the
   * report and, if nothing else does, ends the process. */
  void (*give_up)(tm_outcome);
  /* An operation was told to wait for another one. Returns whether there may be a way back. */
  bool (*depends)(const tm_dependency *);
  /* The operation `from` no longer waits for `to`. */
  void (*independent)(uint64_t from, uint64_t to);
  /* The shortest known way along dependencies; returns the number of steps, 0 for none or for more
   * than the limit. */
  uint32_t (*way)(uint64_t from, uint64_t to, tm_dependency *steps, uint32_t limit);
  /* The object is not a lock after all: it is a binary semaphore that another thread signalled. */
  void (*disqualified)(uint64_t id);
  /* Deliver what `tm_promise` announced: no lock of the harness is held now. */
  void (*settle)(void);
  /* Swift Testing pushed or is about to pop its task-local state. Not serialised with the other
   * up-calls. */
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
  TM_RACES_OWN,       /* accesses to a thread's own memory by strands of that thread */
  TM_RACES_PERHAPS_OWN, /* the same of memory that may be the thread's own */
  TM_FIBRES,          /* fibres of Thread Sanitizer's that strands have had so far */
  TM_STRANDS_ORDERED, /* strands that reused the fibre of one that they may not come after */
  TM_LIBRARY_RACES_LEFT,
  TM_JITTER_POINTS,
  TM_JITTER_DELAYS,
  TM_JITTER_MILLISECONDS,
  TM_JITTER_OVER_BUDGET,
  TM_JITTER_LEFT, /* plans that there was no room for */
  TM_TRACE_DROPPED,
  TM_POOL_WORK_UNWATCHED, /* pieces of work of pools that there was no room for */
  TM_MEMORY_REFUSED,      /* tables that could not grow */
  TM_NESTINGS_FORGOTTEN,  /* kept nestings of living locks that later ones took the place of */
  TM_LEFT_LOCKS_DROPPED,  /* locks that threads held at their end, and that there was no room for */
  /* What was not read because a layout does not fit: one for each, in the order of `tm_layout`. */
  TM_JOB_UNKNOWN,
  TM_TASK_UNKNOWN,
  TM_STATUS_UNKNOWN,
  TM_ACTOR_UNKNOWN,
  TM_CONTINUATION_UNKNOWN,
  TM_STRING_UNKNOWN,
  TM_ARRAY_UNKNOWN,
  TM_OPERATION_UNKNOWN,
  TM_KEY_PATH_UNKNOWN,
  TM_LOCK_CLASSES_UNKNOWN,
  TM_MUTEXES_SEEN,        /* of `Synchronization.Mutex`, from their first lock on */
  TM_MUTEX_LOCKS_UNSEEN,  /* known only at their unlock */
  TM_MUTEX_PLACES_UNREAD, /* places in code where the word of a lock is not found */
  TM_MUTEX_IMAGES_UNSEEN, /* images that lock without a call that is known */
  TM_COUNTS
} tm_count;
extern const char *const tm_count_names[TM_COUNTS];
uint64_t tm_counted(tm_count);

/* The part of the configuration that the gate itself needs. */
typedef struct tm_settings {
  bool continue_after_reentry;
  uint32_t hang_seconds;    /* 0: hangs are not looked for */
  uint32_t stuck_seconds;   /* instead, after tm_deadlock_found, unless hang_always */
  uint32_t main_limit;      /* milliseconds; 0: the main queue is not timed */
  bool shows_threads;       /* on SIGQUIT */
  bool hang_always;         /* also while no test runs */
  bool leaves_hangs;        /* while no test runs, a hang is told and the process goes on */
  bool tells_crashes;       /* a signal that ends the process is a finding */
  bool saves;               /* the report is written before a signal ends the process */
  uint64_t inversion_limit; /* nanoseconds from which an inverted wait does harm */
  bool starvation;          /* starved pools are looked for */
  uint32_t pool;            /* how many of Swift's jobs run at once; 0: libdispatch decides */
  bool all_nestings;        /* each nesting of new locks is told, also that of familiar code */
  bool profile;             /* waits and holds are measured */
  bool trace;               /* they and the work that runs are recorded with their times */
  bool races;               /* Thread Sanitizer's reports of races are taken in */
  bool mutexes;             /* the locks of `Synchronization.Mutex` are made to call the gate */
  bool sanitizer_speaks;    /* Thread Sanitizer prints and counts them, too */
  bool strands;             /* Thread Sanitizer compares strands, not threads */
  bool leaves_libraries;    /* accesses that libraries make through the gate are no races */
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
  uint32_t number; /* the number that a recording uses for it */
  tm_kind kind;
  tm_mode mode;
  const char *label;   /* a queue's; may be NULL */
  tm_stack_view place; /* where it was made or, if that was not seen, first used */
  bool is_first_use;
  uint64_t acquisitions, contended;
  tm_durations wait, hold;
  tm_stack_view longest_holder;
} tm_lock_profile;
/* Every class that was used; views are valid during the call, stacks and labels for ever. */
void tm_profile_each(void (*visit)(const tm_lock_profile *, void *context), void *context);

typedef enum tm_traced_kind {
  TM_TRACED_HOLD,
  TM_TRACED_WAIT,
  TM_TRACED_BLOCK,     /* work that was submitted runs; `flow` is that of its submission */
  TM_TRACED_JOB,       /* a job of the Swift runtime runs */
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
/* Visits everything recorded, the oldest first, then the waits, holds and runs that last. If a
 * thread goes on meanwhile, its values may not fit together. */
void tm_trace_each(void (*visit)(const tm_traced *, void *context), void *context);
uint64_t tm_trace_now(void);
/* Visits every live thread; its view has only the thread's identity. */
void tm_threads_each(void (*visit)(const tm_thread_view *, void *context), void *context);

/* Makes nestings that involve the object at this address go up again. */
void tm_watch_again(uint64_t address);
/* The test that code without a scope of its own works for; for frameworks that run one test at a
 * time. */
void tm_set_process_scope(uint32_t scope);
/* A test begins or ends: hangs are looked for as long as one runs. */
void tm_test_began(uint32_t scope);
void tm_test_ended(uint32_t scope);
/* A deadlock was found outside of schedules: a test that it stops is a hang before long. */
void tm_deadlock_found(void);
/* The seconds without progress that make a hang now. */
uint32_t tm_hang_seconds(void);
/* The test that the calling thread or task works for. */
uint32_t tm_current_scope(void);
/* Fills in the place where the calling strand was submitted; zeros if that is not known. */
void tm_submitted_at(uintptr_t site[TM_SITE]);

/* Functions that take a stack where frame pointers do not lead. Both return the number of addresses
 * written. The first one says where in memory each return address lies as well; 0 if that is not
 * known. */
typedef uint32_t (*tm_unwinder)(uintptr_t *addresses, uintptr_t *places, uint32_t limit);
typedef uint32_t (*tm_context_unwinder)(void *ucontext, uintptr_t *addresses, uint32_t limit);
void tm_set_unwinders(tm_unwinder here, tm_context_unwinder from_signal);

/* A lock for the runtime's own state. Invisible to Thread Sanitizer and to the gate; not recursive.
 * While it is held the thread counts as inside and TSan ignores it. */
void tm_runtime_lock(void);
void tm_runtime_unlock(void);
/* One delivery of findings at a time. Held while symbols are looked up and reports are written,
 * never inside the runtime's lock; the caller is inside the harness. */
void tm_delivery_lock(void);
/* Takes the delivery lock within a time limit, for threads that may hold any lock, the dynamic
 * linker's included. */
bool tm_delivery_lock_within(unsigned milliseconds);
void tm_delivery_unlock(void);
/* Makes the thread count as inside, as the runtime's lock does, but takes no lock: for work on the
 * caller's own values. */
void tm_enter_harness(void);
void tm_leave_harness(void);

/* Called inside an up-call: asks for a call of `settle` when the locks are released. */
void tm_promise(void);

/* Whether the program counter lies in a library of the system or of the toolchain. */
bool tm_is_system_code(uintptr_t pc);
/* Whether the program counter lies in the gate itself. */
bool tm_is_gate_code(uintptr_t pc);
bool tm_has_thread_sanitizer(void);
/* Calls the visitor for the loaded image that has the address. Returns what the visitor returns; 0
 * if there is none. Takes no lock of the dynamic linker's where the C library can do without. */
struct dl_phdr_info;
typedef int (*tm_image_visitor)(struct dl_phdr_info *, size_t size, void *context);
int tm_image_visit(uintptr_t address, tm_image_visitor, void *context);
/* Lets the image that has the address call another function in place of the one with this name. */
void tm_function_replace(uintptr_t in_image, const char *name, void *function);
/* The exported symbol at an address (or NULL), where it or else its image begins, and the path of
 * the image, which is empty for the program itself. */
typedef struct tm_location {
  const char *symbol, *image;
  uintptr_t start;
} tm_location;
bool tm_locate(uintptr_t pc, tm_location *location);
/* An image that is loaded now: its path, which is empty for the program itself; how far it was
 * moved from the addresses of its file; where its code begins, or 0; its program headers. */
typedef struct tm_image {
  const char *path;
  uintptr_t moved, code;
  const void *headers;
  uint64_t header_bytes;
} tm_image;
bool tm_image_at(uintptr_t address, tm_image *image);
/* Writes down the loaded images, at most `limit` of them. Returns how many it wrote. */
uint32_t tm_images(tm_image *images, uint32_t limit);
/* Copies memory that another thread may free meanwhile, through the kernel, so that no read can
 * fault. Returns false if not all of the memory is there. */
bool tm_peek(const void *from, void *to, size_t size);
/* The demangled name, to be freed by the caller; NULL if the name is not one of Swift or C++. */
char *tm_demangle(const char *name);
/* The same of a name of Swift's, with the names of modules. */
char *tm_demangle_whole(const char *name);
/* Whether a mangled name is that of the compiler's own glue. */
bool tm_is_thunk(const char *name);

/* The environment variable that names the one program that is watched, where a preloaded library
 * gets into others as well. */
#define TM_ONLY_VARIABLE "THREADMILL_ONLY"
/* Before main, in that program: takes the preloaded library out of the environment of all others
 * that it starts. */
void tm_watch_no_other_program(const char *program);

/* Maps the mailbox of the run; once, before other threads exist. Returns false if there is none. */
bool tm_mailbox_open(const char *path);
/* Puts a report into the mailbox, whatever rights and limits the process has now. Returns false if
 * there is no mailbox or no room; what found no room is counted in the mailbox. */
bool tm_mailbox_put(const void *bytes, uint64_t length);

/* Ends the process at once. Nothing runs at exit, not even Thread Sanitizer's checks, which would
 * complain that it ignores the calling thread. */
void tm_end_process(int status) __attribute__((noreturn));
/* Runs `flush(status)` at exit, before Thread Sanitizer's own handler. The result becomes the exit
 * status if `status` was 0. */
void tm_at_exit(int (*flush)(int status));

/* Last words are written to standard error when a signal is about to end the process; the signal
 * then does what it would have done. The texts are copied. One thread calls these functions at a
 * time. */

/* This process tells of its end, although it is a copy of the one that has prepared for that. */
void tm_fatal_own(void);
/* Takes over the signals that end a process, so that the report is written before. */
void tm_expect_the_end(void);
void tm_add_last_words(const char *text, uint64_t length);
/* Replaces the words of the schedule that is under way; NULL: it has none. */
void tm_set_schedules_last_words(const char *text, uint64_t length);
void tm_forget_last_words(void);

#endif
