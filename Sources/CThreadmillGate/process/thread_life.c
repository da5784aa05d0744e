#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/handler_stack.h"
#include "ground/thread.h"
#include "ground/watchdog.h"
#include "object/object.h"
#include "observe/ended_owner.h"
#include "observe/race.h"
#include "observe/starvation.h"
#include "shake/part.h"
#include "strand/upcalls.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* The work of the higher floors when a thread begins or ends. */

void tm_thread_begins(tm_thread *t) {
  tm_handler_stack_give(t);
  t->observe.running = NULL;
  atomic_store_explicit(&t->observe.awaited, NULL, memory_order_relaxed);
  t->shake = (tm_shake_part){0};
  tm_race_thread_began(t);
}

void tm_thread_leaves(tm_thread *t) {
  if (TM_UNLIKELY(t->holds.held_count != 0)) tm_ends_with_locks(t);
  if (t->control.seat) tm_seat_leave(t->control.seat);
}

/* A join of this thread picks up what the thread knew; the entry is keyed by its handle. */
void tm_thread_ends(tm_thread *t) {
  tm_object_leave_stamp(t, (const void *)t->who.handle, TM_THREAD);
  t->seam.pending = NULL;
  if (t->observe.watched) tm_workers_unwatch(t);
  atomic_store(&t->pools.workers, NULL);
  tm_seat_set(t, NULL);
  tm_handler_stack_take_back(t);
  tm_watchdog_thread_ends(t->who.is_main);
}

TM_GATE_CODE_END
#endif
