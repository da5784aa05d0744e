/* Starved pools: all threads of a pool are blocked, and there is work for one more. */
#ifndef TM_STARVATION_H
#define TM_STARVATION_H
#include "ground/base.h"
#include "ground/thread.h"

/* This thread of a pool is about to wait; the watchdog looks at it until its work ends. */
void tm_workers_watch(tm_thread *);
void tm_workers_unwatch(tm_thread *);
TM_INLINE void tm_may_starve(tm_thread *t) {
  if (TM_UNLIKELY(t->pools.workers != NULL)) tm_workers_watch(t);
}
/* Returns whether a sleep of this length blocks a thread of Swift's pool, so that tasks may
 * wait. */
bool tm_sleep_blocks_pool(const tm_thread *, uint64_t milliseconds);
/* Tells a sleep that blocks the pool, from the interposed function that has this frame. */
void tm_workers_sleep(tm_thread *, void *frame, uint64_t milliseconds);
#endif
