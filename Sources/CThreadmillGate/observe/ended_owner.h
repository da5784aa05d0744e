/* Waits for a lock whose owner has ended. */
#ifndef TM_ENDED_OWNER_H
#define TM_ENDED_OWNER_H
#include "ground/thread.h"

/* The thread ends, and may still hold locks: from now on the watchdog looks whether another thread
 * waits for one of them. A thread of an exploration is the Scheduler's business. */
void tm_ends_with_locks(tm_thread *);
#endif
