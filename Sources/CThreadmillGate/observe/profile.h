/* The contention profile (profile=true): what locks cost, by the place that made them.
 *
 * Free when off: every call takes the short way. When on, `special` is never 0, so that calls and
 * releases take the long way, which leads here. */
#ifndef TM_PROFILE_H
#define TM_PROFILE_H
#include "ground/base.h"
#include "ground/thread.h"
#include "strand/operation.h"
#include "threadmill_sequence.h"

struct lock_class;
/* A profiled call between its two ends. */
typedef struct tm_profiled {
  struct lock_class *lock_class; /* NULL: not profiled */
  uint64_t moment;               /* when the wait began; when the hold ended */
  uint64_t mark;                 /* the mark of the hold that a release ends */
  uint32_t held;                 /* the number of the thread's holds before */
  bool contended;
} tm_profiled;

/* Notes that the lock with this mark is free again since `moment`. */
void tm_profile_freed(tm_thread *, uint64_t mark, uint64_t moment, void *frame);
/* Counts the acquisition that the profiled call has made, and marks its hold. */
void tm_profile_acquired(tm_thread *, const tm_profiled *, uint64_t now);

/* Around a wait that `tm_before` and `tm_after` do not enclose. `tm_profile_waits` names the class
 * and starts the clock, `tm_profile_took` stops it and counts one acquisition; returns the mark of
 * the hold that begins, which `tm_profile_left` takes. 0: not profiled. */
void tm_profile_waits(tm_thread *, const tm_operation *, tm_profiled *);
uint64_t tm_profile_took(tm_thread *, tm_profiled *);
void tm_profile_left(tm_thread *, uint64_t mark, void *frame);

/* Gives this mark to the innermost hold. */
TM_INLINE void tm_profile_mark(tm_thread *t, uint64_t mark) {
  if (t->holds.held_count) TM_SHARE(t->held.locks[t->holds.held_count - 1].mark, mark);
}
/* Returns the time at which the hold with this mark began; `lock_class` gets the number of its
 * class. */
uint64_t tm_profile_since(uint64_t mark, uint64_t now, uint32_t *lock_class);
/* Returns the mark of a hold that begins again now, after a wait for a condition. */
uint64_t tm_profile_again(uint64_t mark);

/* Work inside a queue, measured; it replaces a section's work. */
typedef struct tm_profiled_work {
  void (*work)(void *);
  void *context;
  tm_profiled wait;
  uint64_t began, ended;
} tm_profiled_work;
void tm_profile_work(void *profiled);
/* Counts the work, for which the caller waited. */
void tm_profile_worked(tm_thread *, tm_profiled_work *, void *frame);
#endif
