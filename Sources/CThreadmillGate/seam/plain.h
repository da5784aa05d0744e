/* The short ways of calls that take and release a lock.
 *
 * A call is plain if the user makes it, or a lock class of Foundation's for its caller, and nothing
 * about it is unusual. It is then described by no operation: what it needs stays in registers. Each
 * short way does what `TM_INTERPOSED` would do with the call, and leaves a call that it cannot do
 * to it. */
#ifndef TM_PLAIN_H
#define TM_PLAIN_H
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/thread.h"
#include "observe/watched.h"
#include "seam/seam.h"
#include "strand/contexts.h"
#include "strand/hold.h"
#include "strand/part.h"
#include "tell/usual.h"
#include "threadmill_views.h"

/* The callers whose calls can be plain. */
typedef enum tm_plain_caller { TM_PLAIN_USER, TM_PLAIN_LOCK_CLASS } tm_plain_caller;

/* Returns whether the address is in code of the user's, or (TM_PLAIN_LOCK_CLASS) of a lock class.
 * Knows only what `tm_users_operation` and `tm_is_watched` looked up before. */
TM_INLINE bool tm_is_plain_code(const tm_thread *t, void *address, tm_plain_caller most) {
  uint64_t page = (uintptr_t)address >> 12, known = t->code.callers[page % TM_CALLERS];
  if (TM_LIKELY(known == (page << 8 | TM_CALLER_USER))) return !tm_in_gate((uintptr_t)address);
  return most == TM_PLAIN_LOCK_CLASS && known == (page << 8 | TM_CALLER_FOUNDATION) &&
         tm_is_known_lock_class((uintptr_t)address);
}

/* Returns the calling thread if its call, which returns to this address, may be plain. */
TM_INLINE tm_thread *tm_plain_thread(void *returns_to, tm_plain_caller most) {
  if (TM_UNLIKELY(!atomic_load_explicit(&tm_active, memory_order_relaxed))) return NULL;
  tm_thread *t = tm_self;
  if (TM_UNLIKELY(!t || t->ground.special)) return NULL;
  return TM_LIKELY(tm_is_plain_code(t, returns_to, most)) ? t : NULL;
}

/* Does what comes before a plain call that waits for a lock: publishes the wait, and prepares the
 * hold. Returns NULL if the call is not plain. */
TM_INLINE tm_thread *tm_acquire_plainly(const void *lock, tm_kind kind, tm_mode mode, void *frame,
                                        tm_prepared *prepared) {
  tm_thread *t = tm_plain_thread(((void **)frame)[1], TM_PLAIN_LOCK_CLASS);
  if (TM_UNLIKELY(!t || t->holds.held_count == TM_HOLDS)) return NULL;
  uint64_t context = tm_context(t, lock, kind, mode);
  if (t->holds.held_count && TM_UNLIKELY(tm_is_new_context(t, context)) &&
      !(kind == TM_MUTEX && tm_is_usual(t, lock, context, frame)))
    return NULL;
  tm_wait wait = {.object = lock, .frame = frame, .kind = (uint8_t)kind, .mode = (uint8_t)mode};
  tm_wait_show(t, &wait);
  if (tm_wait_concerns_others(t) && TM_UNLIKELY(tm_looks_taken(lock, kind))) return NULL;
  tm_hold hold = {
      .object = lock, .context = context, .kind = (uint8_t)kind, .mode = (uint8_t)mode};
  tm_site_take_near(t, frame, hold.site);
  *prepared = tm_hold_put(t, &hold);
  return t;
}

/* Ends the change that began after the real function, and does `tm_after`: the lock was not taken,
 * or something turned out unusual meanwhile. `after` is what the begin of the change returned. */
void tm_acquired_unplainly(tm_thread *, const tm_wait *, const tm_prepared *, unsigned after,
                           int result);

/* Does what comes after the real function of a plain call that waited for a lock. */
TM_INLINE int tm_acquired_plainly(tm_thread *t, const void *lock, tm_kind kind, tm_mode mode,
                                  void *frame, const tm_prepared *prepared, int result) {
  unsigned after = tm_change_begins(t);
  atomic_store_explicit(&t->holds.wait.object, NULL, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst); /* see `tm_after` */
  if (TM_UNLIKELY(result != 0 || !tm_hold_is_put(t, prepared, 1) || tm_passes_order(lock))) {
    tm_wait wait = {.object = lock, .frame = frame, .kind = (uint8_t)kind, .mode = (uint8_t)mode};
    tm_acquired_unplainly(t, &wait, prepared, after, result);
    return result;
  }
  TM_SHARE(t->holds.held_count, t->holds.held_count + 1);
  tm_change_ends(t, after);
  return result;
}

/* Removes the hold if the release is plain: the hold is the innermost one, has no flags, and was
 * taken once. Returns the thread, or NULL if the release is not plain. Need not check whether the
 * call is to be watched: there is a hold only if the call that took the lock was watched. */
TM_INLINE tm_thread *tm_release_plainly(const void *object) {
  tm_thread *t = tm_self;
  if (TM_UNLIKELY(!t || t->ground.special || !t->holds.held_count)) return NULL;
  if (TM_UNLIKELY(!atomic_load_explicit(&tm_active, memory_order_relaxed))) return NULL;
  tm_hold *h = &t->held.locks[t->holds.held_count - 1];
  if (TM_UNLIKELY(h->object != object || h->again || h->flags)) return NULL;
  tm_hold_remove(t, h);
  return t;
}

/* Defines an interposed function that waits for a lock and takes it. The calls that are not plain
 * go to `acquire_…`, which is not tail-called: it takes stacks from `frame`, so that frame has to
 * exist still. */
#define TM_ACQUIRING(name, type, its_kind, its_mode)                                               \
  TM_OTHER_WAY static int acquire_##name(type *lock, void *frame) {                                \
    TM_INTERPOSED_AT(frame, ((void **)frame)[1], name, (lock), TM_ACQUIRE, lock, its_kind,         \
                     its_mode);                                                                    \
  }                                                                                                \
  TM_EXPORT int name(type *lock) {                                                                 \
    void *frame = __builtin_frame_address(0);                                                      \
    tm_prepared prepared;                                                                          \
    tm_thread *t = tm_acquire_plainly(lock, its_kind, its_mode, frame, &prepared);                 \
    if (TM_UNLIKELY(!t)) return acquire_##name(lock, frame);                                       \
    int result = TM_REAL(name)(lock);                                                              \
    return tm_acquired_plainly(t, lock, its_kind, its_mode, frame, &prepared, result);             \
  }

/* Defines an interposed function that releases a lock. Its code before the real function runs under
 * the lock, so a plain release has a short way of its own. All other releases go to `release_…`,
 * which is not tail-called: it takes stacks from `frame`, so that frame has to exist still. */
#define TM_RELEASING(name, type, its_kind)                                                         \
  TM_OTHER_WAY static int release_##name(type *object, void *frame) {                              \
    TM_INTERPOSED_AT(frame, ((void **)frame)[1], name, (object), TM_RELEASE, (const void *)object, \
                     its_kind, TM_EXCLUSIVE);                                                      \
  }                                                                                                \
  TM_EXPORT int name(type *object) {                                                               \
    void *frame = __builtin_frame_address(0);                                                      \
    tm_thread *t = tm_release_plainly((const void *)object);                                       \
    if (TM_UNLIKELY(!t)) return release_##name(object, frame);                                     \
    int result = TM_REAL(name)(object);                                                            \
    if (!tm_took(result)) tm_release_failed(t, (const void *)object, its_kind, frame);             \
    return result;                                                                                 \
  }
#endif
