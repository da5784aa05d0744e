/* Happens-before through XCTest's expectations: what a thread does before it fulfils one comes
 * before what follows the wait for it. Both pass through one serial queue of XCTest's, which also
 * orders expectations that nobody waits for together; that hides little and accuses nobody. */
#ifndef TM_EXPECTATIONS_H
#define TM_EXPECTATIONS_H
#include "ground/base.h"
#include "ground/thread.h"

/* XCTest's queue; NULL until XCTest makes it. */
extern _Atomic(const void *) tm_expectations_queue;

/* Takes a queue that was made, and keeps it if it is that one. */
void tm_expectations_look(const void *queue, const char *label);

TM_INLINE bool tm_is_expectations(const void *queue) {
  return queue == atomic_load_explicit(&tm_expectations_queue, memory_order_relaxed);
}

/* Before a call of `sync` on that queue, and after it. */
void tm_expectations_leave(tm_thread *);
void tm_expectations_take(tm_thread *);
#endif
