#ifdef __linux__
#include "ground/base.h"
#include "observe/job_run.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "ground/told_once.h"
#include "object/hop.h"
#include "object/object.h"
#include "object/owned.h"
#include "strand/hold.h"
#include "strand/job.h"
#include "strand/part.h"
#include "strand/tasks.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"

TM_GATE_CODE_BEGIN

static bool is_owned_lock(const tm_thread *t, const tm_hold *h) {
  return tm_belongs_to_thread(h->kind) && !(h->flags & TM_HOLD_PRETENDED) && tm_still_owns(t, h) &&
         !tm_object_is_marked(h->object, TM_OBJECT_NO_LOCK);
}

static void tell_kept(tm_thread *t, const tm_hold *h, const void *of, const void *isa) {
  uintptr_t places[TM_STACK];
  uint32_t count = tm_job_awaits_as(of, isa, places);
  uint64_t place = tm_mix(tm_mix(tm_mix(0, h->site[0]), h->site[1]), count ? places[0] : 0);
  if (!tm_is_first_time(place)) return;
  tm_happening kept = {.kind = TM_LOCK_KEPT, .lock_kept = {.awaits = {places, count}}};
  tm_tell(t, __builtin_frame_address(0), &kept, &kept.lock_kept.lock, h->object,
          tm_kind_of(h->object, h->kind));
  tm_object_mark(h->object, TM_OBJECT_MISUSED); /* the unlock on another thread is no news */
}

/* Removes the locks that the task still holds when its job ends: the thread goes on with another
 * task. A later unlock, on this or another thread, finds no hold to remove. */
TM_SLOW static void drop_kept_locks(tm_thread *t, uint32_t before, const void *of,
                                    const void *isa) {
  for (uint32_t i = t->holds.held_count; i-- > before;)
    if (is_owned_lock(t, &t->held.locks[i])) tell_kept(t, &t->held.locks[i], of, isa);
  while (t->holds.held_count > before) tm_hold_remove(t, &t->held.locks[t->holds.held_count - 1]);
}

void tm_job_run(tm_thread *t, const tm_hop *hop) {
  uint32_t before = t->holds.held_count;
  const void *isa = tm_job_type(hop->context);
  if (tm_job_is_task(hop->context)) tm_task_begins(t, hop->context, hop->scope);
  hop->work(hop->context);
  if (TM_UNLIKELY(t->holds.held_count > before)) drop_kept_locks(t, before, hop->context, isa);
}

TM_GATE_CODE_END
#endif
