/* The seam: the one door between the interposed functions and the drivers.
 *
 * An interposed function describes its call as an operation, asks `tm_before` whether the real
 * function is to be called, calls it, and reports with `tm_after`. `TM_INTERPOSED` does all four.
 *
 * The Observer is compiled into the seam. It always lets the real function run, unless the option
 * `continue=true` is set and the call would certainly hang: a lock that the thread already has is
 * then not taken again, and not released for that second time. (run_section.c does likewise for a
 * `sync` onto a queue that the thread is on.) Jitter, steering and the profile work in the long way
 * (long_way.c). The Scheduler replaces the real functions while an exploration runs
 * (control/model.h). */
#ifndef TM_SEAM_H
#define TM_SEAM_H
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/mutex_word.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/object.h"
#include "observe/blocked.h"
#include "observe/inversion.h"
#include "observe/lock_misuse.h"
#include "observe/main_queue.h"
#include "observe/nested.h"
#include "observe/profile.h"
#include "observe/starvation.h"
#include "observe/watched.h"
#include "strand/contexts.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "threadmill_views.h"
#include <errno.h>

/* `tm_users_call` (users_call.h) for a thread whose `ground.special` is not 0. Adds to `caller` the
 * flags TM_CALLER_PROFILED, SHAKEN and STEERED that apply, so that the call takes the long way. */
tm_thread *tm_long_way_call(tm_thread *, void *return_address, tm_caller *caller);
/* `tm_users_call` for a call that is described as an operation: returns the thread's state if the
 * call is to be watched, NULL if it has to pass straight through. */
TM_INLINE tm_thread *tm_users_operation(void *return_address, tm_caller *caller) {
  if (TM_UNLIKELY(!atomic_load_explicit(&tm_active, memory_order_relaxed))) return NULL;
  tm_thread *t = tm_self;
  if (TM_UNLIKELY(!t) && !(t = tm_thread_attach())) return NULL;
  if (TM_UNLIKELY(t->ground.special != 0)) {
    tm_caller found; /* so that `*caller` can stay in a register */
    t = tm_long_way_call(t, return_address, &found);
    *caller = found;
    return t;
  }
  *caller = tm_caller_of(t, return_address);
  return *caller <= TM_CALLER_RUNTIME ? t : NULL;
}

/* Like `tm_before` (with `tm_hold_prepare`) and `tm_after`; they also record how long the thread
 * waited for the object and held it. */
bool tm_profile_before(tm_thread *, tm_operation *, tm_profiled *);
void tm_profile_after(tm_thread *, tm_operation *, tm_profiled *, bool succeeded);

/* Like `tm_before` (with `tm_hold_prepare`) and `tm_after`, plus what the flags in `caller` ask
 * for: the profile, a delay, or a step of steering. */
bool tm_long_way_before(tm_thread *, tm_operation *, tm_caller, tm_profiled *);
void tm_long_way_after(tm_thread *, tm_operation *, tm_caller, tm_profiled *, bool succeeded);
/* Returns the calling thread if it holds the object, else NULL. Asked for a release that seems to
 * be a library's own, because it may be the user's: if a function of the user's ends in a jump to
 * the release, the return address is in that function's caller, which may be a library. */
tm_thread *tm_holder(const void *object);

/* Returns whether a thread seems to have the lock now. Reads fields that glibc's headers declare. A
 * wrong yes costs time. After a wrong no, this wait is not checked for a deadlock, an inversion or
 * a starved pool; the watchdog can still find a hang. */
TM_INLINE bool tm_looks_taken(const void *lock, tm_kind kind) {
  switch (kind) {
  case TM_MUTEX:
  case TM_TASK_STATUS_LOCK: return ((const pthread_mutex_t *)lock)->__data.__lock != 0;
  case TM_RWLOCK: return ((const pthread_rwlock_t *)lock)->__data.__readers != 0;
  case TM_SWIFT_MUTEX: return tm_word_is_taken(lock);
  default: return true;
  }
}

/* Returns whether a look is due at the lock that this thread is about to wait for. */
TM_INLINE bool tm_wait_concerns_others(const tm_thread *t) {
  return tm_can_deadlock(t) || tm_can_be_inverted(t) || t->pools.workers;
}

TM_INLINE bool tm_before(tm_thread *t, tm_operation *op) {
  switch (op->action) {
  case TM_ACQUIRE:
    /* While the lock is not taken yet. */
    op->context = tm_context(t, op->object, op->kind, op->mode);
    if (t->holds.held_count && TM_UNLIKELY(tm_is_new_context(t, op->context)) && !tm_nested(t, op))
      return false;
    tm_wait_begin(t, op, false);
    if (tm_wait_concerns_others(t) && TM_UNLIKELY(tm_looks_taken(op->object, op->kind))) {
      tm_may_starve(t);
      tm_about_to_block(t, op);
    }
    return true;
  case TM_ACQUIRE_TIMED:
    op->bounded = true;
    /* fallthrough */
  case TM_WAIT:
    tm_wait_begin(t, op, true);
    tm_may_starve(t);
    if (TM_UNLIKELY(t->who.is_main)) op->since = tm_main_wait_begin();
    if (TM_UNLIKELY(tm_can_be_inverted(t))) tm_inversion_begin(t, op);
    return true;
  case TM_RELEASE: {
    tm_hold *h = tm_hold_find(t, op->object);
    if (TM_UNLIKELY(!h)) {
      tm_released_elsewhere(t, op);
      return true;
    }
    if (TM_UNLIKELY(h->again)) {
      h->again--;
      return true;
    }
    if (TM_UNLIKELY(h->flags & TM_HOLD_PRETENDED)) op->pretended = true;
    op->removed = true;
    tm_hold_remove(t, h);
    return !op->pretended;
  }
  case TM_SIGNAL: tm_object_leave_stamp(t, op->object, op->kind); return true;
  case TM_DESTROY:
    tm_destroys(t, op);
    if (op->kind == TM_MUTEX) tm_mutex_died(t, op->object);
    else tm_object_died(t, op->object);
    return true;
  default: return true;
  }
}

/* Inside a change of the thread's. */
TM_INLINE void tm_acquired(tm_thread *t, tm_operation *op) {
  if (TM_UNLIKELY(tm_passes_order(op->object))) tm_ordered_section_begins(t, op);
  if (TM_LIKELY(tm_hold_is_prepared(t, op, 1))) {
    TM_SHARE(t->holds.held_count, t->holds.held_count + 1);
    return;
  }
  tm_hold *h;
  if (TM_UNLIKELY(t->holds.held_count && (op->again || op->action != TM_ACQUIRE)) &&
      (h = tm_hold_find(t, op->object)) && !op->pretended) {
    h->again++;
    return;
  }
  tm_hold_push(t, op, op->pretended ? TM_HOLD_PRETENDED : 0);
}

TM_INLINE void tm_after(tm_thread *t, tm_operation *op, bool succeeded) {
  unsigned after;
  switch (op->action) {
  case TM_ACQUIRE:
  case TM_ACQUIRE_TIMED:
    if (TM_UNLIKELY(!succeeded)) tm_hold_unprepare(t, op);
    after = tm_change_begins(t);
    atomic_store_explicit(&t->holds.wait.object, NULL, memory_order_relaxed);
    /* The wait ends before the hold begins: no other thread may see a thread that waits for an
     * object that it holds. */
    atomic_signal_fence(memory_order_seq_cst);
    if (TM_UNLIKELY(op->inversion != NULL)) tm_inversion_end(t, op);
    if (TM_LIKELY(succeeded)) tm_acquired(t, op);
    tm_change_ends(t, after);
    if (TM_UNLIKELY(!succeeded)) tm_is_invalid(t, op);
    return;
  case TM_TRY:
    if (TM_UNLIKELY(!succeeded)) {
      if (op->result == EINVAL) tm_is_invalid(t, op);
      return;
    }
    after = tm_change_begins(t);
    tm_acquired(t, op);
    tm_change_ends(t, after);
    return;
  case TM_WAIT:
    tm_wait_end(t);
    if (TM_UNLIKELY(op->since != 0)) tm_main_wait_over(t, op);
    if (TM_UNLIKELY(op->inversion != NULL)) tm_inversion_end(t, op);
    if (succeeded) tm_object_take_stamp(t, op->object);
    return;
  case TM_RELEASE:
    if (TM_LIKELY(succeeded)) return;
    if (op->removed) tm_hold_push(t, op, 0);
    tm_is_invalid(t, op);
    return;
  case TM_CREATE:
    if (!succeeded) return;
    if (op->kind == TM_MUTEX) tm_mutex_born(t, op->object, op->frame);
    else tm_object_born(t, op->object, op->kind, 0, op->frame);
    return;
  default: return;
  }
}

/* A mutex call returns 0 or, with the lock taken, EOWNERDEAD. */
TM_INLINE bool tm_took(int result) { return TM_LIKELY(result == 0) || result == EOWNERDEAD; }

/* The body of an interposed function with this name and these arguments: is the call to be watched?
 * – before – real – after. */
#define TM_INTERPOSED(name, arguments, act, what, its_kind, its_mode)                             \
  TM_INTERPOSED_AT(__builtin_frame_address(0), __builtin_return_address(0), name, arguments, act, \
                   what, its_kind, its_mode)
/* The body, for a function whose frame and return address are passed in. `__builtin_assume` tells
 * the compiler that no function to which `op` is passed changes `op.action`. That shortens the code
 * after the real function, which runs under the lock. */
#define TM_INTERPOSED_AT(its_frame, returns_to, name, arguments, act, what, its_kind, its_mode) \
  tm_caller tm_who;                                                                             \
  tm_operation op = {                                                                           \
      .action = act, .object = what, .kind = its_kind, .mode = its_mode, .frame = its_frame};   \
  tm_thread *t = tm_users_operation(returns_to, &tm_who);                                       \
  if (act == TM_RELEASE && TM_UNLIKELY(!t)) t = tm_holder(op.object);                           \
  if (!t) return TM_REAL(name) arguments;                                                       \
  tm_site_take_near(t, op.frame, op.site);                                                      \
  if (TM_UNLIKELY(tm_who != TM_CALLER_USER)) {                                                  \
    if (!tm_is_watched(t, &op, tm_who)) {                                                       \
      tm_runtime_releases(t, &op);                                                              \
      op.result = TM_REAL(name) arguments;                                                      \
      tm_runtime_acquired(t, &op);                                                              \
      return op.result;                                                                         \
    }                                                                                           \
    if (tm_who & TM_CALLER_FLAGS) {                                                             \
      tm_profiled profiled;                                                                     \
      if (tm_long_way_before(t, &op, tm_who, &profiled)) op.result = TM_REAL(name) arguments;   \
      tm_long_way_after(t, &op, tm_who, &profiled, tm_took(op.result));                         \
      return op.result;                                                                         \
    }                                                                                           \
  }                                                                                             \
  __builtin_assume(op.action == act);                                                           \
  if (tm_before(t, &op)) {                                                                      \
    if (act == TM_ACQUIRE) tm_hold_prepare(t, &op);                                             \
    op.result = TM_REAL(name) arguments;                                                        \
  }                                                                                             \
  __builtin_assume(op.action == act);                                                           \
  tm_after(t, &op, tm_took(op.result));                                                         \
  return op.result

#define TM_OTHER_WAY __attribute__((noinline, not_tail_called))
#endif
