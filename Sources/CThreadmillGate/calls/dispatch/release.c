#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "ground/dispatch.h"
#include "ground/layout.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/object.h"
#include "object/semaphore.h"
#include "observe/early.h"
#include "observe/suspended_end.h"
#include "seam/users_call.h"
#include "strand/steps.h"
#include "tell/view.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* The end of dispatch objects. Only the last reference outside libdispatch counts: libdispatch
 * keeps its own references to an object that it still needs. */

TM_SLOW static void tell_in_use(tm_thread *t, void *frame, const void *semaphore, int64_t value,
                                int64_t initial) {
  tm_happening happening = {.kind = TM_SEMAPHORE_FREED_IN_USE,
                            .semaphore_freed_in_use = {.value = value, .initial = initial}};
  tm_semaphore_freed_in_use *in_use = &happening.semaphore_freed_in_use;
  tm_semaphore_state state;
  tm_semaphore_ask(semaphore, &state);
  tm_steps_show(state.waits, state.wait_count, &in_use->waits);
  tm_steps_show(state.signals, state.signal_count, &in_use->signals);
  tm_tell(t, frame, &happening, &in_use->semaphore, semaphore, TM_SEMAPHORE);
}

static void semaphore_ends(tm_thread *t, void *frame, const void *semaphore) {
  int64_t value, initial;
  if (tm_semaphore_values(semaphore, &value, &initial) && value < initial)
    tell_in_use(t, frame, semaphore, value, initial);
  tm_object_died(t, semaphore);
}

static void about_to_end(tm_thread *t, void *frame, const void *object) {
  switch (tm_class_of(object)) {
  case TM_CLASS_SEMAPHORE: semaphore_ends(t, frame, object); break;
  case TM_CLASS_GROUP: tm_group_ends(t, frame, object); break;
  case TM_CLASS_QUEUE:
    if (tm_is_suspended(object)) tm_suspended_ends(t, frame, object);
    break;
  case TM_CLASS_SOURCE:
    if (tm_is_suspended(object)) tm_suspended_ends(t, frame, object);
    tm_object_died(t, object);
    break;
  default: break;
  }
}

TM_EXPORT void dispatch_release(dispatch_object_t object) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (t && object && tm_is_last_reference(object))
    about_to_end(t, __builtin_frame_address(0), object);
  TM_REAL(dispatch_release)(object);
}

TM_GATE_CODE_END
#endif
