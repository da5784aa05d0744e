#ifdef __linux__
#include "ground/base.h"
#include "ground/now.h"
#include "ground/thread.h"
#include "observe/profile.h"
#include "seam/seam.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* The long way of a call while waits and holds are measured. */

static bool before_release(tm_thread *t, tm_operation *op, tm_profiled *p) {
  tm_hold *h = tm_hold_find(t, op->object);
  p->mark = h && !h->again ? h->mark : 0;
  bool real = tm_before(t, op);
  p->moment = tm_now();
  return real;
}

bool tm_profile_before(tm_thread *t, tm_operation *op, tm_profiled *p) {
  if (op->action == TM_RELEASE) return before_release(t, op, p);
  bool real = tm_before(t, op);
  if (op->action == TM_ACQUIRE && real) tm_hold_prepare(t, op);
  p->held = t->holds.held_count;
  p->lock_class = NULL;
  if (real && op->kind != TM_TASK_STATUS_LOCK) tm_profile_waits(t, op, p);
  return real;
}

/* The record of a release is written when the lock is free again. */
static void after_release(tm_thread *t, tm_operation *op, tm_profiled *p, bool succeeded) {
  tm_after(t, op, succeeded);
  if (!succeeded && op->removed) return tm_profile_mark(t, p->mark);
  if (!succeeded || !p->mark) return;
  tm_profile_freed(t, p->mark, p->moment, op->frame);
}

/* A recursive lock that is taken again is no new hold, and no acquisition. */
void tm_profile_after(tm_thread *t, tm_operation *op, tm_profiled *p, bool succeeded) {
  if (op->action == TM_RELEASE) return after_release(t, op, p, succeeded);
  uint64_t now = tm_now();
  tm_after(t, op, succeeded);
  if (!succeeded || t->holds.held_count != p->held + 1) return;
  tm_profile_acquired(t, p, now);
}

TM_GATE_CODE_END
#endif
