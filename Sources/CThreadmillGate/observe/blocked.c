#ifdef __linux__
#include "ground/base.h"
#include "observe/blocked.h"
#include "code/stack.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "object/object.h"
#include "observe/inversion.h"
#include "strand/delivery.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/swift_task.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"
#include <linux/futex.h>

TM_GATE_CODE_BEGIN

/* The wait-for graph, looked at by each thread that is about to block. A thread publishes what it
 * waits for, then looks; a full fence between the two makes at least the last thread of a cycle see
 * all the others (Dekker's argument). A cycle is certain only if no thread in it moved between two
 * looks, which the threads' sequence numbers tell. */

enum { BLOCKED = 64 };

bool tm_holds(tm_thread *u, const void *object, const tm_wait *wait) {
  uint8_t kind = TM_GLIMPSE(wait->kind), mode = TM_GLIMPSE(wait->mode);
  if (kind == TM_THREAD) return u->who.handle == (pthread_t)object;
  if (object == tm_main_queue && u->who.is_main) return true;
  if (kind == TM_SWIFT_MUTEX)
    return (*(const uint32_t *)object & FUTEX_TID_MASK) == (uint32_t)u->ground.tid;
  uint32_t count = tm_holds_shared(u);
  for (uint32_t i = 0; i < count; i++) {
    const tm_hold *h = &u->held.locks[i];
    if (TM_GLIMPSE(h->object) == object && tm_excludes(TM_GLIMPSE(h->mode), mode)) return true;
  }
  return false;
}

static bool is_cancelled(tm_thread *u) {
  return atomic_load(&u->who.cancelled) &&
         tm_ends_by_cancellation((tm_kind)TM_GLIMPSE(u->holds.wait.kind));
}

static bool waits(tm_thread *u) {
  return tm_is_live(u) && tm_waits_for(u) && !TM_GLIMPSE(u->holds.wait.timed) && !is_cancelled(u);
}

/* Returns whether the thread waits, through other waiting threads, for itself. Looks at every
 * thread once for each thread that it reaches; it reaches none if the holder runs. */
static bool waits_for_itself(tm_thread *t) {
  uint64_t seen[TM_SLOTS / 64] = {0};
  tm_thread *reached[BLOCKED];
  uint32_t count = 0, next = 0;
  for (tm_thread *waiter = t; waiter; waiter = next < count ? reached[next++] : NULL) {
    const void *object = tm_waits_for(waiter);
    if (!object || TM_GLIMPSE(waiter->holds.wait.timed)) continue;
    for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
      if (u == waiter || !waits(u) || !tm_holds(u, object, &waiter->holds.wait)) continue;
      if (u == t) return true;
      uint64_t bit = 1ull << u->who.index % 64;
      if (seen[u->who.index / 64] & bit || count == BLOCKED) continue;
      seen[u->who.index / 64] |= bit;
      reached[count++] = u;
    }
  }
  return false;
}

typedef struct cycle_picture {
  tm_thread *threads[BLOCKED];
  unsigned sequences[BLOCKED];
  tm_thread_view views[BLOCKED];
  tm_view_room rooms[BLOCKED];
  bool involved[BLOCKED], found;
  uint32_t count, self;
} cycle_picture;

static void draw(cycle_picture *p, tm_thread *t) {
  p->count = 0;
  for (tm_thread *u = tm_thread_first(); u && p->count < BLOCKED; u = tm_thread_next(u)) {
    if (u != t && !waits(u)) continue;
    if (u == t) p->self = p->count;
    p->threads[p->count] = u;
    p->sequences[p->count] = tm_look(u);
    tm_view_other(u, &p->rooms[p->count], &p->views[p->count]);
    p->count++;
  }
  tm_clear(p->involved, sizeof p->involved);
}

void tm_views_complete(tm_thread *const *threads, tm_view_room *rooms, tm_thread_view *views,
                       uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const void *object = atomic_load(&threads[i]->holds.wait.object);
    tm_wait *wait = &threads[i]->holds.wait;
    if (TM_GLIMPSE(wait->kind) != TM_SWIFT_MUTEX && object != tm_main_queue) continue;
    for (uint32_t j = 0; object && j < count; j++) {
      tm_thread_view *owner = &views[j];
      if (i == j || owner->held_count == TM_HOLDS || !tm_holds(threads[j], object, wait)) continue;
      if (tm_hold_find(threads[j], object)) continue;
      tm_object_describe(object, TM_GLIMPSE(wait->kind), TM_EXCLUSIVE,
                         &rooms[j].held[owner->held_count++]);
    }
  }
}

static bool has_moved(tm_thread *u, unsigned sequence) {
  return !tm_look_is_whole(u, sequence) || is_cancelled(u);
}

static bool unmoved(const cycle_picture *p) {
  for (uint32_t i = 0; i < p->count; i++)
    if (p->involved[i] && has_moved(p->threads[i], p->sequences[i])) return false;
  return true;
}

/* Each thread noted its stack before it went to wait, unless the lock looked free and another
 * thread then took it. Such a thread stands still as well, and its stack is read from here. */
static void take_stack(tm_thread *u, tm_view_room *room, tm_thread_view *view) {
  view->stack = room->stack;
  if (u->observe.waiting_since == tm_look(u)) {
    view->stack_count = u->observe.waiting_count;
    tm_copy(room->stack, u->observe.waiting_stack, u->observe.waiting_count * sizeof(uintptr_t));
    return;
  }
  view->stack_count =
      tm_stack_of_waiting(u, TM_GLIMPSE(u->holds.wait.frame), room->stack, TM_STACK);
}

static void take_stacks(cycle_picture *p) {
  for (uint32_t i = 0; i < p->count; i++)
    if (p->involved[i]) take_stack(p->threads[i], &p->rooms[i], &p->views[i]);
}

static void tell_candidate(void *context) {
  cycle_picture *p = context;
  p->found = tm_listening.blocked(p->views, p->count, p->self, p->involved);
}

static void tell_deadlocked(void *context) {
  cycle_picture *p = context;
  tm_listening.deadlocked(p->views, p->count, p->self);
}

TM_SLOW void tm_about_to_block(tm_thread *t, tm_operation *op) {
  tm_swift_task_waits(t);
  if (tm_can_be_inverted(t)) tm_inversion_begin(t, op);
  if (!tm_can_deadlock(t)) return;
  t->observe.waiting_count = tm_stack_take(t, op->frame, t->observe.waiting_stack, TM_STACK);
  t->observe.waiting_since = tm_look(t);
  atomic_thread_fence(memory_order_seq_cst);
  if (!waits_for_itself(t)) return;
  cycle_picture *p = tm_map(sizeof(cycle_picture));
  if (!p) return;
  tm_quiet before = tm_upcall_begin(t);
  draw(p, t);
  tm_views_complete(p->threads, p->rooms, p->views, p->count);
  tm_call_up(tell_candidate, p);
  bool found = p->found;
  if (found && unmoved(p)) {
    take_stacks(p);
    tm_call_up(tell_deadlocked, p);
  }
  tm_upcall_end(t, before);
  tm_unmap(p, sizeof(cycle_picture));
}

bool tm_held_by_other(tm_thread *t, const void *object, tm_mode mode) {
  tm_wait wait = {.mode = (uint8_t)mode, .kind = TM_SERIAL_QUEUE};
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    if (u != t && tm_is_live(u) && tm_holds(u, object, &wait)) return true;
  return false;
}

TM_GATE_CODE_END
#endif
