#ifdef __linux__
#include "base.h"
#include "dispatch.h"
#include "operation.h"

TM_GATE_CODE_BEGIN

TM_EXPORT dispatch_group_t dispatch_group_create(void) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  dispatch_group_t made = TM_REAL(dispatch_group_create)();
  if (t && made) tm_object_born(t, made, TM_GROUP, 0, __builtin_frame_address(0));
  return made;
}

TM_EXPORT void dispatch_group_enter(dispatch_group_t group) {
  TM_REAL(dispatch_group_enter)(group);
}

TM_EXPORT void dispatch_group_leave(dispatch_group_t group) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (t) tm_object_leave_stamp(t, group, TM_GROUP);
  TM_REAL(dispatch_group_leave)(group);
}

TM_EXPORT intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t until) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) return TM_REAL(dispatch_group_wait)(group, until);
  tm_operation op = {
      .action = TM_WAIT, .object = group, .kind = TM_GROUP, .frame = __builtin_frame_address(0)};
  tm_site_take(t, op.frame, op.site);
  tm_before(t, &op);
  intptr_t result = TM_REAL(dispatch_group_wait)(group, until);
  tm_after(t, &op, result == 0);
  return result;
}

TM_GATE_CODE_END
#endif
