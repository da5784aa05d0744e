#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "ground/facts.h"
#include "ground/thread.h"
#include "observe/profile.h"
#include "seam/point.h"
#include "seam/seam.h"
#include "steer/steer.h"
#include "strand/attention.h"
#include "strand/course.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"

TM_GATE_CODE_BEGIN

/* The long way of a call, for a thread that attends to the profile, to jitter or to steering. Flags
 * in the caller's kind mark the call, so that the short way need not check. */

/* Returns whether the thread is under an exploration and makes no other check, as in most calls of
 * an exploration. */
TM_INLINE bool only_explores(const tm_thread *t) {
  return !t->ground.inside && t->ground.attention == TM_ATTENDS_CONTROL &&
         !atomic_load_explicit(&tm_shaking, memory_order_relaxed);
}

tm_thread *tm_long_way_call(tm_thread *t, void *return_address, tm_caller *caller) {
  *caller = TM_CALLER_SYSTEM;
  if (!only_explores(t) && !(t = tm_thread_attend(t))) return NULL;
  tm_caller found = tm_caller_of(t, return_address);
  bool shaken = tm_is_shaken(t) && found != TM_CALLER_RUNTIME;
  *caller = found | (tm_is_profiling(t) ? TM_CALLER_PROFILED : 0) |
            (shaken ? TM_CALLER_SHAKEN : 0) | (tm_is_steered(t) ? TM_CALLER_STEERED : 0);
  return found <= TM_CALLER_RUNTIME ? t : NULL;
}

/* Returns whether to disturb this operation. Foundation's and the runtime's own operations are left
 * alone. */
static bool is_shaken(const tm_operation *op, tm_caller who) {
  if (!(who & TM_CALLER_SHAKEN) || op->action == TM_CREATE || op->action == TM_DESTROY)
    return false;
  return tm_is_users_own(who) || ((who & ~TM_CALLER_FLAGS) == TM_CALLER_FOUNDATION && !op->orders);
}

/* Returns the place of the operation. An exploration tells the users of one library function apart,
 * such as those of `NSLock.lock`; jitter does not. */
static uintptr_t place_of(const tm_thread *t, const tm_operation *op) {
  return t->control.seat ? tm_course_place(op->site) : op->site[0];
}

static bool is_profiled(const tm_operation *op, tm_caller who) {
  return who & TM_CALLER_PROFILED && op->action <= TM_RELEASE;
}

bool tm_long_way_before(tm_thread *t, tm_operation *op, tm_caller who, tm_profiled *p) {
  if (is_shaken(op, who)) tm_shake_point(t, TM_POINT_BEFORE, op->object, place_of(t, op));
  if (who & TM_CALLER_STEERED && op->action == TM_ACQUIRE) tm_steer(t, op);
  if (is_profiled(op, who)) return tm_profile_before(t, op, p);
  bool real = tm_before(t, op);
  if (real && op->action == TM_ACQUIRE) tm_hold_prepare(t, op);
  return real;
}

void tm_long_way_after(tm_thread *t, tm_operation *op, tm_caller who, tm_profiled *p, bool took) {
  if (is_profiled(op, who)) tm_profile_after(t, op, p, took);
  else tm_after(t, op, took);
  if (is_shaken(op, who)) tm_shake_point(t, TM_POINT_AFTER, op->object, op->site[0]);
}

tm_thread *tm_holder(const void *object) {
  tm_thread *t = tm_self;
  bool usable = t && tm_is_active() && !t->ground.inside;
  return usable && tm_hold_find(t, object) ? t : NULL;
}

TM_GATE_CODE_END
#endif
