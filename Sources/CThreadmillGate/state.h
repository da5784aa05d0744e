/* Per-thread state and the process-wide facts that the fast path reads. */
#ifndef TM_STATE_H
#define TM_STATE_H
#include "base.h"
#include "clock.h"
#include "pool.h"
#include "threadmill_gate.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum {
  TM_HOLDS = 64,      /* held at once by one thread; more are counted and not watched */
  TM_STACK = 64,      /* frames of a full stack */
  TM_CONTEXTS = 4096, /* contexts remembered per thread */
  TM_REPEATS = 8,     /* how often one goes up again */
  TM_CALLERS = 64,    /* pages of calling code remembered per thread */
  TM_GENERATIONS = 4096,
  TM_POOLS = 32, /* whose threads are told apart */
  TM_WORKS = 2,  /* kinds of work that are counted; see workers.h */
};

/* Flags of a hold. */
enum {
  TM_HOLD_PRETENDED = 1, /* the lock was not really taken again (continue=true) */
  TM_HOLD_BASE = 2,      /* the main thread and the main queue: never popped */
};

typedef struct tm_hold {
  const void *object;
  uint64_t context; /* hash of everything held up to and including this one */
  uintptr_t site[TM_SITE];
  uint8_t kind, mode, flags;
  uint32_t again; /* how often it was taken again on top of the first time */
  uint64_t mark;  /* profile.c's; neither written nor read while that is off */
} tm_hold;

typedef struct tm_wait {
  const void *_Atomic object; /* NULL: runs */
  void *frame;                /* of the interposed function that waits */
  uint8_t kind, mode;
  bool timed;   /* never part of a deadlock */
  bool bounded; /* ends by itself at some time */
} tm_wait;

/* A context that went up. It goes up again in later epochs, a bounded number of times: a nesting
 * that was ordered before another strand's may be concurrent with it later. Contexts are salted
 * with the thread's number, so that a reused place starts with nothing seen. */
typedef struct tm_seen {
  uint64_t context;
  uint32_t epoch, left;
} tm_seen;

/* What an address in Foundation belongs to. */
typedef enum tm_part { TM_PART_OTHER, TM_PART_LOCKS, TM_PART_OPERATIONS } tm_part;

/* What a strand is, as it was submitted. Addresses only: what they lead to may be gone for whoever
 * looks from another thread. */
typedef struct tm_runs {
  const void *queue; /* that it was given to; NULL: a thread's own code */
  const void *group; /* that it belongs to */
  const void *job;   /* of the Swift runtime */
} tm_runs;

/* Where a strand comes from. */
typedef struct tm_origin {
  uint8_t quality;              /* its quality of service; 0: unknown */
  uint64_t submitter;           /* by which strand; 0: unknown */
  uintptr_t submitted[TM_SITE]; /* where */
  tm_runs runs;
  uint64_t path; /* see `tm_course`; 0: unknown */
} tm_origin;

/* A thread's part in another one's wait, as it was then. */
typedef struct tm_side {
  uint32_t thread; /* 0: nobody */
  uint8_t quality;
  bool waits; /* for something itself */
  uint64_t submitter;
  uintptr_t site[TM_SITE], submitted[TM_SITE];
  tm_runs runs;
} tm_side;

/* A strand as its decisions see it: how it came to be, in numbers that are the same in each run,
 * and how far it is. Kept only while somebody is disturbed. */
typedef struct tm_course {
  uint64_t path;
  uint32_t points, children;
  bool is_last;    /* a change of ranks made it that */
  uint64_t window; /* the last one that it looked at, by its salt */
  uint64_t maker;  /* the strand that submitted it or created its thread; 0: unknown */
} tm_course;

/* How long a thread was delayed under the plan with this number. */
typedef struct tm_shaken_time {
  uint32_t generation;
  uint64_t began, delayed; /* nanoseconds */
} tm_shaken_time;

struct tm_section;
struct tm_workers;
struct tm_running;

typedef struct tm_thread {
  /* Read together on every call: anything but 0 means "not the plain case". `attention` is made of
   * what profile.h names; another thread may write it. */
  union {
    struct {
      uint16_t inside, attention;
    };
    uint32_t special;
  };
  uint32_t held_count;
  tm_seen *seen;
  uint32_t epoch; /* counts what this thread learnt and passed on: the same nesting later is news */
  uint64_t callers[TM_CALLERS];
  tm_wait wait;
  atomic_uint sequence; /* counts every change of `held` and `wait` */
  /* Where in time, and for whom. */
  uint64_t strand, strands; /* now; so far */
  tm_origin origin;
  uint32_t base;             /* how much the thread held when the strand began */
  uint32_t slot, now, began; /* `began`: the time at which the strand began */
  tm_clock *clock;
  uint32_t scope;
  struct tm_section *pending;         /* a sync whose work item has not begun yet */
  struct tm_workers *_Atomic workers; /* the pool that it runs something for; NULL: none */
  bool watched;                       /* whether the watchdog looks at it as one of a pool */
  bool scope_blocks;                  /* it is a test that blocks it, as tests may */
  uint32_t watched_looks;             /* the watchdog's: so long at this place */
  unsigned watched_since;
  uint32_t working;            /* blocks and iterations that run here, one inside the other */
  struct tm_running *running;  /* the operations that this thread is inside of, innermost first */
  const void *_Atomic awaited; /* the operation that it waits for, or NULL */
  /* Who. */
  uint32_t number;
  char first_name[16]; /* inherited from its creator, so it says nothing about this thread */
  int tid;
  pthread_t handle;
  uintptr_t stack_top;
  bool is_main;
  bool keeps_going; /* nobody cancels it, and it has said so to the system */
  bool is_library;  /* made by a library for itself: idle where it runs none of the user's blocks */
  int exiting;      /* rounds of thread-specific destructors seen */
  atomic_bool live;
  struct tm_thread *_Atomic next; /* in the list of all; never unlinked, reused when not live */
  /* What it holds, a cache line each. Far from what else a call writes, by other than whole pages.
   */
  _Alignas(64) tm_hold held[TM_HOLDS];
  /* Where it was when it last went to wait behind somebody, and the sequence number of that wait.
   */
  uintptr_t waiting_stack[TM_STACK];
  uint32_t waiting_count;
  unsigned waiting_since;
  /* The Swift task that ran when it last went to wait in a job, and the number of that wait. */
  const void *waiting_task;
  unsigned task_since;
  /* What without an owner it waits for, and who ended that. */
  tm_spin expecting_lock;
  const void *expects;
  tm_side ended_by;
  tm_runs_view ended_by_runs;
  /* Where it slept last; only where races are reported. */
  uintptr_t slept[TM_SITE];
  /* A stack asked for by another thread. */
  atomic_int stack_wanted;
  uintptr_t taken_stack[TM_STACK];
  uint32_t taken_count;
  tm_magazine magazines[TM_MAGAZINES];
  /* What it added to the work of each pool, less what it took: only the sum over all threads says
   * something. */
  atomic_int work[TM_POOLS][TM_WORKS];
  tm_course course;
  tm_shaken_time shaken;
  struct tm_seat *seat; /* of an exploration, that this thread is; see control.h */
  /* For the recording: since when it runs something, and waits, and for which class. */
  uint64_t run_began, run_flow, wait_began;
  uint32_t wait_class;
} tm_thread;

extern _Thread_local tm_thread *tm_self __attribute__((tls_model("initial-exec")));

/* The thread counts as inside while it has one: a signal handler that posts a semaphore must not
 * come back for it. */
TM_INLINE void tm_spin_lock(tm_spin *lock) {
  tm_thread *t = tm_self;
  if (t) t->inside++;
  atomic_signal_fence(memory_order_seq_cst);
  if (TM_UNLIKELY(atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire)))
    tm_spin_wait(lock);
}
TM_INLINE void tm_spin_unlock(tm_spin *lock) {
  atomic_store_explicit(&lock->taken, 0, memory_order_release);
  atomic_signal_fence(memory_order_seq_cst);
  tm_thread *t = tm_self;
  if (t) t->inside--;
}
extern struct tm_thread *_Atomic tm_threads;

/* This thread's state, made on first use; NULL when it must not be watched (late, early, out of
 * memory). */
tm_thread *tm_thread_attach(void);
/* What is on the way to ending: pops everything, gives the slot back. */
void tm_thread_detach(tm_thread *);
/* The same for a thread whose frames of interest all lie below this address. */
tm_thread *tm_thread_attach_below(uintptr_t top);
tm_thread *tm_thread_by_handle(pthread_t);
/* How many threads this process has had so far. */
uint32_t tm_threads_seen(void);
/* Serves `special != 0`; returns NULL if the call must pass. */
tm_thread *tm_thread_special(tm_thread *);

extern atomic_bool tm_active;
extern tm_settings tm_settings_now; /* set once, before anything is watched */
extern tm_listener tm_listening;
extern atomic_uint tm_joiners; /* threads waiting in a join */
extern const void *tm_main_queue;
extern bool tm_main_queue_is_free; /* of the main thread: `dispatch_main` was called */

/* Classes of quality of service as libdispatch numbers them, comparable. On Linux it makes
 * user-interactive queues user-initiated ones, so the two are one here. */
enum { TM_BACKGROUND = 0x09, TM_UTILITY = 0x11, TM_DEFAULT = 0x15, TM_USER_INITIATED = 0x19 };
TM_INLINE uint8_t tm_quality(unsigned qos) {
  return qos > TM_USER_INITIATED ? TM_USER_INITIATED : (uint8_t)qos;
}

/* PTHREAD_MUTEX_NORMAL and so on, as glibc keeps it in the mutex. */
TM_INLINE int tm_mutex_type(const void *mutex) {
  return ((const pthread_mutex_t *)mutex)->__data.__kind & 3;
}

/* Even part: generation of the objects whose address hashes here; bit 0: one of them is used with a
 * condition. */
extern _Atomic uint32_t tm_generations[TM_GENERATIONS];
TM_INLINE _Atomic uint32_t *tm_generation(const void *object) {
  return &tm_generations[((uintptr_t)object * 0x9E3779B97F4A7C15u) >> 52];
}
TM_INLINE uint64_t tm_mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

void tm_count_one(tm_count);
void tm_count_many(tm_count, uint64_t);

/* A flow of control of its own on this thread, beginning after `from`; what was there before is
 * kept aside. */
typedef struct tm_aside {
  uint64_t strand;
  uint32_t began, scope, base;
  tm_clock *clock;
  tm_origin origin;
  tm_course course;
  bool marked; /* see race.h */
} tm_aside;
/* A number for a new one. */
uint64_t tm_strand_new(tm_thread *);
void tm_strand_begin(tm_thread *, tm_stamp from, uint32_t scope, const tm_origin *, tm_aside *);
/* Whether the strand is one that goes on: neither over nor in a wait. A hint. */
bool tm_strand_goes_on(uint64_t strand);
/* The strand's last moment, after all that is the user's: its clock knows the moment itself. Valid
 * up to `tm_strand_end`; the clock is not the caller's. */
tm_stamp tm_strand_over(tm_thread *);
void tm_strand_end(tm_thread *, const tm_aside *);

/* Knowledge. */
tm_stamp tm_stamp_take(tm_thread *); /* now; the caller drops the clock */
void tm_stamp_drop(tm_stamp *);
void tm_learn(tm_thread *, tm_stamp); /* the stamp stays the caller's */
TM_INLINE bool tm_knows(const tm_thread *t, uint32_t slot, uint32_t time) {
  return tm_clock_knows(t->clock, slot, time) || (slot == t->slot && time >= t->began);
}

/* The bracket around what asks the system for more than the call that is watched does: errno stays
 * as it is, TSan orders nothing by it, and the thread is not cancelled there, as libraries do not
 * expect it and locks are no such places. */
typedef struct tm_quiet {
  int error, cancellation;
} tm_quiet;
tm_quiet tm_quiet_begin(void);
void tm_quiet_end(tm_quiet);
/* The bracket around every up-call; quiet in itself. */
tm_quiet tm_upcall_begin(tm_thread *);
void tm_upcall_end(tm_thread *, tm_quiet before);
void tm_runtime_lock_raw(void);
void tm_runtime_unlock_raw(void);
void tm_ignore_begin(void);
void tm_ignore_end(void);
#endif
