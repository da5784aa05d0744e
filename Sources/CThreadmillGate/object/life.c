#ifdef __linux__
#include "ground/base.h"
#include "code/recent.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/tag.h"
#include "ground/thread.h"
#include "object/left.h"
#include "object/number.h"
#include "object/object.h"
#include "strand/delivery.h"
#include "strand/hold.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* How objects begin and end. A mutex begins with a tag and without an entry in the table: it gets
 * one when it takes part in something that a report may tell of. */

static void tell_retired(void *id) { tm_listening.retired(*(uint64_t *)id); }

TM_SLOW static void retire(tm_thread *t, uint64_t id) {
  tm_quiet before = tm_upcall_begin(t);
  tm_call_up(tell_retired, &id);
  tm_upcall_end(t, before);
}

static void end_entry(tm_thread *t, const void *address) {
  tm_object *o = tm_object_find(address);
  if (!o) return;
  uint64_t id = o->id;
  bool declared = o->flags & (TM_OBJECT_DECLARED | TM_OBJECT_DEPENDS);
  tm_object_remove(o);
  if (declared) retire(t, id);
}

/* Ends what the gate knows of an object, but for its generation. */
TM_INLINE void end(tm_thread *t, const void *address) {
  tm_hold *held = tm_hold_find(t, address);
  if (TM_UNLIKELY(held != NULL)) tm_hold_remove(t, held);
  tm_left_forget(address);
  if (TM_UNLIKELY(tm_object_may_be_entered(address))) end_entry(t, address);
}

void tm_object_died(tm_thread *t, const void *address) {
  atomic_fetch_add_explicit(tm_generation(address), 2, memory_order_relaxed);
  end(t, address);
}

void tm_object_born(tm_thread *t, const void *address, tm_kind kind, int32_t value, void *frame) {
  uint32_t created = tm_stack_keep_here(t, frame);
  tm_object_died(t, address);
  tm_object *o = tm_object_have(address, kind);
  if (!o) return;
  o->created = created;
  o->value = value;
  tm_object_release(address);
}

/* The tag tells the mutex from those that had its place before, as a new generation would. */
void tm_mutex_born(tm_thread *t, const void *mutex, void *frame) {
  if (!tm_is_taggable(mutex)) return tm_object_born(t, mutex, TM_MUTEX, 0, frame);
  end(t, mutex);
  tm_tag_write(mutex, (tm_tag){tm_object_id_of(t), tm_stack_keep_here(t, frame)});
}

void tm_mutex_died(tm_thread *t, const void *mutex) {
  tm_tag tag;
  if (!tm_tag_read(mutex, &tag)) return tm_object_died(t, mutex);
  tm_tag_remove(mutex);
  end(t, mutex);
}

TM_GATE_CODE_END
#endif
