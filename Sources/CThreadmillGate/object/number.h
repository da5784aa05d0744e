/* Numbers of objects. */
#ifndef TM_NUMBER_H
#define TM_NUMBER_H
#include "ground/base.h"
#include "ground/thread.h"

/* Returns a number that no object had before. */
uint64_t tm_object_new_id(void);
/* Fills the thread's store of numbers, which is empty. */
void tm_object_take_ids(tm_thread *);
/* Returns a new number, as `tm_object_new_id` does, for a caller that knows its thread. A signal
 * handler that makes objects meanwhile passes through. */
TM_INLINE uint64_t tm_object_id_of(tm_thread *t) {
  t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  if (TM_UNLIKELY(t->objects.ids_left == 0)) tm_object_take_ids(t);
  t->objects.ids_left--;
  uint64_t id = t->objects.next_id++;
  atomic_signal_fence(memory_order_seq_cst);
  t->ground.inside--;
  return id;
}
#endif
