#ifdef __linux__
#include "ground/base.h"
#include "object/suspension.h"
#include "ground/layout.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "object/object.h"
#include "object/queue.h"
#include "threadmill_decisions.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* An object itself says whether it is suspended, but libdispatch suspends for purposes of its own,
 * too. So the gate also counts the user's calls, and reports a release only if the object and the
 * count agree. */

static tm_kind kind_of(const void *lane, tm_class class) {
  tm_link links[TM_CHAIN];
  if (class == TM_CLASS_SOURCE) return TM_SOURCE;
  return tm_queue_chain(lane, false, links) ? links[0].kind : TM_CONCURRENT_QUEUE;
}

/* Returns the record with the entry locked, or NULL with nothing locked. */
static tm_history *record_of(const void *lane, tm_kind kind) {
  tm_object *o = tm_object_have(lane, kind);
  if (!o) return NULL;
  if (!o->history) o->history = tm_pool_take(sizeof(tm_history));
  if (!o->history) tm_object_release(lane);
  return o->history;
}

void tm_suspension_begins(const void *lane, tm_kind kind) {
  if (!tm_is_suspended(lane)) return;
  tm_history *record = record_of(lane, kind);
  if (!record) return;
  record->suspension.inactive = true;
  tm_object_release(lane);
}

void tm_suspension_note(const tm_thread *t, const void *lane, tm_suspension_change what,
                        uint32_t stack) {
  tm_class class = tm_class_of(lane);
  if (class != TM_CLASS_QUEUE && class != TM_CLASS_SOURCE) return;
  tm_history *record = record_of(lane, kind_of(lane, class));
  if (!record) return;
  record->suspension = tm_suspension_after(record->suspension, what, class == TM_CLASS_SOURCE);
  if (what == TM_SUSPENDS) {
    record->suspended = stack;
    record->suspender = t ? t->who.number : 0;
  }
  tm_object_release(lane);
}

TM_GATE_CODE_END
#endif
