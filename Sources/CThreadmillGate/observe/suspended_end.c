#ifdef __linux__
#include "ground/base.h"
#include "observe/suspended_end.h"
#include "code/stack.h"
#include "ground/thread.h"
#include "object/object.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

void tm_suspended_ends(tm_thread *t, void *frame, const void *lane) {
  tm_object *o = tm_object_find(lane);
  if (!o) return;
  bool queue = o->kind == TM_SERIAL_QUEUE || o->kind == TM_CONCURRENT_QUEUE;
  tm_history *record = queue || o->kind == TM_SOURCE ? o->history : NULL;
  tm_kind kind = o->kind;
  tm_suspension now = record ? record->suspension : (tm_suspension){0};
  uint32_t where = now.count > 0 ? record->suspended : 0;
  uint32_t who = now.count > 0 ? record->suspender : 0;
  tm_object_release(lane);
  if (!tm_may_not_be_released(now)) return;
  tm_happening happening = {.kind = TM_SUSPENDED_RELEASED,
                            .suspended_released = {.never_activated = now.inactive}};
  tm_suspended_released *released = &happening.suspended_released;
  if (where) {
    released->suspended.addresses = tm_stack_kept(where, &released->suspended.count);
    released->suspended.thread = who;
  }
  tm_tell(t, frame, &happening, &released->object, lane, kind);
}

TM_GATE_CODE_END
#endif
