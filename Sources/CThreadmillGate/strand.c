#ifdef __linux__
#include "base.h"
#include "state.h"
#include "race.h"

TM_GATE_CODE_BEGIN

/* A number that no other strand of this process has: the thread's own number above, which no other
 * thread ever has, and a count below that is nobody else's to write. */
enum { STRAND_BITS = 40 };
uint64_t tm_strand_new(tm_thread *t) {
  return (uint64_t)t->number << STRAND_BITS | ++t->strands;
}

void tm_strand_begin(tm_thread *t, tm_stamp from, uint32_t scope, const tm_origin *origin,
                     tm_aside *aside) {
  *aside = (tm_aside){.strand = t->strand,
                      .began = t->began,
                      .scope = t->scope,
                      .base = t->base,
                      .clock = t->clock,
                      .origin = t->origin};
  if (TM_UNLIKELY(origin->path != 0)) {
    aside->course = t->course;
    t->course = (tm_course){.path = origin->path, .maker = origin->submitter};
  }
  t->origin = *origin;
  t->clock = tm_clock_after(from);
  t->strand = tm_strand_new(t);
  t->began = ++t->now;
  t->epoch++;
  t->working++;
  t->scope = scope;
  t->base = t->held_count;
  aside->marked = scope != aside->scope && tm_race_mark(scope);
}

bool tm_strand_goes_on(uint64_t strand) {
  for (tm_thread *t = atomic_load(&tm_threads); t; t = atomic_load(&t->next))
    if (atomic_load(&t->live) && t->strand == strand)
      return !atomic_load_explicit(&t->wait.object, memory_order_relaxed);
  return false;
}

void tm_strand_end(tm_thread *t, const tm_aside *aside) {
  if (TM_UNLIKELY(aside->marked)) tm_race_unmark();
  tm_clock_drop(t->clock);
  t->working--;
  t->now++;
  t->epoch++;
  t->strand = aside->strand;
  t->began = aside->began;
  t->scope = aside->scope;
  t->base = aside->base;
  t->clock = aside->clock;
  t->origin = aside->origin;
  if (TM_UNLIKELY(aside->course.path != 0)) t->course = aside->course;
}

tm_stamp tm_strand_over(tm_thread *t) {
  t->clock = tm_clock_learn(t->clock, (tm_stamp){NULL, t->slot, t->now});
  t->epoch++;
  return (tm_stamp){t->clock, t->slot, t->now++};
}

tm_stamp tm_stamp_take(tm_thread *t) {
  t->epoch++;
  return (tm_stamp){tm_clock_keep(t->clock), t->slot, t->now++};
}

void tm_stamp_drop(tm_stamp *stamp) { tm_clock_drop(stamp->clock); }

void tm_learn(tm_thread *t, tm_stamp stamp) {
  if (tm_clock_has(t->clock, stamp)) return;
  t->clock = tm_clock_learn(t->clock, stamp);
  t->epoch++;
}

TM_GATE_CODE_END
#endif
