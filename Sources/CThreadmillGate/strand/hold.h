/* The objects that a thread holds and waits for, and the contexts in which it takes locks. */
#ifndef TM_HOLD_H
#define TM_HOLD_H
#include "ground/base.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/layout.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

/* Even part: generation of the objects whose address hashes here; bit 0: one of them is used with a
 * condition, or has a history. */
enum { TM_GENERATIONS = 4096 };
extern _Atomic uint32_t tm_generations[TM_GENERATIONS];
TM_INLINE _Atomic uint32_t *tm_generation(const void *object) {
  return &tm_generations[((uintptr_t)object * 0x9E3779B97F4A7C15u) >> 52];
}

/* Says that `held` or `wait` changed. Only the thread itself calls it. */
TM_INLINE void tm_changed(tm_thread *t) {
  unsigned sequence = atomic_load_explicit(&t->holds.sequence, memory_order_relaxed);
  atomic_store_explicit(&t->holds.sequence, sequence + 1, memory_order_release);
}

TM_INLINE void tm_wait_begin(tm_thread *t, const tm_operation *op, bool timed) {
  t->holds.wait.kind = (uint8_t)op->kind;
  t->holds.wait.mode = (uint8_t)op->mode;
  t->holds.wait.timed = timed;
  t->holds.wait.bounded = op->bounded;
  t->holds.wait.frame = op->frame;
  atomic_store_explicit(&t->holds.wait.object, op->object, memory_order_relaxed);
  tm_changed(t);
}

TM_INLINE void tm_wait_end(tm_thread *t) {
  atomic_store_explicit(&t->holds.wait.object, NULL, memory_order_relaxed);
  tm_changed(t);
}

/* Returns a name for the context "holding what this thread holds, about to take this". One look-up
 * of the name tells whether the context is new. When one of its locks dies, the lock's generation
 * changes, and the name is not made again. */
TM_INLINE uint64_t tm_context(const tm_thread *t, const void *object, tm_mode mode) {
  uint64_t top =
      t->holds.held_count ? t->held.locks[t->holds.held_count - 1].context : t->who.number;
  uint32_t generation = atomic_load_explicit(tm_generation(object), memory_order_relaxed);
  return tm_mix(tm_mix(top, (uintptr_t)object | mode), generation >> 1);
}

/* Writes the place above the last hold. Another thread that reads there with an old count finds
 * that the sequence number has changed. */
TM_INLINE void tm_hold_write(tm_thread *t, const tm_operation *op, uint8_t flags) {
  tm_hold *h = &t->held.locks[t->holds.held_count];
  uint64_t context = op->context ? op->context : tm_context(t, op->object, op->mode);
  h->object = op->object;
  h->context = context;
  tm_site_copy(h->site, op->site);
  h->kind = (uint8_t)op->kind;
  h->mode = (uint8_t)op->mode;
  h->flags = flags;
  h->again = 0;
}

TM_INLINE void tm_hold_push(tm_thread *t, const tm_operation *op, uint8_t flags) {
  if (TM_UNLIKELY(t->holds.held_count == TM_HOLDS)) {
    tm_count_one(TM_HOLDS_DROPPED);
    tm_changed(t);
    return;
  }
  tm_hold_write(t, op, flags);
  t->holds.held_count++;
  tm_changed(t);
}

/* Writes the hold to come before the lock is taken, so that little is left to do under it. The
 * sequence number is read first: a signal handler that uses this place meanwhile changes the
 * number. */
TM_INLINE void tm_hold_prepare(tm_thread *t, tm_operation *op) {
  if (TM_UNLIKELY(op->again || t->holds.held_count == TM_HOLDS)) return;
  op->sequence = atomic_load_explicit(&t->holds.sequence, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  op->displaced = t->held.locks[t->holds.held_count].object;
  op->displaced_kind = t->held.locks[t->holds.held_count].kind;
  tm_hold_write(t, op, 0);
  op->prepared = true;
}

TM_INLINE bool tm_hold_is_prepared(const tm_thread *t, const tm_operation *op) {
  return op->prepared &&
         atomic_load_explicit(&t->holds.sequence, memory_order_relaxed) == op->sequence;
}

/* Undoes `tm_hold_prepare` when the lock was not taken: the place shows the last hold removed
 * again. */
TM_INLINE void tm_hold_unprepare(tm_thread *t, const tm_operation *op) {
  if (!tm_hold_is_prepared(t, op)) return;
  t->held.locks[t->holds.held_count].object = op->displaced;
  t->held.locks[t->holds.held_count].kind = op->displaced_kind;
}

/* The innermost hold of the object, or NULL. */
TM_INLINE tm_hold *tm_hold_find(tm_thread *t, const void *object) {
  for (uint32_t i = t->holds.held_count; i-- > 0;)
    if (t->held.locks[i].object == object) return &t->held.locks[i];
  return NULL;
}

void tm_hold_remove_inner(tm_thread *, tm_hold *);

TM_INLINE void tm_hold_remove(tm_thread *t, tm_hold *h) {
  tm_changed(t);
  if (TM_LIKELY(h == &t->held.locks[t->holds.held_count - 1])) {
    t->holds.held_count--;
    return;
  }
  tm_hold_remove_inner(t, h);
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
