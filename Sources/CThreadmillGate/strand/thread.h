/* Threads: how a thread gets its state, and the list of all threads. */
#ifndef TM_THREAD_H
#define TM_THREAD_H
#include "ground/thread.h"

/* The list of all threads that were ever watched. A record is complete when it comes into the list,
 * and stays there: that of a thread that has ended is reused. */
extern tm_thread *_Atomic tm_threads;
TM_INLINE tm_thread *tm_thread_first(void) {
  return atomic_load_explicit(&tm_threads, memory_order_acquire);
}
TM_INLINE tm_thread *tm_thread_next(const tm_thread *t) {
  return atomic_load_explicit(&t->who.next, memory_order_relaxed); /* written before it came in */
}
/* Returns whether the thread has begun and not ended. Another thread may have the record a moment
 * later; whoever minds compares its number. */
TM_INLINE bool tm_is_live(const tm_thread *t) {
  return atomic_load_explicit(&t->who.live, memory_order_acquire);
}
/* Returns the object that the thread waits for; NULL: it does not wait. A hint as long as the look
 * at the thread is not known to be whole (hold.h). */
TM_INLINE const void *tm_waits_for(const tm_thread *t) {
  return atomic_load_explicit(&t->holds.wait.object, memory_order_relaxed);
}

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
