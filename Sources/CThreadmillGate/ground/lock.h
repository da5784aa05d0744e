/* The gate's own lock. While a thread has one it counts as inside the gate: a signal handler that
 * posts a semaphore must not come back for the same lock. */
#ifndef TM_LOCK_H
#define TM_LOCK_H
#include "ground/base.h"
#include "ground/pool.h"
#include "ground/storage.h"
#include "ground/thread.h"

TM_INLINE void tm_spin_lock(tm_spin *lock) {
  tm_thread *t = tm_self;
  if (t) t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  if (TM_UNLIKELY(atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire)))
    tm_spin_wait(lock);
}
/* Returns false, and takes nothing, if another thread has it, or the code that a signal handler
 * interrupted. */
TM_INLINE bool tm_spin_try(tm_spin *lock) {
  tm_thread *t = tm_self;
  if (t) t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  if (!atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire)) return true;
  if (t) t->ground.inside--;
  return false;
}
TM_INLINE void tm_spin_unlock(tm_spin *lock) {
  atomic_store_explicit(&lock->taken, 0, memory_order_release);
  atomic_signal_fence(memory_order_seq_cst);
  tm_thread *t = tm_self;
  if (t) t->ground.inside--;
}
#endif
