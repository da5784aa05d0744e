/* Strands: a thread's own code, one block, one iteration, one job. Each has a number and a clock.
 */
#ifndef TM_STRAND_H
#define TM_STRAND_H
#include "ground/base.h"
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/edge.h"
#include "strand/fibre.h"
#include "strand/part.h"

/* The strand that waits on this thread while another one runs inside it. */
typedef struct tm_aside {
  uint64_t strand;
  uint32_t slot, now, began, scope, base;
  tm_clock *clock;
  tm_stamp from;
  tm_origin origin;
  tm_course course;
  tm_stay stay;
  bool apart;
  uint8_t marks; /* how many; see race_mark.h */
} tm_aside;
/* Returns a number for a new strand. */
uint64_t tm_strand_new(tm_thread *);
/* The begin of a strand: the moments that it comes after, and its test. It has a fibre of its own
 * unless it continues what its thread did before, as a block of the main queue on the main thread
 * does. */
typedef struct tm_beginning {
  tm_known known; /* has to outlive the strand */
  tm_edge *edge; /* begun at that moment; NULL: none */
  uint32_t scope;
  bool continues;
  bool apart; /* nothing comes after it, not even what its thread does next */
  uint32_t errand, task; /* what it does (errand.h), and the number of its Swift task; 0: unknown */
} tm_beginning;
/* Begins a strand on this thread. Begin and end are called by the same function: the strand's
 * frames lie below that of the caller. */
void tm_strand_begin(tm_thread *, const tm_beginning *, const tm_origin *, tm_aside *);
/* Returns whether the strand is neither over nor in a wait. A hint. */
bool tm_strand_goes_on(uint64_t strand);
/* The strand's last moment, after all of the user's code: its clock knows the moment itself. Valid
 * up to `tm_strand_end`; the clock is not the caller's. */
tm_stamp tm_strand_over(tm_thread *);
void tm_strand_end(tm_thread *, const tm_aside *);

/* The present moment of this thread's strand; the caller drops its clock. */
tm_stamp tm_stamp_take(tm_thread *);
void tm_stamp_drop(tm_stamp *);
/* The same for submitted work: the stamp that its submitter takes, and the thread that ran the work
 * drops. References are counted in bulk. */
tm_stamp tm_stamp_lend(tm_thread *);
void tm_stamp_return(tm_thread *, tm_stamp *);
/* Counts what is left over. Called before the thread ends. */
void tm_stamps_settle(tm_thread *);
/* Adds the stamp's knowledge to this strand's clock; the caller keeps the stamp. */
void tm_learn(tm_thread *, tm_stamp);
void tm_shared_clock_learn(tm_thread *, tm_shared_clock *);
TM_INLINE bool tm_knows(const tm_thread *t, uint32_t slot, uint32_t time) {
  const tm_stamp *from = &t->strand.from;
  return tm_clock_knows(t->strand.clock, slot, time) || tm_clock_knows(from->clock, slot, time) ||
         (slot == from->slot && time <= from->time) ||
         (slot == t->strand.slot && time >= t->strand.began);
}
void tm_strand_learn_from(tm_thread *);
/* What the strand knows; not the caller's. */
TM_INLINE tm_clock *tm_strand_clock(tm_thread *t) {
  if (t->strand.from.time || t->strand.from.clock) tm_strand_learn_from(t);
  return t->strand.clock;
}
#endif
