/* Vector clocks (Fidge, Mattern 1988): per slot, the latest moment that a strand knows to be over.
 * A clock with more than one reference never changes.
 *
 * A stamp is one moment: a shared clock plus the moment's own slot and time, so that taking one
 * costs one reference and no copy. A clock is copied only when its strand learns something new. */
#ifndef TM_CLOCK_H
#define TM_CLOCK_H
#include "ground/base.h"
#include "ground/storage.h"

typedef struct tm_clock {
  atomic_uint references;
  uint32_t count;
  uint32_t times[];
} tm_clock;

typedef struct tm_stamp {
  tm_clock *clock;     /* NULL: knows nothing */
  uint32_t slot, time; /* time 0: only what the clock says */
} tm_stamp;

void tm_clock_free(tm_clock *); /* the clock must have no reference left */
TM_INLINE tm_clock *tm_clock_keep(tm_clock *clock) {
  if (clock) atomic_fetch_add_explicit(&clock->references, 1, memory_order_relaxed);
  return clock;
}
TM_INLINE void tm_clock_drop(tm_clock *clock) {
  if (clock && atomic_fetch_sub_explicit(&clock->references, 1, memory_order_acq_rel) == 1)
    tm_clock_free(clock);
}
/* Returns a clock that knows what both know and the moment itself; `into` is consumed, the stamp is
 * not. The result may be `into` itself, so no other thread may take a reference to `into`
 * meanwhile. */
tm_clock *tm_clock_learn(tm_clock *into, tm_stamp stamp);
/* Returns a clock that knows what the stamp knows, and the moment itself. Processors contend for
 * the reference count of a clock that many strands begin with, so a copy takes no reference. */
tm_clock *tm_clock_after(tm_stamp);
/* Whether `big` knows all that `small` knows; NULL knows nothing. */
bool tm_clock_covers(const tm_clock *big, const tm_clock *small);
/* Whether there is nothing to learn from the stamp. */
bool tm_clock_has(const tm_clock *, tm_stamp);
/* A clock in which several threads leave what they know, for a thread that comes later. Each thread
 * uses one of its parts, so that threads seldom contend. */
enum { TM_CLOCK_PARTS = 4 };
typedef struct tm_shared_clock {
  struct {
    _Alignas(64) tm_spin lock;
    tm_clock *clock;
  } parts[TM_CLOCK_PARTS];
} tm_shared_clock;
struct tm_thread;
void tm_shared_clock_add(tm_shared_clock *, tm_stamp); /* the stamp stays the caller's */
void tm_shared_clock_learn(struct tm_thread *, tm_shared_clock *);
void tm_shared_clock_drop(tm_shared_clock *); /* when no thread adds to it any more */

/* Returns whether the clock knows the moment to be over. */
TM_INLINE bool tm_clock_knows(const tm_clock *clock, uint32_t slot, uint32_t time) {
  return clock && slot < clock->count && clock->times[slot] >= time;
}
#endif
