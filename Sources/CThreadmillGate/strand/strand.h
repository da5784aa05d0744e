/* Strands: a thread's own code, one block, one iteration, one job. Each has a number and a clock.
 */
#ifndef TM_STRAND_H
#define TM_STRAND_H
#include "ground/base.h"
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/part.h"

/* The strand that waits on this thread while another one runs inside it. */
typedef struct tm_aside {
  uint64_t strand;
  uint32_t began, scope, base;
  tm_clock *clock;
  tm_origin origin;
  tm_course course;
  bool marked; /* see race_mark.h */
} tm_aside;
/* Returns a number for a new strand. */
uint64_t tm_strand_new(tm_thread *);
/* Begins a strand on this thread after the moment `from`. */
void tm_strand_begin(tm_thread *, tm_stamp from, uint32_t scope, const tm_origin *, tm_aside *);
/* Returns whether the strand is neither over nor in a wait. A hint. */
bool tm_strand_goes_on(uint64_t strand);
/* The strand's last moment, after all of the user's code: its clock knows the moment itself. Valid
 * up to `tm_strand_end`; the clock is not the caller's. */
tm_stamp tm_strand_over(tm_thread *);
void tm_strand_end(tm_thread *, const tm_aside *);

/* The present moment of this thread's strand; the caller drops its clock. */
tm_stamp tm_stamp_take(tm_thread *);
void tm_stamp_drop(tm_stamp *);
/* Adds the stamp's knowledge to this strand's clock; the caller keeps the stamp. */
void tm_learn(tm_thread *, tm_stamp);
TM_INLINE bool tm_knows(const tm_thread *t, uint32_t slot, uint32_t time) {
  return tm_clock_knows(t->strand.clock, slot, time) ||
         (slot == t->strand.slot && time >= t->strand.began);
}
#endif
