/* The contexts that a thread has told: sets of TM_WAYS, the last one used first in its set. A full
 * set gives up the context that was used longest ago. If such a context comes back, the table
 * grows: a thread that goes through many nestings in turn would tell all of them again each time,
 * but one that always nests new locks would only fill more memory. */
#ifndef TM_CONTEXTS_H
#define TM_CONTEXTS_H
#include "ground/base.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "strand/part.h"

enum { TM_REPEATS = 8 }; /* how often one context is told again */

/* Returns the set for a context, which its highest bits choose. */
TM_INLINE tm_seen *tm_context_set(const tm_contexts *c, uint64_t context) {
  return &c->sets[(context >> c->shift) * TM_WAYS];
}

/* Puts an entry first in its set; those before `way`, its place so far, move back by one. */
TM_INLINE void tm_put_first(tm_seen *set, uint32_t way, tm_seen seen) {
  for (; way > 0; way--) {
    set[way] = set[way - 1];
    __asm__ volatile("" ::: "memory"); /* no call of memmove: see tm_copy */
  }
  set[0] = seen;
}

/* Puts the context first in the set that had it. Returns whether it has to be told, or told again.
 */
bool tm_is_due_behind(tm_thread *, tm_seen *set, uint64_t context);

TM_INLINE bool tm_is_due(const tm_thread *t, const tm_seen *seen) {
  return TM_UNLIKELY(seen->epoch != t->holds.epoch && seen->left != 0);
}

/* Returns whether the context has to be told, or told again. */
TM_INLINE bool tm_is_new_context(tm_thread *t, uint64_t context) {
  tm_seen *set = tm_context_set(&t->holds.contexts, context);
  if (TM_LIKELY(set->context == context)) return tm_is_due(t, set);
  bool is_behind = false;
  for (uint32_t way = 1; way < TM_WAYS; way++) is_behind |= set[way].context == context;
  return !is_behind || tm_is_due_behind(t, set, context);
}

TM_INLINE uint32_t *tm_displaced_place(tm_contexts *c, uint64_t context) {
  return &c->displaced[(context >> 32) % TM_DISPLACED];
}
/* Returns whether the context can be added without growing the table: it was not seen before, or
 * its place was taken by others so long ago that this is forgotten. */
TM_INLINE bool tm_context_can_be_added(tm_thread *t, uint64_t context) {
  tm_contexts *c = &t->holds.contexts;
  const tm_seen *first = tm_context_set(c, context);
  return first->context != context && *tm_displaced_place(c, context) != (uint32_t)context;
}
/* Puts a context that can be added first in its set. `tm_is_new_context` said that it is not there.
 */
TM_INLINE void tm_context_add(tm_thread *t, uint64_t context) {
  tm_contexts *c = &t->holds.contexts;
  tm_seen *set = tm_context_set(c, context);
  uint64_t last = set[TM_WAYS - 1].context;
  if (last) *tm_displaced_place(c, last) = (uint32_t)last;
  tm_put_first(set, TM_WAYS - 1, (tm_seen){context, t->holds.epoch, TM_REPEATS});
}

/* Notes that the context is told now. */
void tm_context_remember(tm_thread *, uint64_t context);
/* Makes the table of a new thread. Returns false if memory is out. */
bool tm_contexts_make(tm_thread *);
#endif
