/* Threads: how a thread gets its state, and the list of all threads. */
#ifndef TM_THREAD_H
#define TM_THREAD_H
#include "ground/thread.h"

extern tm_thread *_Atomic tm_threads;
extern atomic_uint tm_joiners; /* threads that wait in a join */
extern const void *tm_main_queue;
extern bool tm_main_queue_is_free; /* `dispatch_main` was called: workers drain the main queue */

/* Makes this thread's state on first use; NULL if the thread must not be watched (too early, too
 * late, out of memory). */
tm_thread *tm_thread_attach(void);
/* Makes the state of a thread whose frames of interest all lie below this address. */
tm_thread *tm_thread_attach_below(uintptr_t top);
/* Clears the state of a thread that ends, and gives it back for reuse. */
void tm_thread_detach(tm_thread *);
tm_thread *tm_thread_by_handle(pthread_t);
/* Returns how many threads this process has had so far. */
uint32_t tm_threads_seen(void);
/* Makes the checks for which `special` is set; returns NULL if the call must pass through. */
tm_thread *tm_thread_attend(tm_thread *);
#endif
