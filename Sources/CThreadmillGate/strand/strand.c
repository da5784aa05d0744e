#ifdef __linux__
#include "ground/base.h"
#include "strand/strand.h"
#include "ground/lock.h"
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/fibre.h"
#include "strand/part.h"
#include "strand/race_mark.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* Returns a number that no other strand of this process has. Its upper bits are the thread's
 * number, which no other thread ever has; its lower bits are a count that only this thread
 * writes. */
enum { STRAND_BITS = 40 };
uint64_t tm_strand_new(tm_thread *t) {
  return (uint64_t)t->who.number << STRAND_BITS | ++t->strand.count;
}

/* The frames of the functions that the caller of `tm_strand_begin` or `tm_strand_end` calls lie
 * below this address. */
#define TM_TOP ((uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *))

TM_SLOW static void take_fibre(tm_thread *t, const tm_beginning *b, uintptr_t top,
                               tm_aside *aside) {
  aside->slot = t->strand.slot;
  aside->now = t->strand.now;
  if (!b->continues && !t->ground.explored) tm_fibre_enter(t, b->from, top, &aside->stay);
  tm_edge_end(b->edge);
}

TM_SLOW static void give_fibre(tm_thread *t, uintptr_t top, const tm_aside *aside) {
  tm_fibre_leave(t, top, &aside->stay);
  t->strand.slot = aside->slot;
  t->strand.now = aside->now;
}

void tm_strand_begin(tm_thread *t, const tm_beginning *b, const tm_origin *origin,
                     tm_aside *aside) {
  *aside = (tm_aside){.strand = t->strand.id,
                      .began = t->strand.began,
                      .scope = t->strand.scope,
                      .base = t->strand.base,
                      .clock = t->strand.clock,
                      .origin = t->strand.origin};
  if (TM_UNLIKELY(origin->path != 0)) {
    aside->course = t->strand.course;
    t->strand.course = (tm_course){.path = origin->path, .maker = origin->submitter};
  }
  if (TM_UNLIKELY(tm_fibres_on)) take_fibre(t, b, TM_TOP, aside);
  t->strand.origin = *origin;
  t->strand.clock = tm_clock_after(b->from);
  t->strand.id = tm_strand_new(t);
  t->strand.began = ++t->strand.now;
  t->holds.epoch++;
  t->strand.working++;
  t->strand.scope = b->scope;
  t->strand.base = t->holds.held_count;
  bool fresh = aside->stay.fibre || b->scope != aside->scope;
  aside->marks += fresh && tm_race_mark(b->scope);
  if (TM_LIKELY(!aside->stay.fibre)) return;
  aside->marks += tm_race_mark_work(b->errand);
  tm_fibre_does(t, &aside->stay, b->errand, b->task);
}

bool tm_strand_goes_on(uint64_t strand) {
  for (tm_thread *t = tm_thread_first(); t; t = tm_thread_next(t))
    if (tm_is_live(t) && t->strand.id == strand) return !tm_waits_for(t);
  return false;
}

void tm_strand_end(tm_thread *t, const tm_aside *aside) {
  for (uint8_t i = 0; i < aside->marks; i++) tm_race_unmark();
  if (TM_UNLIKELY(aside->stay.fibre != NULL)) give_fibre(t, TM_TOP, aside);
  tm_clock_drop(t->strand.clock);
  t->strand.working--;
  t->strand.now++;
  t->holds.epoch++;
  t->strand.id = aside->strand;
  t->strand.began = aside->began;
  t->strand.scope = aside->scope;
  t->strand.base = aside->base;
  t->strand.clock = aside->clock;
  t->strand.origin = aside->origin;
  if (TM_UNLIKELY(aside->course.path != 0)) t->strand.course = aside->course;
}

void tm_submitted_at(uintptr_t site[TM_SITE]) {
  for (int i = 0; i < TM_SITE; i++) site[i] = tm_self ? tm_self->strand.origin.submitted[i] : 0;
}

tm_stamp tm_strand_over(tm_thread *t) {
  t->strand.clock =
      tm_clock_learn(t->strand.clock, (tm_stamp){NULL, t->strand.slot, t->strand.now});
  t->holds.epoch++;
  t->strand.last = t->strand.now;
  return (tm_stamp){t->strand.clock, t->strand.slot, t->strand.now++};
}

tm_stamp tm_stamp_take(tm_thread *t) {
  t->holds.epoch++;
  return (tm_stamp){tm_clock_keep(t->strand.clock), t->strand.slot, t->strand.now++};
}

void tm_stamp_drop(tm_stamp *stamp) { tm_clock_drop(stamp->clock); }

void tm_shared_clock_learn(tm_thread *t, tm_shared_clock *shared) {
  for (int i = 0; i < TM_CLOCK_PARTS; i++) {
    __typeof__(&shared->parts[0]) part = &shared->parts[i];
    tm_spin_lock(&part->lock);
    if (part->clock) tm_learn(t, (tm_stamp){part->clock, 0, 0});
    tm_spin_unlock(&part->lock);
  }
}

void tm_learn(tm_thread *t, tm_stamp stamp) {
  if (tm_clock_has(t->strand.clock, stamp)) return;
  t->strand.clock = tm_clock_learn(t->strand.clock, stamp);
  t->holds.epoch++;
}

TM_GATE_CODE_END
#endif
