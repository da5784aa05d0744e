#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "control/call.h"
#include "control/model.h"
#include "control/world.h"
#include "ground/thread.h"
#include "strand/tasks.h"
#include "threadmill_control.h"
#include "threadmill_shake.h"

TM_GATE_CODE_BEGIN

bool tm_is_controlled(void) { return tm_seat_here() != NULL; }

bool tm_control_begin_body(void) {
  const tm_seat *s = tm_self ? tm_self->control.seat : NULL;
  if (!s || s->discards || !s->flow) return false;
  s->flow->launched = false;
  tm_task_is_body(tm_self);
  return true;
}

/* Points that are no operation of their own. */

/* Accesses to memory have been steps. Whether a build with Address Sanitizer tells of them, the
 * director cannot know before the first one. */
static atomic_bool accesses_were_seen;

void tm_control_sees_accesses(void) {
  atomic_store_explicit(&accesses_were_seen, true, memory_order_relaxed);
}

static bool accesses_are_steps(void) {
  return tm_world_now.director.sees_accesses ||
         atomic_load_explicit(&accesses_were_seen, memory_order_relaxed);
}

/* The call has submitted work, or started a thread: that may begin, and even end, before the
 * caller's next statement. This is no point
 *
 * - if the work cannot begin yet
 * - if accesses to memory are points: then the next statement that matters is one
 * - if the flow has just made the same submission, in a loop: what it submitted first may come
 *   before all that follows. */
static void go_on_after(tm_seat *s, uintptr_t place) {
  const tm_flow *made = tm_world_now.made;
  if (!made || made->is_yield || accesses_are_steps()) return;
  if (s == &tm_control_caller || s->flow->submits == place) return;
  s->flow->submits = place;
  if (tm_flow_can(made) == TM_NO) return;
  tm_seat_stops(s, place);
  s->looks = 0;
  tm_control_step(s, TM_STEP_ON, NULL, NULL, made, 0);
}

TM_SLOW void tm_control_at(tm_thread *t, tm_point point, uintptr_t place) {
  tm_seat *s = t->control.seat;
  if (t->ground.inside) return;
  if (point == TM_POINT_AFTER && !s->waits) go_on_after(s, place);
  s->point = point == TM_POINT_BEFORE;
  s->place = place;
}

/* A flow spins if it makes more atomic accesses than this without another operation. */
enum { SPINS = 64 };

static void make_point(tm_seat *s, tm_step_kind kind, const tm_access *a) {
  tm_seat_stops(s, a->place);
  tm_control_point(s, kind, tm_word_of(a->address, a->size));
}

/* Returns whether the flow goes round a loop that only reads, while no flow changes anything: it
 * has read one address again and again. That address is the one of the first, second, fourth,
 * eighth read and so on, so that at some time it is one of the loop's. */
static bool goes_round(tm_flow *f, const tm_access *a) {
  enum { ROUNDS = 8 };
  tm_reading *r = &f->reading;
  if (r->changes != tm_world_now.changes) *r = (tm_reading){.changes = tm_world_now.changes};
  if (r->address == a->address && r->place == a->place) r->rounds++;
  if ((++r->count & (r->count - 1)) == 0)
    r->address = a->address, r->place = a->place, r->rounds = 0;
  return r->rounds > ROUNDS;
}

TM_SLOW void tm_control_access(const tm_access *a) {
  tm_seat *s = tm_seat_here();
  if (!s || s->flow->atomics > SPINS) return;
  bool spins = a->kind == TM_STEP_READ && goes_round(s->flow, a);
  make_point(s, spins ? TM_STEP_YIELD : a->kind, a);
}

TM_SLOW bool tm_control_atomic(const tm_access *a, tm_atomic *atomic) {
  tm_seat *s = tm_seat_here();
  if (!s) return false;
  tm_seat_stops(s, a->place);
  if (s->flow->atomics > SPINS) {
    tm_control_point(s, TM_STEP_YIELD, NULL);
  } else {
    s->flow->atomics++;
    make_point(s, a->kind, a);
  }
  return TM_UNLIKELY(tm_memory_is_weak) && tm_memory_access(s, atomic);
}

TM_SLOW bool tm_control_is_call(uintptr_t place) {
  const tm_seat *s = tm_seat_here();
  return s && tm_caller_of(s->thread, (void *)place) == TM_CALLER_USER;
}

TM_SLOW void tm_control_makes_step(tm_step_kind kind, const void *object, uintptr_t place) {
  tm_seat *s = tm_seat_here();
  if (!s) return;
  tm_seat_stops(s, place);
  tm_control_point(s, kind, object);
}

TM_SLOW void tm_control_makes_call(tm_step_kind kind, const void *object, uintptr_t place) {
  if (!tm_control_is_call(place)) return;
  if (kind == TM_STEP_READ)
    return tm_control_access(&(tm_access){.address = object, 1, .kind = kind, .place = place});
  tm_control_makes_step(kind, object, place);
}

TM_SLOW void tm_control_made_call(uintptr_t place) {
  if (tm_control_is_call(place)) go_on_after(tm_seat_here(), place);
}

TM_GATE_CODE_END
#endif
