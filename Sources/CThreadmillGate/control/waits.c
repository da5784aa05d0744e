#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/dispatch.h"
#include "ground/layout.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/tsan.h"
#include "threadmill_control.h"
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

TM_GATE_CODE_BEGIN

/* Waits that another flow ends: conditions, semaphores, barriers. */

/* The only state of a condition is the set of flows that wait for it. A woken flow then waits for
 * the mutex, like any other flow. POSIX leaves open which waiter a signal wakes: here it is the one
 * with the lowest number. */

/* How often threads outside of the exploration have signalled conditions, by the hash of their
 * addresses. If two conditions share a count, a wait may end without a signal, as POSIX allows. */
enum { COUNTS = 256 };
static atomic_uint outside_signals[COUNTS];
static atomic_uint *signals_of(const void *condition) {
  return &outside_signals[tm_mix(0, (uintptr_t)condition) % COUNTS];
}

static tm_answer is_signalled(const tm_flow *f) {
  if (f->signalled) return TM_YES;
  return (uintptr_t)f->with != atomic_load(signals_of(f->object)) ? TM_OUTSIDE : TM_NO;
}

typedef struct signal_call {
  const void *condition;
  bool all;
} signal_call;

static bool wake(tm_flow *f, void *context) {
  const signal_call *c = context;
  if (f->can != is_signalled || f->object != c->condition || f->signalled) return true;
  f->signalled = true;
  return c->all;
}

static int wait_for_signal(tm_seat *s, pthread_cond_t *c, pthread_mutex_t *m, uint64_t due) {
  /* The point comes before the unlock. From the unlock to the wait no other flow runs, so no signal
   * is lost. */
  tm_flow *f = s->flow;
  tm_control_point(s, TM_STEP_UNLOCK, m);
  uintptr_t seen = atomic_load(signals_of(c));
  int result = TM_TRUE(pthread_mutex_unlock)(m);
  if (result != 0) return result;
  f->signalled = false;
  bool woken = tm_control_step(s, TM_STEP_WAIT, c, is_signalled, (const void *)seen, due);
  f->signalled = false;
  s->point = true;
  int locked = ((__typeof__(&pthread_mutex_lock))tm_real.pthread_mutex_lock)(m);
  return locked ? locked : woken ? 0 : ETIMEDOUT;
}

static int control_pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m) {
  tm_seat *s = tm_seat_here();
  return s ? wait_for_signal(s, c, m, 0) : TM_TRUE(pthread_cond_wait)(c, m);
}

/* The clock of a condition's attribute, as glibc keeps it. */
enum { MONOTONIC = 2 };
static clockid_t condition_clock(const pthread_cond_t *c) {
  return c->__data.__wrefs & MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

static int control_pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                                          const struct timespec *restrict until) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(pthread_cond_timedwait)(c, m, until);
  return wait_for_signal(s, c, m, tm_control_after(until, condition_clock(c)));
}

static int control_pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                                          clockid_t clock, const struct timespec *restrict until) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(pthread_cond_clockwait)(c, m, clock, until);
  return wait_for_signal(s, c, m, tm_control_after(until, clock));
}

static void signal_condition(pthread_cond_t *c, bool all) {
  tm_seat *s = tm_seat_here();
  if (!s) {
    atomic_fetch_add(signals_of(c), 1);
    return;
  }
  tm_control_point(s, all ? TM_STEP_BROADCAST : TM_STEP_SIGNAL, c);
  signal_call it = {c, all};
  tm_flows_each(wake, &it);
}

/* Calls the real function, too, for waiters outside the exploration. */
static int control_pthread_cond_signal(pthread_cond_t *c) {
  signal_condition(c, false);
  return TM_TRUE(pthread_cond_signal)(c);
}
static int control_pthread_cond_broadcast(pthread_cond_t *c) {
  signal_condition(c, true);
  return TM_TRUE(pthread_cond_broadcast)(c);
}

/* Semaphores. */

static tm_answer posix_can(const tm_flow *f) {
  int value = 0;
  sem_getvalue((sem_t *)f->object, &value);
  return value > 0 ? TM_YES : TM_NO;
}

static int take_posix(tm_seat *s, sem_t *it, uint64_t due) {
  if (tm_control_step(s, TM_STEP_WAIT, it, posix_can, NULL, due)) return TM_TRUE(sem_wait)(it);
  errno = ETIMEDOUT;
  return -1;
}

static int control_sem_wait(sem_t *it) {
  tm_seat *s = tm_seat_here();
  return s ? take_posix(s, it, 0) : TM_TRUE(sem_wait)(it);
}
static int control_sem_trywait(sem_t *it) {
  tm_seat *s = tm_seat_here();
  if (s) tm_control_point(s, TM_STEP_TRY, it);
  return TM_TRUE(sem_trywait)(it);
}
static int control_sem_timedwait(sem_t *restrict it, const struct timespec *restrict until) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(sem_timedwait)(it, until);
  return take_posix(s, it, tm_control_after(until, CLOCK_REALTIME));
}
static int control_sem_clockwait(sem_t *restrict it, clockid_t clock,
                                 const struct timespec *restrict until) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(sem_clockwait)(it, clock, until);
  return take_posix(s, it, tm_control_after(until, clock));
}
static int control_sem_post(sem_t *it) {
  tm_seat *s = tm_seat_here();
  if (s) tm_control_point(s, TM_STEP_SIGNAL, it);
  return TM_TRUE(sem_post)(it);
}

static tm_answer dispatch_can(const tm_flow *f) {
  int64_t value = 0, initial;
  if (!tm_semaphore_values(f->object, &value, &initial)) return TM_OUTSIDE;
  return value > 0 ? TM_YES : TM_NO;
}

static intptr_t control_dispatch_semaphore_wait(dispatch_semaphore_t it, dispatch_time_t until) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(dispatch_semaphore_wait)(it, until);
  if (until == DISPATCH_TIME_NOW) {
    tm_control_point(s, TM_STEP_TRY, it);
    return TM_TRUE(dispatch_semaphore_wait)(it, until);
  }
  uint64_t due = tm_control_due(until);
  bool can = tm_control_step(s, TM_STEP_WAIT, it, dispatch_can, NULL, due);
  return TM_TRUE(dispatch_semaphore_wait)(it, can ? DISPATCH_TIME_FOREVER : DISPATCH_TIME_NOW);
}

typedef struct line {
  const void *semaphore;
  int64_t waiting;
} line;

static bool count_waiting(tm_flow *f, void *context) {
  line *l = context;
  l->waiting += f->can == dispatch_can && f->object == l->semaphore;
  return true;
}

/* No flow waits in the real semaphore, which so would say that a signal wakes nobody. It wakes one
 * if more flows wait than there were signals for them before. */
static intptr_t control_dispatch_semaphore_signal(dispatch_semaphore_t it) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(dispatch_semaphore_signal)(it);
  tm_control_point(s, TM_STEP_SIGNAL, it);
  int64_t value = 0, initial;
  bool known = tm_semaphore_values(it, &value, &initial);
  line l = {.semaphore = it};
  tm_flows_each(count_waiting, &l);
  intptr_t woken = TM_TRUE(dispatch_semaphore_signal)(it);
  return known ? l.waiting > value : woken;
}

/* Barriers. glibc keeps the number of threads that have to come in the third word. */

typedef struct barrier {
  const void *at; /* NULL: the record is free */
  uint32_t come;
  struct barrier *next;
} barrier;
static barrier *barriers;

static barrier *find_barrier(const void *at) {
  barrier *b = barriers;
  while (b && b->at != at) b = b->next;
  return b;
}

/* Returns the barrier's record; NULL if memory is out. */
static barrier *barrier_at(const void *at) {
  barrier *b = find_barrier(at);
  if (b) return b;
  b = find_barrier(NULL);
  if (!b && (b = tm_pool_take(sizeof *b))) {
    b->next = barriers;
    barriers = b;
  }
  if (b) b->at = at, b->come = 0;
  return b;
}

static tm_answer is_passed(const tm_flow *f) { return f->signalled ? TM_YES : TM_NO; }

static bool pass(tm_flow *f, void *at) {
  if (f->can == is_passed && f->object == at) f->signalled = true;
  return true;
}

static int control_pthread_barrier_wait(pthread_barrier_t *it) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(pthread_barrier_wait)(it);
  barrier *b = barrier_at(it);
  if (!b) {
    tm_control_passed("pthread_barrier_wait", __builtin_frame_address(0));
    return TM_TRUE(pthread_barrier_wait)(it);
  }
  tm_control_point(s, TM_STEP_WAIT, it);
  tm_tsan_release(it);
  bool last = ++b->come == ((const uint32_t *)it)[2];
  if (last) {
    tm_flows_each(pass, it);
    b->at = NULL;
  } else {
    s->flow->signalled = false;
    tm_control_step(s, TM_STEP_WAIT, it, is_passed, NULL, 0);
  }
  tm_tsan_acquire(it);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

void tm_barriers_forget(void) {
  for (barrier *b = barriers; b; b = b->next) b->at = NULL;
}

void tm_control_take_waits(struct tm_real *r){
#define TAKE(name) r->name = (void *)control_##name;
    TAKE(pthread_cond_wait) TAKE(pthread_cond_timedwait) TAKE(pthread_cond_clockwait)
        TAKE(pthread_cond_signal) TAKE(pthread_cond_broadcast) TAKE(sem_wait) TAKE(sem_trywait)
            TAKE(sem_timedwait) TAKE(sem_clockwait) TAKE(sem_post) TAKE(pthread_barrier_wait)
                TAKE(dispatch_semaphore_wait) TAKE(dispatch_semaphore_signal)}

TM_GATE_CODE_END
#endif
