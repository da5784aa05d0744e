#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/layout.h"
#include "ground/mutex_word.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/left.h"
#include "strand/thread.h"
#include "threadmill_control.h"
#include <errno.h>

TM_GATE_CODE_BEGIN

/* Locks. The lock itself names its owner, in a layout that glibc's headers publish. No flow waits
 * inside the real functions, so a free lock can be taken at once. */

/* Answers for a lock that this thread owns: a thread outside the exploration may release it at any
 * time, one that an earlier schedule left behind never does, nor one that has ended. */
static tm_answer held_by(const void *object, int tid) {
  tm_left left;
  if (!tid || (tm_left_find(object, &left) && left.tid == tid)) return TM_NO;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    if (u->ground.tid == tid && tm_is_live(u)) return u->control.seat ? TM_NO : TM_OUTSIDE;
  return TM_OUTSIDE;
}

static tm_answer mutex_can(const tm_flow *f) {
  const pthread_mutex_t *m = f->object;
  if (m->__data.__lock == 0) return TM_YES;
  bool mine = m->__data.__owner == f->seat->thread->ground.tid;
  /* A thread that holds the mutex already locks it again, or gets an error. */
  if (mine && tm_mutex_type(m) != PTHREAD_MUTEX_NORMAL &&
      tm_mutex_type(m) != PTHREAD_MUTEX_ADAPTIVE_NP)
    return TM_YES;
  return held_by(m, m->__data.__owner);
}

/* Rests a flow that has locked very often without another flow running. A loop that polls under a
 * lock, as some libraries do, would otherwise run for ever in a schedule that prefers it; real
 * threads take turns at some time. */
static void let_others_go_on(tm_seat *s) {
  enum { MANY = 2000 }; /* even: a loop with two locks rests at the outer one each time */
  static const tm_flow *last;
  tm_flow *f = s->flow;
  /* `last` may be a flow of an earlier schedule, at the same address: then this flow's count is
   * 0. */
  f->locks = last == f && f->locks ? f->locks + 1 : 1;
  last = f;
  if (TM_LIKELY(f->locks <= MANY)) return;
  f->locks = 1;
  bool point = s->point;
  tm_control_rest(s);
  s->point = point;
}

static int mutex_lock(pthread_mutex_t *m) {
  tm_seat *s = tm_seat_here();
  if (s) let_others_go_on(s);
  if (s && !s->point && m->__data.__lock == 0) s->looks = 0;
  else if (s) tm_control_step(s, TM_STEP_LOCK, m, mutex_can, NULL, 0);
  return TM_TRUE(pthread_mutex_lock)(m);
}

static int mutex_trylock(pthread_mutex_t *m) {
  tm_seat *s = tm_seat_here();
  if (s) tm_control_point(s, TM_STEP_TRY, m);
  return TM_TRUE(pthread_mutex_trylock)(m);
}

static int mutex_lock_until(tm_seat *s, pthread_mutex_t *m, const struct timespec *until,
                            clockid_t clock) {
  bool can = tm_control_step(s, TM_STEP_LOCK, m, mutex_can, NULL, tm_control_after(until, clock));
  return can ? TM_TRUE(pthread_mutex_lock)(m) : ETIMEDOUT;
}

static int mutex_timedlock(pthread_mutex_t *restrict m, const struct timespec *restrict until) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(pthread_mutex_timedlock)(m, until);
  return mutex_lock_until(s, m, until, CLOCK_REALTIME);
}

static int mutex_clocklock(pthread_mutex_t *restrict m, clockid_t clock,
                           const struct timespec *restrict until) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(pthread_mutex_clocklock)(m, clock, until);
  return mutex_lock_until(s, m, until, clock);
}

static int mutex_unlock(pthread_mutex_t *m) {
  tm_seat *s = tm_seat_here();
  if (s) tm_control_point(s, TM_STEP_UNLOCK, m);
  return TM_TRUE(pthread_mutex_unlock)(m);
}

/* The low bits of the readers' word say that a writer has the lock or waits. Here no writer ever
 * waits. */
enum { READERS_SHIFT = 3 };

static tm_answer reader_can(const tm_flow *f) {
  const pthread_rwlock_t *l = f->object;
  return l->__data.__cur_writer == 0 ? TM_YES : held_by(l, l->__data.__cur_writer);
}

static tm_answer writer_can(const tm_flow *f) {
  const pthread_rwlock_t *l = f->object;
  if (l->__data.__cur_writer) return held_by(l, l->__data.__cur_writer);
  return l->__data.__readers >> READERS_SHIFT == 0 ? TM_YES : TM_NO;
}

#define TM_LOCKING(name, type, try_name, step, question)                 \
  static int control_##name(type *l) {                                   \
    tm_seat *s = tm_seat_here();                                         \
    if (s) tm_control_step(s, step, (const void *)l, question, NULL, 0); \
    return TM_TRUE(name)(l);                                             \
  }                                                                      \
  static int control_##try_name(type *l) {                               \
    tm_seat *s = tm_seat_here();                                         \
    if (s) tm_control_point(s, TM_STEP_TRY, (const void *)l);            \
    return TM_TRUE(try_name)(l);                                         \
  }
#define TM_UNLOCKING(name, type)                                 \
  static int control_##name(type *l) {                           \
    tm_seat *s = tm_seat_here();                                 \
    if (s) tm_control_point(s, TM_STEP_UNLOCK, (const void *)l); \
    return TM_TRUE(name)(l);                                     \
  }
#define TM_LOCKING_UNTIL(kind, step, question)                                                 \
  static int control_pthread_rwlock_timed##kind##lock(pthread_rwlock_t *restrict l,            \
                                                      const struct timespec *restrict until) { \
    tm_seat *s = tm_seat_here();                                                               \
    if (!s) return TM_TRUE(pthread_rwlock_timed##kind##lock)(l, until);                        \
    uint64_t due = tm_control_after(until, CLOCK_REALTIME);                                    \
    bool can = tm_control_step(s, step, l, question, NULL, due);                               \
    return can ? TM_TRUE(pthread_rwlock_##kind##lock)(l) : ETIMEDOUT;                          \
  }                                                                                            \
  static int control_pthread_rwlock_clock##kind##lock(                                         \
      pthread_rwlock_t *restrict l, clockid_t clock, const struct timespec *restrict until) {  \
    tm_seat *s = tm_seat_here();                                                               \
    if (!s) return TM_TRUE(pthread_rwlock_clock##kind##lock)(l, clock, until);                 \
    uint64_t due = tm_control_after(until, clock);                                             \
    bool can = tm_control_step(s, step, l, question, NULL, due);                               \
    return can ? TM_TRUE(pthread_rwlock_##kind##lock)(l) : ETIMEDOUT;                          \
  }

TM_LOCKING(pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock, TM_STEP_SHARE,
           reader_can)
TM_LOCKING(pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_trywrlock, TM_STEP_LOCK,
           writer_can)
TM_LOCKING_UNTIL(rd, TM_STEP_SHARE, reader_can)
TM_LOCKING_UNTIL(wr, TM_STEP_LOCK, writer_can)
TM_UNLOCKING(pthread_rwlock_unlock, pthread_rwlock_t)

/* A spin lock says only whether it is taken: 1 is free. */
static tm_answer spin_can(const tm_flow *f) {
  return *(volatile const pthread_spinlock_t *)f->object == 1 ? TM_YES : TM_NO;
}
#ifdef __x86_64__
enum { SPIN_IS_KNOWN = 1 };
#else
enum { SPIN_IS_KNOWN = 0 };
#endif
TM_LOCKING(pthread_spin_lock, volatile pthread_spinlock_t, pthread_spin_trylock, TM_STEP_LOCK,
           spin_can)
TM_UNLOCKING(pthread_spin_unlock, volatile pthread_spinlock_t)

/* The word of a `Synchronization.Mutex` names its owner. */
static tm_answer swift_mutex_can(const tm_flow *f) {
  uint32_t owner = tm_word_owner(tm_word_look(f->object));
  return owner == 0 ? TM_YES : held_by(f->object, (int)owner);
}

static int swift_mutex_take(uint32_t *word, uint32_t number, bool knows) {
  tm_seat *s = tm_seat_here();
  if (s) let_others_go_on(s);
  if (s && !s->point && !tm_word_is_taken(word)) s->looks = 0;
  else if (s) tm_control_step(s, TM_STEP_LOCK, word, swift_mutex_can, NULL, 0);
  return TM_TRUE(tm_word_take)(word, number, knows);
}

static int swift_mutex_try(uint32_t *word, uint32_t number, bool knows) {
  tm_seat *s = tm_seat_here();
  if (s) tm_control_point(s, TM_STEP_TRY, word);
  return TM_TRUE(tm_word_try)(word, number, knows);
}

static int swift_mutex_give(uint32_t *word, uint32_t number, bool knows) {
  tm_seat *s = tm_seat_here();
  if (s) tm_control_point(s, TM_STEP_UNLOCK, word);
  return TM_TRUE(tm_word_give)(word, number, knows);
}

void tm_control_take_locks(struct tm_real *r) {
  r->pthread_mutex_lock = (void *)mutex_lock;
  r->pthread_mutex_trylock = (void *)mutex_trylock;
  r->pthread_mutex_timedlock = (void *)mutex_timedlock;
  r->pthread_mutex_clocklock = (void *)mutex_clocklock;
  r->pthread_mutex_unlock = (void *)mutex_unlock;
#define TAKE(name) r->name = (void *)control_##name;
  TAKE(pthread_rwlock_rdlock)
  TAKE(pthread_rwlock_tryrdlock)
  TAKE(pthread_rwlock_wrlock)
  TAKE(pthread_rwlock_trywrlock)
  TAKE(pthread_rwlock_timedrdlock)
  TAKE(pthread_rwlock_clockrdlock)
  TAKE(pthread_rwlock_timedwrlock)
  TAKE(pthread_rwlock_clockwrlock)
  TAKE(pthread_rwlock_unlock)
  if (SPIN_IS_KNOWN) {
    TAKE(pthread_spin_lock)
    TAKE(pthread_spin_trylock)
    TAKE(pthread_spin_unlock)
  }
  r->tm_word_take = (void *)swift_mutex_take;
  r->tm_word_try = (void *)swift_mutex_try;
  r->tm_word_give = (void *)swift_mutex_give;
}

TM_GATE_CODE_END
#endif
