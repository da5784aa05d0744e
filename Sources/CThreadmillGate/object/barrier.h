/* Work items with the barrier flag, under Thread Sanitizer. */
#ifndef TM_BARRIER_H
#define TM_BARRIER_H
#include "ground/base.h"
#include "ground/dispatch.h"
#include "ground/tsan.h"
#include "object/item.h"

/* TSan's interceptors give libdispatch a function of their own instead of the block, so libdispatch
 * does not see the barrier flag of a work item, and makes no barrier. The gate submits the item by
 * a call that is a barrier itself; the block, which still runs, keeps the item's other
 * properties. */
bool tm_barrier_flag_of(const void *item);
TM_INLINE bool tm_barrier_is_lost(const void *block) {
  return tm_is_tsan() && tm_block_is_item(block) && tm_barrier_flag_of(block);
}

void tm_barrier_async(dispatch_queue_t, dispatch_block_t item);
void tm_barrier_group_async(dispatch_group_t, dispatch_queue_t, dispatch_block_t item);
void tm_barrier_group_notify(dispatch_group_t, dispatch_queue_t, dispatch_block_t item);
#endif
