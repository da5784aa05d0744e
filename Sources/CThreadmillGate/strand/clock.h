/* Vector clocks (Fidge, Mattern 1988). A clock says what one strand knows: for each slot (one per
 * thread), the latest moment of that thread that the strand knows to be over. A clock with more
 * than one reference never changes.
 *
 * A stamp is one moment: the clock that its strand had, plus the moment's own slot and time. The
 * clock is shared with the strand, so that taking a stamp costs one reference and no copy. When the
 * strand later learns something new, it gets a copy of a clock that is shared or too small. */
#ifndef TM_CLOCK_H
#define TM_CLOCK_H
#include "ground/base.h"
#include "ground/stamp.h"
#include "ground/storage.h"

typedef struct tm_clock {
  atomic_uint references;
  uint32_t count;   /* of slots in `times`, rounded up */
  uint32_t newest;  /* the slot of the last moment that was added: mostly unknown to other clocks */
  uint32_t unused;
  _Atomic uint64_t name; /* of what it knows; 0: none yet. Another name after each change */
  uint64_t covers[2];    /* names of clocks: it knows all that they knew */
  uint32_t times[];      /* by slot */
} tm_clock;

void tm_clock_free(tm_clock *); /* the clock must have no reference left */
/* Takes one more reference, or several, and drops them. */
TM_INLINE tm_clock *tm_clock_keep(tm_clock *clock) {
  if (clock) atomic_fetch_add_explicit(&clock->references, 1, memory_order_relaxed);
  return clock;
}
TM_INLINE void tm_clock_drop_many(tm_clock *clock, uint32_t references) {
  if (clock && atomic_fetch_sub_explicit(&clock->references, references, memory_order_acq_rel) ==
                   references)
    tm_clock_free(clock);
}
TM_INLINE void tm_clock_drop(tm_clock *clock) { tm_clock_drop_many(clock, 1); }
/* Returns a clock that knows what `into` and the stamp's clock know, and the stamp's own moment.
 * Takes over the caller's reference to `into`; the stamp stays the caller's. May change and return
 * `into` itself, so no other thread may take a reference to `into` meanwhile. If memory is out,
 * returns `into` unchanged, and counts that. */
tm_clock *tm_clock_learn(tm_clock *into, tm_stamp stamp);
/* The same for a stamp that `into` does not have. */
tm_clock *tm_clock_learn_new(tm_clock *into, tm_stamp stamp);
/* Returns a reference to a clock that knows what the stamp's clock knows, and the stamp's own
 * moment: a new clock, unless the stamp's clock knows that moment already or memory is out. Makes
 * the new one without a reference to the stamp's clock in between: when many strands begin with one
 * clock, their processors contend for its reference count. */
tm_clock *tm_clock_after(tm_stamp);
/* Returns a new reference to a clock that knows all of both stamps; if memory is out, to one that
 * does not know the second. */
tm_clock *tm_clock_joined(tm_stamp, tm_stamp);
/* Gives the clock a name if it has none; `name` is one that nothing else has. With names, the
 * clocks of one queue's blocks need not be compared: each knows what the one before it knew. */
TM_INLINE void tm_clock_call(tm_clock *clock, uint64_t name) {
  if (clock && atomic_load_explicit(&clock->name, memory_order_relaxed) == 0)
    atomic_store_explicit(&clock->name, name, memory_order_relaxed);
}
/* Returns whether `big` knows all that `small` knows; NULL knows nothing. */
bool tm_clock_covers(const tm_clock *big, const tm_clock *small);
/* Returns whether the clock knows what the stamp's clock knows, and the stamp's own moment. */
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
void tm_shared_clock_add(tm_shared_clock *, tm_stamp); /* the stamp stays the caller's */
void tm_shared_clock_drop(tm_shared_clock *); /* when no thread adds to it any more */

/* Returns whether the clock knows the moment to be over. */
TM_INLINE bool tm_clock_knows(const tm_clock *clock, uint32_t slot, uint32_t time) {
  return clock && slot < clock->count && clock->times[slot] >= time;
}
#endif
