/* The lock for work that takes its time, such as a call into Swift: a futex with priority
 * inheritance, so that the holder runs as urgently as the most urgent thread that waits. While a
 * thread has one it counts as inside the gate. The short lock is in lock.h. */
#ifndef TM_LONG_LOCK_H
#define TM_LONG_LOCK_H

typedef struct tm_long_lock {
  atomic_uint owner; /* the holder's thread number in the kernel, which adds flags; 0: free */
} tm_long_lock;

void tm_long_lock_take(tm_long_lock *);
/* Returns false if the lock could not be had in time. */
bool tm_long_lock_take_within(tm_long_lock *, unsigned milliseconds);
void tm_long_lock_give(tm_long_lock *);
/* In a forked child: frees a lock that a thread of the parent has. */
void tm_long_lock_forget(tm_long_lock *);
#endif
