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
  aside->apart = b->apart;
  if (!b->continues && !t->ground.explored) tm_fibre_enter(t, &b->known, top, &aside->stay);
  tm_edge_end(b->edge);
}

TM_SLOW static void give_fibre(tm_thread *t, uintptr_t top, const tm_aside *aside) {
  tm_fibre_leave(t, top, !aside->apart, &aside->stay);
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
                      .from = t->strand.from,
                      .origin = t->strand.origin};
  if (TM_UNLIKELY(origin->path != 0)) {
    aside->course = t->strand.course;
    t->strand.course = (tm_course){.path = origin->path, .maker = origin->submitter};
  }
  if (TM_UNLIKELY(tm_fibres_on)) take_fibre(t, b, TM_TOP, aside);
  t->strand.origin = *origin;
  t->strand.clock = NULL;
  t->strand.from = b->known.from;
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
  t->strand.from = aside->from;
  t->strand.origin = aside->origin;
  if (TM_UNLIKELY(aside->course.path != 0)) t->strand.course = aside->course;
}

void tm_submitted_at(uintptr_t site[TM_SITE]) {
  for (int i = 0; i < TM_SITE; i++) site[i] = tm_self ? tm_self->strand.origin.submitted[i] : 0;
}

tm_stamp tm_strand_over(tm_thread *t) {
  tm_stamp now = {NULL, t->strand.slot, t->strand.now};
  t->strand.clock = tm_clock_learn(tm_strand_clock(t), now);
  tm_clock_call(t->strand.clock, tm_strand_new(t));
  t->holds.epoch++;
  t->strand.last = t->strand.now;
  return (tm_stamp){t->strand.clock, t->strand.slot, t->strand.now++};
}

tm_stamp tm_stamp_take(tm_thread *t) {
  t->holds.epoch++;
  return (tm_stamp){tm_clock_keep(tm_strand_clock(t)), t->strand.slot, t->strand.now++};
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

/* So many references are taken at once, and dropped at once. */
enum { STOCK = 64 };

static void settle(tm_stock *stock) {
  if (stock->count) tm_clock_drop_many(stock->clock, stock->count);
  *stock = (tm_stock){0};
}

/* A clock that was not lent before is lent for a single time: most are. */
static void stock_up(tm_stock *lent, tm_clock *clock) {
  uint32_t more = lent->clock == clock ? STOCK : 1;
  if (lent->clock != clock) settle(lent);
  if (clock) atomic_fetch_add_explicit(&clock->references, more, memory_order_relaxed);
  *lent = (tm_stock){clock, more};
}

tm_stamp tm_stamp_lend(tm_thread *t) {
  tm_stock *lent = &t->strand.lent;
  tm_strand_clock(t);
  if (lent->clock != t->strand.clock || lent->count == 0) {
    tm_clock_call(t->strand.clock, tm_strand_new(t));
    stock_up(lent, t->strand.clock);
  }
  lent->count--;
  t->holds.epoch++;
  return (tm_stamp){t->strand.clock, t->strand.slot, t->strand.now++};
}

void tm_stamp_return(tm_thread *t, tm_stamp *stamp) {
  tm_stock *owed = &t->strand.owed;
  if (owed->clock != stamp->clock || owed->count == STOCK) settle(owed);
  owed->clock = stamp->clock;
  owed->count++;
}

void tm_stamps_settle(tm_thread *t) {
  settle(&t->strand.lent);
  settle(&t->strand.owed);
}

void tm_strand_learn_from(tm_thread *t) {
  tm_stamp from = t->strand.from;
  t->strand.from = (tm_stamp){0};
  t->strand.clock = tm_clock_after(from);
}

/* The strand learns something else before it knows where it began: both at once. */
static void learn_with_from(tm_thread *t, tm_stamp stamp) {
  tm_stamp from = t->strand.from;
  if (tm_clock_has(from.clock, stamp)) return;
  t->strand.from = (tm_stamp){0};
  t->strand.clock = tm_clock_joined(from, stamp);
  t->holds.epoch++;
}

void tm_learn(tm_thread *t, tm_stamp stamp) {
  if (t->strand.from.time || t->strand.from.clock) return learn_with_from(t, stamp);
  if (tm_clock_has(t->strand.clock, stamp)) return;
  /* A clock without references in stock can be changed in place. */
  if (t->strand.lent.clock == t->strand.clock) settle(&t->strand.lent);
  t->strand.clock = tm_clock_learn_new(t->strand.clock, stamp);
  t->holds.epoch++;
}

TM_GATE_CODE_END
#endif
