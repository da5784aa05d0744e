/* Calls of the program's that would notice the gate's own threads: these leave before such a call,
 * and come back after it. */
#ifndef TM_OWN_THREADS_H
#define TM_OWN_THREADS_H
#include "ground/base.h"

/* Notes the process that the gate's threads are part of. */
void tm_own_threads_prepare(void);
/* Ends the gate's threads; waits for each at most a second. Returns whether the watchdog was there,
 * for `tm_own_threads_return`. errno stays as it is. */
bool tm_own_threads_leave(void);
/* Under TSan: ends the gate's threads if the program has one thread. At the end of a process with
 * several, TSan waits for a second; its own does not count. Where the program has several, the
 * watchdog stays and tells of a crash. */
void tm_own_threads_leave_at_end(void);
/* Makes the watchdog again if it was there; the other thread is made when a call needs it. */
void tm_own_threads_return(bool had_watchdog);
#endif
