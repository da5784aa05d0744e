/* The objects that a thread holds and waits for, and the contexts in which it takes locks. */
#ifndef TM_HOLD_H
#define TM_HOLD_H
#include "ground/base.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/layout.h"
#include "ground/limits.h"
#include "ground/tag.h"
#include "ground/thread.h"
#include "strand/contexts.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_sequence.h"
#include "threadmill_views.h"

/* Even part: generation of the objects whose address hashes here; bit 0: one of them is used with a
 * condition, or has a history. */
enum { TM_GENERATIONS = 4096 };
extern _Atomic uint32_t tm_generations[TM_GENERATIONS];
TM_INLINE _Atomic uint32_t *tm_generation(const void *object) {
  return &tm_generations[((uintptr_t)object * 0x9E3779B97F4A7C15u) >> 52];
}

/* Returns whether the object may have a stamp or a history. */
TM_INLINE bool tm_passes_order(const void *object) {
  return atomic_load_explicit(tm_generation(object), memory_order_relaxed) & 1;
}

/* Around each change of `held` or `wait`, which other threads look at (threadmill_sequence.h). Only
 * the thread itself calls these two. */
TM_INLINE unsigned tm_change_begins(tm_thread *t) { return tm_sequence_begin(&t->holds.sequence); }
TM_INLINE void tm_change_ends(tm_thread *t, unsigned after) {
  tm_sequence_end(&t->holds.sequence, after);
}

/* A look at another thread, and whether that thread changed nothing since the look began. */
TM_INLINE unsigned tm_look(tm_thread *u) { return tm_sequence_look(&u->holds.sequence); }
TM_INLINE bool tm_look_is_whole(tm_thread *u, unsigned since) {
  return tm_sequence_is_whole(&u->holds.sequence, since);
}

/* Shows what this thread waits for: `wait`. */
TM_INLINE void tm_wait_show(tm_thread *t, const tm_wait *wait) {
  unsigned after = tm_change_begins(t);
  TM_SHARE(t->holds.wait.signs, wait->signs);
  TM_SHARE(t->holds.wait.frame, wait->frame);
  atomic_store_explicit(&t->holds.wait.object, wait->object, memory_order_relaxed);
  tm_change_ends(t, after);
}

TM_INLINE void tm_wait_begin(tm_thread *t, const tm_operation *op, bool timed) {
  tm_wait wait = {.object = op->object,
                  .frame = op->frame,
                  .kind = (uint8_t)op->kind,
                  .mode = (uint8_t)op->mode,
                  .timed = timed,
                  .bounded = op->bounded};
  tm_wait_show(t, &wait);
}

TM_INLINE void tm_wait_end(tm_thread *t) {
  unsigned after = tm_change_begins(t);
  atomic_store_explicit(&t->holds.wait.object, NULL, memory_order_relaxed);
  tm_change_ends(t, after);
}

/* The part of a name that tells an object from those that had its place before. */
TM_INLINE uint64_t tm_incarnation(const void *object, tm_kind kind) {
  return kind == TM_MUTEX ? tm_tag_word(object) : 0;
}

/* Returns a name for the context "holding what this thread holds, about to take this". One look-up
 * of the name tells whether the context is new. When one of its locks dies, the lock's generation
 * or its tag changes, and the name is not made again.
 *
 * The memory of an outermost lock is not read before the lock is taken, because that costs a cache
 * line if others use it: what tells its incarnation comes into the names of the locks inside it.
 *
 * The highest bits of the name choose the set in which it is looked up. They do not depend on the
 * memory of the lock, so that both are fetched at the same time. */
TM_INLINE uint64_t tm_context(const tm_thread *t, const void *object, tm_kind kind, tm_mode mode) {
  uint64_t top = t->who.number, incarnation = 0;
  const uint64_t highest = ~(~0ull >> TM_CHOICE_BITS);
  const tm_hold *last = &t->held.locks[t->holds.held_count - 1];
  if (t->holds.held_count) {
    top = last->context;
    if (t->holds.held_count == 1) top ^= tm_incarnation(last->object, last->kind);
  }
  uint64_t place = tm_mix(top, (uintptr_t)object | mode);
  if (t->holds.held_count) {
    __builtin_prefetch(tm_context_set(&t->holds.contexts, place));
    incarnation = tm_incarnation(object, kind);
  }
  uint32_t generation = atomic_load_explicit(tm_generation(object), memory_order_relaxed);
  uint64_t name = tm_mix(place, generation >> 1 ^ incarnation);
  return (place & highest) | name >> TM_CHOICE_BITS;
}

/* Returns the hold that the operation makes. */
TM_INLINE tm_hold tm_hold_of(const tm_thread *t, const tm_operation *op, uint8_t flags) {
  tm_hold h = {.object = op->object,
               .context = op->context,
               .kind = (uint8_t)op->kind,
               .mode = (uint8_t)op->mode,
               .flags = flags};
  if (!h.context) h.context = tm_context(t, op->object, op->kind, op->mode);
  tm_site_copy(h.site, op->site);
  return h;
}

/* Writes the place above the last hold. A thread that looks there with an old count finds that the
 * sequence number has changed, because the change that took the place out of use came first. */
TM_INLINE void tm_hold_write(tm_thread *t, const tm_hold *new) {
  tm_hold *h = &t->held.locks[t->holds.held_count];
  TM_SHARE(h->object, new->object);
  h->context = new->context;
  for (int i = 0; i < TM_SITE; i++) TM_SHARE(h->site[i], new->site[i]);
  TM_SHARE(h->signs, new->signs);
}

TM_INLINE void tm_hold_add(tm_thread *t, const tm_hold *new) {
  unsigned after = tm_change_begins(t);
  if (TM_UNLIKELY(t->holds.held_count == TM_HOLDS)) {
    tm_count_one(TM_HOLDS_DROPPED);
  } else {
    tm_hold_write(t, new);
    TM_SHARE(t->holds.held_count, t->holds.held_count + 1);
  }
  tm_change_ends(t, after);
}
TM_INLINE void tm_hold_push(tm_thread *t, const tm_operation *op, uint8_t flags) {
  tm_hold new = tm_hold_of(t, op, flags);
  tm_hold_add(t, &new);
}

/* Writes the hold to come before the lock is taken, so that little is left to do under it. The
 * sequence number is read first: a signal handler that uses this place meanwhile changes the
 * number. */
TM_INLINE tm_prepared tm_hold_put(tm_thread *t, const tm_hold *new) {
  unsigned sequence = atomic_load_explicit(&t->holds.sequence, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  const tm_hold *old = &t->held.locks[t->holds.held_count];
  tm_prepared before = {sequence, old->kind, old->object};
  tm_hold_write(t, new);
  return before;
}

TM_INLINE void tm_hold_prepare(tm_thread *t, tm_operation *op) {
  if (TM_UNLIKELY(op->again || t->holds.held_count == TM_HOLDS)) return;
  tm_hold new = tm_hold_of(t, op, 0);
  op->before = tm_hold_put(t, &new);
  op->prepared = true;
}

/* Returns whether the place is still as it was prepared, so many steps of the sequence number
 * later: 1 inside the change that takes the place into use. */
TM_INLINE bool tm_hold_is_put(const tm_thread *t, const tm_prepared *before, unsigned later) {
  return atomic_load_explicit(&t->holds.sequence, memory_order_relaxed) ==
         before->sequence + later;
}
TM_INLINE bool tm_hold_is_prepared(const tm_thread *t, const tm_operation *op, unsigned later) {
  return op->prepared && tm_hold_is_put(t, &op->before, later);
}

/* Undoes `tm_hold_prepare` when the lock was not taken: the place shows the last hold removed
 * again. */
TM_INLINE void tm_hold_unprepare(tm_thread *t, const tm_operation *op) {
  if (!tm_hold_is_prepared(t, op, 0)) return;
  TM_SHARE(t->held.locks[t->holds.held_count].object, op->before.object);
  TM_SHARE(t->held.locks[t->holds.held_count].kind, op->before.kind);
}

/* Returns the number of holds for a look at another thread. */
TM_INLINE uint32_t tm_holds_shared(const tm_thread *u) {
  uint32_t count = TM_GLIMPSE(u->holds.held_count);
  return count < TM_HOLDS ? count : TM_HOLDS;
}

/* The innermost hold of the object, or NULL. Also for a look at another thread. */
TM_INLINE tm_hold *tm_hold_find(tm_thread *t, const void *object) {
  for (uint32_t i = tm_holds_shared(t); i-- > 0;)
    if (TM_GLIMPSE(t->held.locks[i].object) == object) return &t->held.locks[i];
  return NULL;
}

void tm_hold_remove_inner(tm_thread *, tm_hold *);
/* Makes the main thread, which holds nothing, the holder of the main queue. */
void tm_hold_main_queue(tm_thread *);
/* The thread is about to take this `Mutex` by code of its own, and there is no mark in its word. If
 * nobody has it at that moment, the gate does not see how it is taken. The thread looks at its next
 * call (`tm_hold_inlined`). */
void tm_inlined_wait_begins(tm_thread *, const uint32_t *word, void *frame);
/* Makes the thread the holder of that `Mutex`, if it has it by now. */
void tm_hold_inlined(tm_thread *);

TM_INLINE void tm_hold_remove(tm_thread *t, tm_hold *h) {
  unsigned after = tm_change_begins(t);
  if (TM_LIKELY(h == &t->held.locks[t->holds.held_count - 1]))
    TM_SHARE(t->holds.held_count, t->holds.held_count - 1);
  else tm_hold_remove_inner(t, h);
  tm_change_ends(t, after);
}

/* Returns whether another thread may wait for this one: for an object that it holds, or for its
 * end. Asked before the look at a contended lock, which costs a cache line. */
TM_INLINE bool tm_can_deadlock(const tm_thread *t) {
  return t->holds.held_count != 0 || atomic_load_explicit(&tm_joiners, memory_order_relaxed) != 0;
}

/* Returns whether the operation's lock may be taken again by its owner. */
TM_INLINE bool tm_is_recursive(const tm_operation *op) {
  return op->kind == TM_TASK_STATUS_LOCK ||
         (op->kind == TM_MUTEX && tm_mutex_type(op->object) == PTHREAD_MUTEX_RECURSIVE_NP);
}
#endif
