/* Runs work items, and makes the wrapper inside them. */
#ifndef TM_RUN_ITEM_H
#define TM_RUN_ITEM_H
#include "ground/dispatch.h"
#include "ground/thread.h"
#include "object/item.h"

/* Returns a wrapper, not copied yet, that takes the fresh record over and keeps a copy of the
 * block. */
tm_wrapper tm_item_wrap(tm_item *, void *block);
/* Notes that Foundation made the item for an operation, which it adds to a queue, if so: the
 * operation comes after this moment, whichever strand hands it to libdispatch. */
void tm_item_made(tm_thread *, void *frame, tm_item *);
/* Returns a work item of the gate's own around a plain block, owned by the caller; NULL: out of
 * memory. */
dispatch_block_t tm_item_around(dispatch_block_t block);
/* Notes a submission by this thread, from the interposed function that has this frame. `queue` is
 * NULL if the item does not go to the end of a queue at once. */
bool tm_item_submit(tm_thread *, void *frame, const void *outer, const void *leaves,
                    const void *notifies, tm_item *after, const void *queue);
#endif
