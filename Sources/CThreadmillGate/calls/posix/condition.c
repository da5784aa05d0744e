#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/real.h"
#include "ground/text.h"
#include "ground/thread.h"
#include "object/object.h"
#include "observe/inversion.h"
#include "observe/lock_misuse.h"
#include "observe/nested.h"
#include "observe/profile.h"
#include "observe/starvation.h"
#include "observe/watched.h"
#include "seam/point.h"
#include "seam/seam.h"
#include "seam/users_call.h"
#include "shake/shake.h"
#include "strand/attention.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"
#include "threadmill_views.h"
#include <time.h>

TM_GATE_CODE_BEGIN

/* A wait gives the mutex up and takes it again, also when the wait is cancelled. Sections of a
 * mutex that is used with a condition carry happens-before from the thread that signalled. Other
 * mutexes carry none: there, only chance decides which thread comes first. */
typedef struct waiting {
  tm_thread *thread;
  tm_operation op; /* the mutex */
  const void *condition;
  bool held;
  uint64_t mark;    /* the profile's mark of the mutex's hold */
  tm_operation end; /* the wait for a Foundation operation, if this is one */
} waiting;

static void mark_as_ordering(const void *mutex) {
  atomic_fetch_or_explicit(tm_generation(mutex), 1, memory_order_relaxed);
}

/* Returns whether this wait is `Operation.waitUntilFinished`. A wait for a condition proves
 * nothing, because the thread may just have nothing to do; an operation, however, is expected to
 * end, and the strand that runs it signals the condition. */
static bool is_wait_for_operation(const tm_operation *op) {
  static const char waits[] = "$s10Foundation9OperationC17waitUntilFinishedyyF";
  tm_location place;
  for (int i = 0; i < TM_SITE && op->site[i]; i++)
    if (tm_locate(op->site[i], &place) && place.symbol && tm_text_is(place.symbol, waits))
      return true;
  return false;
}

static void expect_end_of_operation(waiting *w) {
  if (!is_wait_for_operation(&w->op)) return;
  w->end = w->op;
  w->end.action = TM_WAIT;
  w->end.object = w->condition;
  w->end.kind = TM_OPERATION;
  tm_inversion_begin(w->thread, &w->end);
}

static void wait_begin(waiting *w, tm_caller who) {
  if (TM_UNLIKELY(tm_can_be_inverted(w->thread)) && who == TM_CALLER_FOUNDATION)
    expect_end_of_operation(w);
  tm_hold *h = tm_hold_find(w->thread, w->op.object);
  w->held = h != NULL;
  if (TM_UNLIKELY(!h))
    tm_waits_without_mutex(w->thread, &w->op, w->condition, who == TM_CALLER_FOUNDATION);
  tm_waits_with(w->thread, &w->op, w->condition);
  mark_as_ordering(w->op.object);
  if (h && TM_UNLIKELY(tm_is_profiling(w->thread))) {
    w->mark = h->mark;
    tm_profile_left(w->thread, w->mark, w->op.frame);
  }
  if (h) tm_hold_remove(w->thread, h);
  tm_operation wait = w->op;
  wait.object = w->condition;
  wait.kind = TM_CONDITION;
  tm_wait_begin(w->thread, &wait, true);
  tm_may_starve(w->thread);
}

static void wait_end(void *context) {
  waiting *w = context;
  tm_wait_end(w->thread);
  tm_object_take_stamp(w->thread, w->condition);
  tm_ordered_section_begins(w->thread, &w->op);
  if (w->held) tm_hold_push(w->thread, &w->op, 0);
  if (w->held && TM_UNLIKELY(tm_is_profiling(w->thread)))
    tm_profile_mark(w->thread, tm_profile_again(w->mark));
  if (TM_UNLIKELY(w->end.inversion != NULL)) tm_inversion_end(w->thread, &w->end);
}

/* Disturbances that POSIX allows: a wait that ends without a signal, and a woken waiter that gets
 * the mutex only after another thread had it. Waits that Foundation makes for itself are not
 * disturbed. */

static bool plays(tm_thread *t, const waiting *w, tm_caller who) {
  tm_operation op = w->op;
  return tm_is_users_own(who) || (who == TM_CALLER_FOUNDATION && tm_is_watched(t, &op, who));
}

TM_SLOW static tm_decision may_end_early(waiting *w, tm_caller who) {
  if (!plays(w->thread, w, who)) return 0;
  tm_shake_point(w->thread, TM_POINT_BEFORE, w->condition, w->op.site[0]);
  return tm_shake_decide(w->thread, TM_POINT_SPURIOUS, w->condition, w->op.site[0]);
}

/* Gives up the mutex for the length of the delay, so that another thread may take it. Returns an
 * error number or 0, like a wait for the condition. */
static int step_aside(waiting *w, tm_decision how) {
  pthread_mutex_t *m = (pthread_mutex_t *)w->op.object;
  int result = TM_REAL(pthread_mutex_unlock)(m);
  if (result != 0) return result;
  tm_shake_delay(w->thread, how);
  return TM_REAL(pthread_mutex_lock)(m);
}

static int end_early(waiting *w, tm_decision how) {
  pthread_testcancel();
  return step_aside(w, how);
}

/* Decides whether a woken waiter lets another thread have the mutex first. A waiter keeps a mutex
 * whose owner died (EOWNERDEAD): the mutex must not be unlocked before it is repaired. */
TM_SLOW static int woken(waiting *w, tm_caller who, int result) {
  if (result == EOWNERDEAD || !plays(w->thread, w, who)) return result;
  tm_decision how = tm_shake_decide(w->thread, TM_POINT_WAKE, w->condition, w->op.site[0]);
  int again = how ? step_aside(w, how) : 0;
  return again ? again : result;
}

#define TM_WAITING(name, arguments, limited)                          \
  tm_caller tm_who;                                                   \
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who); \
  if (!t) return TM_REAL(name) arguments;                             \
  waiting w = {.thread = t,                                           \
               .condition = c,                                        \
               .op = {.action = TM_ACQUIRE,                           \
                      .object = m,                                    \
                      .kind = TM_MUTEX,                               \
                      .bounded = limited,                             \
                      .frame = __builtin_frame_address(0)}};          \
  tm_site_take(t, w.op.frame, w.op.site);                             \
  bool shaken = TM_UNLIKELY(tm_is_shaken(t));                         \
  tm_decision early = shaken ? may_end_early(&w, tm_who) : 0;         \
  int result;                                                         \
  wait_begin(&w, tm_who);                                             \
  pthread_cleanup_push(wait_end, &w);                                 \
  result = early ? end_early(&w, early) : TM_REAL(name) arguments;    \
  if (shaken && !early) result = woken(&w, tm_who, result);           \
  pthread_cleanup_pop(1);                                             \
  return result

TM_EXPORT int pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m) {
  TM_WAITING(pthread_cond_wait, (c, m), false);
}
TM_EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                                     const struct timespec *restrict until) {
  TM_WAITING(pthread_cond_timedwait, (c, m, until), true);
}
TM_EXPORT int pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                                     clockid_t clock, const struct timespec *restrict until) {
  TM_WAITING(pthread_cond_clockwait, (c, m, clock, until), true);
}

/* Leaves the thread's clock at the mutex that guards the condition. A thread that signals has just
 * changed what waiters check, under a mutex that it holds or has just released; the slot above the
 * last hold still shows a hold that was just removed. A thread that arrives late takes the stamp
 * from the mutex. */
static void leave_at_mutex(tm_thread *t) {
  uint32_t innermost = t->holds.held_count ? t->holds.held_count - 1 : 0;
  const tm_hold *h = &t->held.locks[innermost];
  if (!h->object || h->kind != TM_MUTEX) return;
  mark_as_ordering(h->object);
  tm_object_leave_stamp(t, h->object, TM_MUTEX);
}

#define TM_SIGNALLING(name)                                           \
  tm_caller tm_who;                                                   \
  tm_signals(c);                                                      \
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who); \
  if (!t) return TM_REAL(name)(c);                                    \
  TM_POINT(t, BEFORE, c);                                             \
  leave_at_mutex(t);                                                  \
  tm_object_leave_stamp(t, c, TM_CONDITION);                          \
  tm_let_go(t, c, NULL);                                              \
  int result = TM_REAL(name)(c);                                      \
  TM_POINT(t, AFTER, NULL);                                           \
  return result

TM_EXPORT int pthread_cond_signal(pthread_cond_t *c) { TM_SIGNALLING(pthread_cond_signal); }
TM_EXPORT int pthread_cond_broadcast(pthread_cond_t *c) { TM_SIGNALLING(pthread_cond_broadcast); }

TM_EXPORT int pthread_cond_init(pthread_cond_t *restrict c, const pthread_condattr_t *restrict a) {
  TM_INTERPOSED(pthread_cond_init, (c, a), TM_CREATE, c, TM_CONDITION, TM_EXCLUSIVE);
}
TM_EXPORT int pthread_cond_destroy(pthread_cond_t *c) {
  TM_INTERPOSED(pthread_cond_destroy, (c), TM_DESTROY, c, TM_CONDITION, TM_EXCLUSIVE);
}

/* Each thread's arrival at the barrier happens before each thread's departure. */
TM_EXPORT int pthread_barrier_wait(pthread_barrier_t *b) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) return TM_REAL(pthread_barrier_wait)(b);
  TM_POINT(t, BEFORE, b);
  tm_object_leave_stamp(t, b, TM_CONDITION);
  tm_operation op = {.object = b, .kind = TM_CONDITION, .frame = __builtin_frame_address(0)};
  tm_wait_begin(t, &op, true);
  tm_may_starve(t);
  int result = TM_REAL(pthread_barrier_wait)(b);
  tm_wait_end(t);
  tm_object_take_stamp(t, b);
  TM_POINT(t, WAKE, NULL);
  return result;
}

TM_GATE_CODE_END
#endif
