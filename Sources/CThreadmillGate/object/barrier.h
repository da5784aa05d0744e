/* Work items with the barrier flag, under Thread Sanitizer. */
#ifndef TM_BARRIER_H
#define TM_BARRIER_H
#include "ground/base.h"
#include "ground/dispatch.h"
#include "ground/tsan.h"
#include "object/item.h"

/* TSan's interceptors give libdispatch a function of their own instead of the block, so that a work
 * item's barrier flag is not seen any more and the barrier is gone. Such an item has to go through
 * a call that is a barrier itself; its other qualities are kept by the block, which still runs. */
bool tm_barrier_flag_of(const void *item);
TM_INLINE bool tm_barrier_is_lost(const void *block) {
  return tm_is_tsan() && tm_block_is_item(block) && tm_barrier_flag_of(block);
}

void tm_barrier_async(dispatch_queue_t, dispatch_block_t item);
void tm_barrier_group_async(dispatch_group_t, dispatch_queue_t, dispatch_block_t item);
void tm_barrier_group_notify(dispatch_group_t, dispatch_queue_t, dispatch_block_t item);
#endif
