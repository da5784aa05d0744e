#ifdef __linux__
#include "ground/base.h"
#include "observe/no_lock.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/thread.h"
#include "object/object.h"
#include "strand/delivery.h"

TM_GATE_CODE_BEGIN

static void tell_disqualified(void *id) { tm_listening.disqualified(*(uint64_t *)id); }

void tm_object_is_no_lock(tm_thread *t, const void *address, tm_kind kind) {
  tm_object *o = tm_object_have(address, kind);
  if (!o) return;
  bool tell = o->flags & TM_OBJECT_DECLARED && !(o->flags & TM_OBJECT_NO_LOCK);
  uint64_t id = o->id;
  o->flags |= TM_OBJECT_NO_LOCK;
  tm_object_release(address);
  if (!tell) return;
  tm_quiet before = tm_upcall_begin(t);
  tm_call_up(tell_disqualified, &id);
  tm_upcall_end(t, before);
}

TM_GATE_CODE_END
#endif
