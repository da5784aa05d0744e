#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/dispatch.h"
#include "ground/lock.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/group.h"
#include "object/object.h"
#include "observe/early.h"
#include "observe/group_wait.h"
#include "observe/inversion.h"
#include "seam/point.h"
#include "seam/seam.h"
#include "seam/users_call.h"
#include "strand/operation.h"
#include "strand/steps.h"
#include "tell/view.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

TM_EXPORT dispatch_group_t dispatch_group_create(void) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  dispatch_group_t made = TM_REAL(dispatch_group_create)();
  if (t && made) tm_object_born(t, made, TM_GROUP, 0, __builtin_frame_address(0));
  return made;
}

/* Returns the group's record with its lock taken, or NULL. `whole` gets whether the group's
 * creation was seen. */
static tm_group *record_of(const tm_thread *t, const void *group, bool *whole) {
  tm_object *o = tm_object_find(group);
  *whole = o && o->kind == TM_GROUP && o->created;
  if (o) tm_object_release(group);
  tm_group *record = t || *whole ? tm_group_of(group) : NULL;
  if (record) tm_spin_lock(&record->lock);
  return record;
}

static void entered(tm_thread *t, void *frame, const void *group) {
  bool whole;
  uintptr_t site[TM_SITE];
  if (t) tm_site_take(t, frame, site);
  tm_group *record = record_of(t, group, &whole);
  if (!record) return;
  record->entered++;
  if (t) tm_steps_note(&record->enters, t, site);
  tm_spin_unlock(&record->lock);
  tm_early_entered(t, frame, record, false);
  tm_group_drop(record);
}

/* Notes a leave. Returns false if certainly no enter matches it. */
static bool left(tm_thread *t, void *frame, const void *group) {
  bool whole;
  uintptr_t site[TM_SITE];
  if (t) tm_site_take(t, frame, site);
  tm_group *record = record_of(t, group, &whole);
  if (!record) return true;
  bool balanced = !whole || record->entered > 0;
  if (record->entered > 0) record->entered--;
  if (t && balanced) tm_steps_note(&record->leaves, t, site);
  tm_spin_unlock(&record->lock);
  tm_edge_add(&record->left);
  if (t) tm_group_leave_stamp(t, record);
  if (t) tm_let_go(t, group, frame);
  tm_early_left(t, record);
  tm_group_drop(record);
  return balanced;
}

TM_SLOW static void tell_overleft(tm_thread *t, void *frame, const void *group) {
  tm_happening happening = {.kind = TM_GROUP_OVERLEFT, .group_overleft = {.enters = {.count = 0}}};
  tm_group_overleft *overleft = &happening.group_overleft;
  tm_step enters[TM_STEPS], leaves[TM_STEPS];
  tm_group *record = tm_group_of(group);
  if (record) {
    tm_spin_lock(&record->lock);
    uint32_t entered = tm_steps_last(&record->enters, TM_STEPS, enters);
    uint32_t left = tm_steps_last(&record->leaves, TM_STEPS, leaves);
    tm_spin_unlock(&record->lock);
    tm_steps_show(enters, entered, &overleft->enters);
    tm_steps_show(leaves, left, &overleft->leaves);
    tm_group_drop(record);
  }
  tm_tell(t, frame, &happening, &overleft->group, group, TM_GROUP);
}

TM_EXPORT void dispatch_group_enter(dispatch_group_t group) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  entered(t, __builtin_frame_address(0), group);
  if (t) TM_POINT(t, BEFORE, group);
  TM_REAL(dispatch_group_enter)(group);
}

TM_EXPORT void dispatch_group_leave(dispatch_group_t group) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (t) TM_POINT(t, BEFORE, group);
  bool own = tm_caller_find((uintptr_t)__builtin_return_address(0)) == TM_CALLER_SYSTEM;
  bool balanced = own || left(t, __builtin_frame_address(0), group);
  if (t && !balanced) tell_overleft(t, __builtin_frame_address(0), group);
  TM_REAL(dispatch_group_leave)(group);
  if (t) TM_POINT(t, AFTER, NULL);
}

TM_EXPORT intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t until) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  tm_early_waited(group);
  if (!t) return TM_REAL(dispatch_group_wait)(group, until);
  TM_POINT(t, BEFORE, group);
  tm_operation op = {.action = TM_WAIT,
                     .object = group,
                     .kind = TM_GROUP,
                     .frame = __builtin_frame_address(0),
                     .polls = until == 0,
                     .bounded = until != DISPATCH_TIME_FOREVER};
  tm_site_take(t, op.frame, op.site);
  tm_group *record = tm_group_of(group);
  if (record && !op.bounded && (t->holds.held_count || t->who.is_main))
    tm_group_awaits(t, record, group, op.frame);
  tm_before(t, &op);
  intptr_t result = TM_REAL(dispatch_group_wait)(group, until);
  tm_after(t, &op, result == 0);
  if (record && result == 0) tm_group_take_stamp(t, record);
  tm_group_drop(record);
  TM_POINT(t, WAKE, NULL);
  return result;
}

TM_GATE_CODE_END
#endif
