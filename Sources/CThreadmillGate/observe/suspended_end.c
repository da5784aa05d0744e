#ifdef __linux__
#include "ground/base.h"
#include "observe/suspended_end.h"
#include "code/stack.h"
#include "ground/thread.h"
#include "object/object.h"
#include "tell/view.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

void tm_suspended_ends(tm_thread *t, void *frame, const void *lane) {
  tm_object *o = tm_object_find(lane);
  if (!o) return;
  bool queue = o->kind == TM_SERIAL_QUEUE || o->kind == TM_CONCURRENT_QUEUE;
  tm_history *record = queue || o->kind == TM_SOURCE ? o->history : NULL;
  tm_kind kind = o->kind;
  bool inactive = record && record->inactive;
  bool suspended = record && record->suspensions > 0;
  uint32_t where = suspended ? record->suspended : 0, who = suspended ? record->suspender : 0;
  tm_object_release(lane);
  if (!inactive && !suspended) return;
  tm_happening released = {.kind = TM_SUSPENDED_RELEASED, .numbers = {inactive}};
  if (where) {
    tm_stack_view *place = &released.places[released.place_count++];
    place->addresses = tm_stack_kept(where, &place->count);
    place->thread = who;
  }
  tm_tell(t, frame, &released, lane, kind);
}

TM_GATE_CODE_END
#endif
