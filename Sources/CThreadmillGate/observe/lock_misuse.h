/* Locks that are used against their rules. The system tolerates it, or hands out an error that many
 * programs do not look at. Each function is called where a call has turned out unusual; the lock's
 * own words, in the layout that glibc's headers publish, decide. */
#ifndef TM_LOCK_MISUSE_H
#define TM_LOCK_MISUSE_H
#include "code/caller.h"
#include "ground/thread.h"
#include "strand/operation.h"
#include "strand/part.h"
#include <pthread.h>

/* The thread is about to unlock a lock of which it has no hold. */
void tm_unlocks_unheld(tm_thread *, const tm_operation *);
/* The thread is about to destroy a lock or semaphore. */
void tm_destroys(tm_thread *, const tm_operation *);
/* The user destroys a mutex here. `tm_destroys` does this too. */
void tm_note_destroyed(const tm_thread *, const void *mutex, void *frame);
/* A call failed with EINVAL: the lock may be one that was destroyed. */
void tm_is_invalid(tm_thread *, const tm_operation *);
/* The thread is about to wait for a condition with a mutex of which it has no hold. */
void tm_waits_without_mutex(tm_thread *, const tm_operation *mutex, const void *condition,
                            bool foundations);
/* The thread is about to wait for a condition with this mutex. */
void tm_waits_with(tm_thread *, const tm_operation *mutex, const pthread_cond_t *);
/* A thread is about to signal the condition. */
void tm_signals(const pthread_cond_t *);
/* The thread ends with this hold. */
void tm_ends_with(tm_thread *, const tm_hold *);
#endif
