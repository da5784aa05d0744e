/* A program under `threadmill run` that stands still: whether anything can still move it, and what
 * is said when SIGINT ends it. */
#ifndef TM_STANDING_H
#define TM_STANDING_H
#include "ground/base.h"
#include "ground/thread.h"

/* Takes note of one look at the process; on the watchdog's thread. `waits`: a thread is in a
 * watched wait without a time limit. */
void tm_standing_look(bool moved, bool waits);
/* Returns whether nothing inside or outside of the process can move it any more, save a signal that
 * ends it. On the watchdog's thread. */
bool tm_stands_for_good(void);
/* The hang has been told: SIGINT says no more. */
void tm_standing_told(void);
/* Says on SIGINT what the threads wait for, if the program stood still before. On the watchdog's
 * thread, while the interrupted thread is kept in the signal's handler. */
void tm_standing_show(tm_thread *interrupted);
#endif
