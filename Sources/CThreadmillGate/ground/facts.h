/* The facts of the process that the fast path reads, and the counts of what was not done. */
#ifndef TM_FACTS_H
#define TM_FACTS_H
#include "ground/base.h"
#include "threadmill_gate.h"

extern atomic_bool tm_active;       /* the gate watches */
extern tm_settings tm_settings_now; /* set once, before anything is watched */
extern tm_listener tm_listening;
extern atomic_bool tm_shaking;     /* jitter disturbs some test or the process */
/* Returns a slot in vector clocks (strand/clock.h), for a thread or a fibre. */
uint32_t tm_slot_new(void);
extern atomic_bool tm_controlling; /* an exploration runs */
extern bool tm_steering;           /* see steer.h; set before anything is watched */
/* A sanitizer holds a lock while a thread is made: there can be no point. */
extern bool tm_creation_is_locked;
/* A program that is explored has run the exit handlers that its main function has set. */
extern bool tm_exits;

/* Jitter or an exploration has points in the user's calls. */
TM_INLINE bool tm_has_points(void) {
  return atomic_load_explicit(&tm_shaking, memory_order_relaxed) ||
         atomic_load_explicit(&tm_controlling, memory_order_relaxed);
}

void tm_count_one(tm_count);
void tm_count_many(tm_count, uint64_t);
#endif
