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

/* Returns whether the context has to be told, or told again. */
bool tm_is_new_behind(tm_thread *, tm_seen *set, uint64_t context);

TM_INLINE bool tm_is_due(const tm_thread *t, const tm_seen *seen) {
  return TM_UNLIKELY(seen->epoch != t->holds.epoch && seen->left != 0);
}

TM_INLINE bool tm_is_new_context(tm_thread *t, uint64_t context) {
  tm_seen *set = &t->holds.contexts.sets[(context >> t->holds.contexts.shift) * TM_WAYS];
  return TM_LIKELY(set->context == context) ? tm_is_due(t, set) : tm_is_new_behind(t, set, context);
}

/* Notes that the context is told now. */
void tm_context_remember(tm_thread *, uint64_t context);
/* Makes the table of a new thread. Returns false if memory is out. */
bool tm_contexts_make(tm_thread *);
#endif
