/* The strand's parts of a thread's state: the thread's identity, the strand that it runs, and what
 * it holds and waits for. */
#ifndef TM_STRAND_PART_H
#define TM_STRAND_PART_H
#include "ground/limits.h"
#include "ground/stamp.h"
#include "ground/storage.h"
#include "ground/runs.h"

/* Flags of a hold. */
enum {
  TM_HOLD_PRETENDED = 1, /* the lock was not really taken again (continue=true) */
  TM_HOLD_BASE = 2,      /* the main thread's hold of the main queue: never popped */
};

/* The members of the unions below are written as one word, and read one by one. */
typedef struct tm_hold {
  const void *object;
  uint64_t context; /* hash of everything held up to and including this one */
  uintptr_t site[TM_SITE];
  union {
    struct {
      uint8_t kind, mode, flags;
      uint32_t again; /* how often it was taken again on top of the first time */
    };
    uint64_t signs;
  };
  uint64_t mark; /* the profile's; neither written nor read while the profile is off */
} tm_hold;

typedef struct tm_wait {
  const void *_Atomic object; /* NULL: the thread runs */
  void *frame;                /* of the interposed function that waits */
  union {
    struct {
      uint8_t kind, mode;
      bool timed;   /* never part of a deadlock */
      bool bounded; /* ends by itself at some time */
    };
    uint32_t signs;
  };
} tm_wait;

/* A `Mutex` that this thread may have taken by code of its own. */
typedef struct tm_inlined_wait {
  const uint32_t *word;
  uintptr_t site[TM_SITE];
} tm_inlined_wait;

/* A context that was told in an up-call. It is told again in later epochs, a bounded number of
 * times: a nesting that was ordered before another strand's nesting may be concurrent with it
 * later. Contexts are salted with the thread's number, so that a reused thread record starts with
 * nothing seen. */
typedef struct tm_seen {
  uint64_t context;
  uint32_t epoch, left;
} tm_seen;

/* The contexts that the thread has told; see contexts.h. */
typedef struct tm_contexts {
  tm_seen *sets;                    /* TM_WAYS of them in each set */
  uint32_t shift;                   /* of a context, to the number of its set */
  uint32_t displaced[TM_DISPLACED]; /* parts of contexts that had to give way */
} tm_contexts;

/* The origin of a strand. */
typedef struct tm_origin {
  uint8_t quality;              /* quality of service; 0: unknown */
  uint64_t submitter;           /* the strand that submitted it; 0: unknown */
  uintptr_t submitted[TM_SITE]; /* the place of submission */
  tm_runs runs;
  uint64_t path; /* see `tm_course`; 0: unknown */
} tm_origin;

/* A strand as the decisions of jitter see it: its path (how it came to be, in numbers that are the
 * same in each run) and its progress. Kept only while jitter is on. */
typedef struct tm_course {
  uint64_t path;
  uint32_t points, children;
  bool is_last;    /* a change of ranks put this strand last */
  uint64_t window; /* the last window that this strand looked at, by the window's salt */
  uint64_t maker;  /* the strand that submitted it or created its thread; 0: unknown */
} tm_course;

/* The thread's identity. */
typedef struct tm_who_part {
  uint32_t number;
  uint32_t index; /* below TM_SLOTS: of the record, which a later thread reuses */
  char first_name[16]; /* inherited from the creating thread, so it says nothing about this one */
  pthread_t handle;
  bool is_main;
  bool is_library; /* made by a library for itself: idle while it runs no block of the user's */
  bool is_worker;  /* of libdispatch: it has run submitted work */
  int exiting;     /* rounds of thread-specific destructors that have run */
  atomic_bool cancelled; /* somebody asked for its end */
  atomic_bool live;
  struct tm_thread *_Atomic next; /* in the list of all; never unlinked, reused when not live */
} tm_who_part;

/* The objects that the thread holds and waits for. */
typedef struct tm_holds_part {
  uint32_t held_count;
  uint32_t epoch; /* grows when the thread learns or leaves a stamp: nestings are told again */
  tm_wait wait;
  tm_inlined_wait inlined;
  atomic_uint sequence; /* of every change of `held` and `wait`; odd while one goes on */
  tm_contexts contexts;
} tm_holds_part;

/* References to a clock that a thread has in stock, or still has to drop. A storm of submissions
 * takes and drops references to one clock all the time: if each were counted at once, the threads
 * would contend for the clock. */
typedef struct tm_stock {
  struct tm_clock *clock;
  uint32_t count;
} tm_stock;

/* The strand that runs on the thread now. */
typedef struct tm_strand_part {
  uint64_t id, count; /* the current strand; the number of strands so far */
  tm_origin origin;
  uint32_t base;             /* how many locks the thread held when the strand began */
  /* The fibre's, if the strand has one; else the thread's. `began`: the time at which the strand
   * began; `last`: its last moment, once it is over. */
  uint32_t slot, now, began, last;
  uintptr_t stack_low; /* the end of the thread's stack; 0: not known yet */
  void *own_state;     /* the thread's own state in TSan, while it is on a fibre */
  struct tm_fibre *kept; /* of a worker: the fibre of its last strand */
  uintptr_t mark;        /* of its own state, when it left that fibre (stack_notes.h) */
  const struct tm_roots *roots; /* what led to its own memory when it went there (roots.h) */
  struct tm_clock *clock;
  /* The moment after which the strand began, as long as its clock does not know it yet: most blocks
   * end without asking. The clock in it is not the strand's. */
  tm_stamp from;
  tm_stock lent; /* references for the stamps of submissions to come */
  tm_stock owed; /* references of submissions that have run here */
  uint32_t scope;   /* the test that the strand works for; 0: unknown */
  uint32_t working; /* blocks and iterations that run here, one inside the other */
  tm_course course;
  /* The Swift task that ran when the thread last went to wait in a job, and the number of that
   * wait. */
  const void *waiting_task;
  unsigned task_since;
} tm_strand_part;

/* The locks that are held, one cache line each. Far from what other threads write. */
typedef struct tm_held_part {
  _Alignas(64) tm_hold locks[TM_HOLDS];
} tm_held_part;
#endif
