/* `Synchronization.Mutex`. */
#ifndef TM_CALLS_SWIFT_MUTEX_H
#define TM_CALLS_SWIFT_MUTEX_H

/* Makes every lock and unlock of the user's call the gate, if it can. Called before the program has
 * a second thread. */
void tm_mutexes_prepare(void);
#endif
