/* Up-calls under Thread Sanitizer are made by a thread of the gate's own.
 *
 * TSan keeps a short history of each thread, and Swift code that it instruments uses it up: a race
 * whose first access has dropped out of the history is not reported any more. So the user's thread
 * waits, by a raw futex that TSan does not see, until the service thread has made the call for it.
 */
#ifndef TM_SERVICE_H
#define TM_SERVICE_H

/* Runs `work(context)` and returns when it is done. Called with the runtime's lock held, so there
 * is one call at a time; `work` must not take that lock. */
void tm_call_up(void (*work)(void *), void *context);
/* Ends the thread of the gate's own before a fork; the next call makes it again. */
void tm_delivery_leave(void);
#endif
