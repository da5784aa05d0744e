#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/dispatch.h"
#include "ground/layout.h"
#include "ground/limits.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/object.h"
#include "object/pools.h"
#include "object/suspension.h"
#include "seam/users_call.h"
#include "strand/edge.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

#define TM_SUSPENSION(name, what)                                                                \
  tm_caller tm_who = TM_CALLER_USER;                                                             \
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);                            \
  uintptr_t stack[TM_STACK / 2];                                                                 \
  uint32_t kept = 0;                                                                             \
  if (t && what == TM_SUSPENDS)                                                                  \
    kept =                                                                                       \
        tm_stack_keep(stack, tm_stack_take(t, __builtin_frame_address(0), stack, TM_STACK / 2)); \
  if (object && tm_is_active() && !tm_is_librarys(t, tm_who))                                    \
    tm_suspension_note(t, object, what, kept);                                                   \
  if (what != TM_SUSPENDS) tm_order_add(object);                                                 \
  TM_REAL(name)(object)

TM_EXPORT void dispatch_suspend(dispatch_object_t object) {
  tm_workers_suspended();
  TM_SUSPENSION(dispatch_suspend, TM_SUSPENDS);
}

TM_EXPORT void dispatch_resume(dispatch_object_t object) {
  TM_SUSPENSION(dispatch_resume, TM_RESUMES);
}

TM_EXPORT void dispatch_activate(dispatch_object_t object) {
  TM_SUSPENSION(dispatch_activate, TM_ACTIVATES);
}

TM_EXPORT dispatch_object_t dispatch_source_create(const void *type, uintptr_t handle,
                                                   uintptr_t mask, dispatch_queue_t queue) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  dispatch_object_t made = TM_REAL(dispatch_source_create)(type, handle, mask, queue);
  if (!t || !made) return made;
  tm_class_learn_source(made);
  tm_object_born(t, made, TM_SOURCE, 0, __builtin_frame_address(0));
  tm_suspension_begins(made, TM_SOURCE);
  return made;
}

TM_GATE_CODE_END
#endif
