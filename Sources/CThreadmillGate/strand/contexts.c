#ifdef __linux__
#include "ground/base.h"
#include "strand/contexts.h"
#include "ground/limits.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "strand/part.h"

TM_GATE_CODE_BEGIN

enum {
  FIRST_SHIFT = 64 - 8,
  LAST_SHIFT = 64 - 14 /* 16 KiB, and 1 MiB, for a thread */
};
_Static_assert(LAST_SHIFT >= 64 - TM_CHOICE_BITS, "");

static size_t sets_size(uint32_t shift) {
  return ((size_t)1 << (64 - shift)) * TM_WAYS * sizeof(tm_seen);
}

bool tm_contexts_make(tm_thread *t) {
  t->holds.contexts.shift = FIRST_SHIFT;
  t->holds.contexts.sets = tm_map_whole(sets_size(FIRST_SHIFT));
  return t->holds.contexts.sets;
}

/* Returns the way of the set that has the context, or TM_WAYS. */
static uint32_t way_of(const tm_seen *set, uint64_t context) {
  uint32_t way = 0;
  while (way < TM_WAYS && set[way].context != context) way++;
  return way;
}

bool tm_is_due_behind(tm_thread *t, tm_seen *set, uint64_t context) {
  uint32_t way = way_of(set, context);
  if (way == TM_WAYS) return true; /* a signal handler has put others into the set since */
  tm_put_first(set, way, set[way]);
  return tm_is_due(t, set);
}

/* Doubles the number of sets. A signal handler that takes locks meanwhile passes through. */
static void grow(tm_thread *t) {
  tm_contexts *c = &t->holds.contexts;
  uint32_t old_shift = c->shift;
  tm_seen *old = c->sets,
          *sets = old_shift > LAST_SHIFT ? tm_map_whole(sets_size(old_shift - 1)) : NULL;
  if (!sets) return;
  t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  c->sets = sets;
  c->shift = old_shift - 1;
  for (size_t i = sets_size(old_shift) / sizeof(tm_seen); i-- > 0;)
    if (old[i].context) tm_put_first(tm_context_set(c, old[i].context), TM_WAYS - 1, old[i]);
  tm_unmap(old, sets_size(old_shift));
  /* Contexts that gave way in the smaller table may have room in the larger one. */
  tm_clear(c->displaced, sizeof c->displaced);
  atomic_signal_fence(memory_order_seq_cst);
  t->ground.inside--;
}

void tm_context_remember(tm_thread *t, uint64_t context) {
  tm_contexts *c = &t->holds.contexts;
  if (*tm_displaced_place(c, context) == (uint32_t)context) {
    *tm_displaced_place(c, context) = 0;
    grow(t);
  }
  tm_seen *set = tm_context_set(c, context);
  uint32_t way = way_of(set, context);
  if (way == TM_WAYS) tm_context_add(t, context);
  else tm_put_first(set, way, (tm_seen){context, t->holds.epoch, set[way].left - 1});
}

TM_GATE_CODE_END
#endif
