#ifdef __linux__
#include "ground/base.h"
#include "seam/semaphore_wait.h"
#include "code/stack.h"
#include "ground/thread.h"
#include "object/object.h"
#include "object/semaphore.h"
#include "observe/inversion.h"
#include "observe/no_lock.h"
#include "observe/profile.h"
#include "seam/seam.h"
#include "steer/steer.h"
#include "strand/attention.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/steps.h"
#include "threadmill_views.h"
#include <semaphore.h>
#include <time.h>

TM_GATE_CODE_BEGIN

/* A semaphore that was made with 1 counts as a lock as long as only the thread that waited signals.
 * Once another thread signals, the semaphore is a hand-over. So is every semaphore that was made
 * with another value. In a hand-over, everything before the signal happens before everything after
 * the wait. */

static bool is_lock(const void *semaphore) {
  tm_object *o = tm_object_find(semaphore);
  if (!o) return false;
  bool lock = o->value == 1 && !(o->flags & TM_OBJECT_NO_LOCK);
  tm_object_release(semaphore);
  return lock;
}

static void note(tm_thread *t, const void *semaphore, bool wait, const uintptr_t site[TM_SITE]) {
  tm_object *o = tm_object_find(semaphore);
  if (!o) return;
  tm_semaphore *record = o->kind == TM_SEMAPHORE ? tm_semaphore_record(o) : NULL;
  if (record) tm_steps_note(wait ? &record->waits : &record->signals, t, site);
  tm_object_release(semaphore);
}

void tm_semaphore_signalled(tm_thread *t, void *frame, const void *semaphore) {
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
  tm_object_is_no_lock(t, semaphore, TM_SEMAPHORE);
}

/* A thread that waits for a semaphore which it holds does not use it as a lock: another thread is
 * going to signal. */
void tm_passage_begin(tm_passage *p, tm_patience how) {
  tm_hold *h = tm_hold_find(p->thread, p->op.object);
  if (h) {
    tm_hold_remove(p->thread, h);
    tm_object_is_no_lock(p->thread, p->op.object, p->op.kind);
  }
  p->lock = is_lock(p->op.object);
  p->op.bounded = how != TM_FOR_EVER;
  p->op.action = !p->lock               ? TM_WAIT
                 : how == TM_FOR_EVER   ? TM_ACQUIRE
                 : how == TM_FOR_A_TIME ? TM_ACQUIRE_TIMED
                                        : TM_TRY;
  p->op.polls = how == TM_NOT_AT_ALL;
  if (TM_UNLIKELY(tm_is_steered(p->thread)) && p->op.action == TM_ACQUIRE)
    tm_steer(p->thread, &p->op);
  tm_before(p->thread, &p->op);
  if (TM_UNLIKELY(tm_is_profiling(p->thread)) && p->lock)
    tm_profile_waits(p->thread, &p->op, &p->profiled);
}

void tm_passage_end(tm_passage *p, bool succeeded) {
  if (p->lock && !is_lock(p->op.object)) p->op.action = TM_WAIT;
  uint32_t held = p->thread->holds.held_count;
  tm_after(p->thread, &p->op, succeeded);
  if (TM_UNLIKELY(tm_is_profiling(p->thread)) && p->thread->holds.held_count > held)
    tm_profile_mark(p->thread, tm_profile_took(p->thread, &p->profiled));
  if (succeeded) note(p->thread, p->op.object, true, p->op.site);
  if (succeeded && p->lock) tm_object_take_stamp(p->thread, p->op.object);
}

void tm_passage_cancelled(void *context) {
  tm_passage *p = context;
  tm_wait_end(p->thread);
  tm_inversion_drop(p->thread, &p->op);
}

TM_GATE_CODE_END
#endif
