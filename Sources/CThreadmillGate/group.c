#ifdef __linux__
#include "base.h"
#include "dispatch.h"
#include "inversion.h"
#include "operation.h"
#include "view.h"

TM_GATE_CODE_BEGIN

/* A group's value is how often it was entered and not yet left by the user; only groups whose
 * creation was seen are counted. For the work that it is given libdispatch enters without a call
 * that comes through here and leaves with one. A block that ends in a jump to `enter` or `leave`
 * looks like libdispatch, too: so every enter counts, and a leave only if it is surely the user's.
 */

TM_EXPORT dispatch_group_t dispatch_group_create(void) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  dispatch_group_t made = TM_REAL(dispatch_group_create)();
  if (t && made) tm_object_born(t, made, TM_GROUP, 0, __builtin_frame_address(0));
  return made;
}

static void entered(const void *group) {
  tm_object *o = tm_object_find(group);
  if (!o) return;
  if (o->kind == TM_GROUP) o->value++;
  tm_object_release(group);
}

static bool left(const void *group) {
  tm_object *o = tm_object_find(group);
  if (!o) return true;
  bool balanced = o->kind != TM_GROUP || !o->created || o->value > 0;
  if (o->kind == TM_GROUP && o->value > 0) o->value--;
  tm_object_release(group);
  return balanced;
}

TM_EXPORT void dispatch_group_enter(dispatch_group_t group) {
  entered(group);
  TM_REAL(dispatch_group_enter)(group);
}

TM_EXPORT void dispatch_group_leave(dispatch_group_t group) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  bool own = tm_caller_find((uintptr_t)__builtin_return_address(0)) == TM_CALLER_SYSTEM;
  bool balanced = own || left(group);
  if (t) {
    uintptr_t site[TM_SITE];
    tm_site_take(t, __builtin_frame_address(0), site);
    tm_object_leave_stamp(t, group, TM_GROUP);
    tm_let_go(t, group, site);
  }
  if (t && !balanced) {
    tm_happening overleft = {.kind = TM_GROUP_OVERLEFT};
    tm_tell(t, __builtin_frame_address(0), &overleft, group, TM_GROUP);
  }
  TM_REAL(dispatch_group_leave)(group);
}

TM_EXPORT intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t until) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) return TM_REAL(dispatch_group_wait)(group, until);
  tm_operation op = {.action = TM_WAIT,
                     .object = group,
                     .kind = TM_GROUP,
                     .frame = __builtin_frame_address(0),
                     .polls = until == 0,
                     .bounded = until != DISPATCH_TIME_FOREVER};
  tm_site_take(t, op.frame, op.site);
  tm_before(t, &op);
  intptr_t result = TM_REAL(dispatch_group_wait)(group, until);
  tm_after(t, &op, result == 0);
  return result;
}

TM_GATE_CODE_END
#endif
