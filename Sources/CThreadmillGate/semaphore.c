#ifdef __linux__
#include "base.h"
#include "service.h"
#include "inversion.h"
#include "operation.h"
#include "dispatch.h"
#include "layout.h"
#include "profile.h"
#include "semaphore.h"
#include "shake.h"
#include <semaphore.h>
#include <time.h>

TM_GATE_CODE_BEGIN

/* A semaphore made with 1 is a lock as long as whoever waits also signals. Once another thread
 * signals it, it is a hand-over, and so is every other semaphore: what comes before the signal
 * comes before what follows the wait. */

static bool is_lock(const void *semaphore) {
  tm_object *o = tm_object_find(semaphore);
  if (!o) return false;
  bool lock = o->value == 1 && !(o->flags & TM_OBJECT_NO_LOCK);
  tm_object_release(semaphore);
  return lock;
}

static void tell_disqualified(void *id) { tm_listening.disqualified(*(uint64_t *)id); }

void tm_object_is_no_lock(tm_thread *t, const void *address) {
  tm_object *o = tm_object_find(address);
  if (!o) return;
  bool tell = o->flags & TM_OBJECT_DECLARED && !(o->flags & TM_OBJECT_NO_LOCK);
  uint64_t id = o->id;
  o->flags |= TM_OBJECT_NO_LOCK;
  tm_object_release(address);
  if (!tell) return;
  tm_quiet before = tm_upcall_begin(t);
  tm_call_up(tell_disqualified, &id);
  tm_upcall_end(t, before);
}

tm_semaphore *tm_semaphore_record(tm_object *o) {
  if (!o->signal) o->signal = tm_pool_take(sizeof(tm_semaphore));
  return o->signal;
}

static void note(tm_thread *t, const void *semaphore, bool wait, const uintptr_t site[TM_SITE]) {
  tm_object *o = tm_object_find(semaphore);
  if (!o) return;
  tm_semaphore *record = o->kind == TM_SEMAPHORE ? tm_semaphore_record(o) : NULL;
  if (record) tm_steps_note(wait ? &record->waits : &record->signals, t, site);
  tm_object_release(semaphore);
}

static void signalled(tm_thread *t, void *frame, const void *semaphore) {
  tm_hold *h = tm_hold_find(t, semaphore);
  if (h) {
    if (TM_UNLIKELY(tm_is_profiling(t))) tm_profile_left(t, h->mark, frame);
    tm_hold_remove(t, h);
    return;
  }
  uintptr_t site[TM_SITE];
  tm_site_take(t, frame, site);
  tm_object_leave_stamp(t, semaphore, TM_SEMAPHORE);
  note(t, semaphore, false, site);
  tm_let_go(t, semaphore, frame);
  tm_object_is_no_lock(t, semaphore);
}

typedef enum patience { FOR_EVER, SOME, NONE } patience;

typedef struct passage {
  tm_thread *thread;
  tm_operation op;
  bool lock;
  tm_profiled profiled;
} passage;

/* Waiting for what one has already is no locking: somebody else is going to signal. */
static void wait_begin(passage *p, patience how) {
  tm_hold *h = tm_hold_find(p->thread, p->op.object);
  if (h) {
    tm_hold_remove(p->thread, h);
    tm_object_is_no_lock(p->thread, p->op.object);
  }
  p->lock = is_lock(p->op.object);
  p->op.bounded = how != FOR_EVER;
  p->op.action = !p->lock          ? TM_WAIT
                 : how == FOR_EVER ? TM_ACQUIRE
                 : how == SOME     ? TM_ACQUIRE_TIMED
                                   : TM_TRY;
  p->op.polls = how == NONE;
  if (TM_UNLIKELY(tm_is_steered(p->thread)) && p->op.action == TM_ACQUIRE)
    tm_steer(p->thread, &p->op);
  tm_before(p->thread, &p->op);
  if (TM_UNLIKELY(tm_is_profiling(p->thread)) && p->lock)
    tm_profile_waits(p->thread, &p->op, &p->profiled);
}

static void wait_end(passage *p, bool succeeded) {
  if (p->lock && !is_lock(p->op.object)) p->op.action = TM_WAIT;
  uint32_t held = p->thread->held_count;
  tm_after(p->thread, &p->op, succeeded);
  if (TM_UNLIKELY(tm_is_profiling(p->thread)) && p->thread->held_count > held)
    tm_profile_mark(p->thread, tm_profile_took(p->thread, &p->profiled));
  if (succeeded) note(p->thread, p->op.object, true, p->op.site);
  if (succeeded && p->lock) tm_object_take_stamp(p->thread, p->op.object);
}

static void wait_cancelled(void *context) {
  passage *p = context;
  tm_wait_end(p->thread);
  tm_inversion_drop(p->thread, &p->op);
}

#define TM_PASSAGE(name, arguments, semaphore, how)                                               \
  tm_caller tm_who;                                                                               \
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                             \
  if (!t) return TM_REAL(name) arguments;                                                         \
  TM_POINT(t, BEFORE, semaphore);                                                                 \
  passage p = {t,                                                                                 \
               {.object = semaphore, .kind = TM_SEMAPHORE, .frame = __builtin_frame_address(0)}}; \
  tm_site_take(t, p.op.frame, p.op.site);                                                         \
  wait_begin(&p, how);                                                                            \
  __typeof__(TM_REAL(name) arguments) result;                                                     \
  pthread_cleanup_push(wait_cancelled, &p);                                                       \
  result = TM_REAL(name) arguments;                                                               \
  pthread_cleanup_pop(0);                                                                         \
  wait_end(&p, result == 0);                                                                      \
  TM_POINT(t, WAKE, NULL);                                                                        \
  return result

TM_EXPORT dispatch_semaphore_t dispatch_semaphore_create(intptr_t value) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  dispatch_semaphore_t made = TM_REAL(dispatch_semaphore_create)(value);
  if (t && made) tm_object_born(t, made, TM_SEMAPHORE, (int32_t)value, __builtin_frame_address(0));
  return made;
}
TM_EXPORT intptr_t dispatch_semaphore_wait(dispatch_semaphore_t s, dispatch_time_t until) {
  TM_PASSAGE(dispatch_semaphore_wait, (s, until), s,
             until == DISPATCH_TIME_FOREVER ? FOR_EVER
             : until == 0                   ? NONE
                                            : SOME);
}
TM_EXPORT intptr_t dispatch_semaphore_signal(dispatch_semaphore_t s) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (t) TM_POINT(t, BEFORE, s);
  if (t) signalled(t, __builtin_frame_address(0), s);
  intptr_t result = TM_REAL(dispatch_semaphore_signal)(s);
  if (t) TM_POINT(t, AFTER, NULL);
  return result;
}

TM_EXPORT int sem_init(sem_t *s, int shared, unsigned value) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  int result = TM_REAL(sem_init)(s, shared, value);
  if (t && result == 0)
    tm_object_born(t, s, TM_SEMAPHORE, (int32_t)value, __builtin_frame_address(0));
  return result;
}
TM_EXPORT int sem_destroy(sem_t *s) {
  TM_INTERPOSED(sem_destroy, (s), TM_DESTROY, s, TM_SEMAPHORE, TM_EXCLUSIVE);
}
TM_EXPORT int sem_wait(sem_t *s) { TM_PASSAGE(sem_wait, (s), s, FOR_EVER); }
TM_EXPORT int sem_trywait(sem_t *s) { TM_PASSAGE(sem_trywait, (s), s, NONE); }
TM_EXPORT int sem_timedwait(sem_t *restrict s, const struct timespec *restrict until) {
  TM_PASSAGE(sem_timedwait, (s, until), s, SOME);
}
TM_EXPORT int sem_clockwait(sem_t *restrict s, clockid_t clock,
                            const struct timespec *restrict until) {
  TM_PASSAGE(sem_clockwait, (s, clock, until), s, SOME);
}
TM_EXPORT int sem_post(sem_t *s) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (t) TM_POINT(t, BEFORE, s);
  if (t) signalled(t, __builtin_frame_address(0), s);
  int result = TM_REAL(sem_post)(s);
  if (t) TM_POINT(t, AFTER, NULL);
  return result;
}

static bool describe(const void *semaphore, tm_semaphore_state *state) {
  tm_object *o = tm_object_find(semaphore);
  if (!o) return false;
  bool known = o->kind == TM_SEMAPHORE;
  if (known && o->signal) {
    state->wait_count = tm_steps_last(&o->signal->waits, TM_STEPS, state->waits);
    state->signal_count = tm_steps_last(&o->signal->signals, TM_STEPS, state->signals);
  }
  tm_object_release(semaphore);
  return known;
}

bool tm_semaphore_ask(const void *semaphore, tm_semaphore_state *state) {
  tm_clear(state, sizeof *state);
  if (!describe(semaphore, state)) return false;
  int64_t value, initial;
  if (tm_class_of(semaphore) != TM_CLASS_SEMAPHORE) return true;
  if (!tm_semaphore_values(semaphore, &value, &initial)) return true;
  state->known_value = true;
  state->initial = initial;
  state->value = value < 0 ? 0 : value;
  state->waiters = value < 0 ? (uint32_t)-value : 0;
  return true;
}

TM_GATE_CODE_END
#endif
