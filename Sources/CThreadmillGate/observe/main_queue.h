/* Detects a blocked main queue: one block, or one wait of the main thread, kept other blocks queued
 * for longer than the limit. The verdict comes when that block or wait is over. */
#ifndef TM_MAIN_QUEUE_H
#define TM_MAIN_QUEUE_H
#include "ground/thread.h"
#include "object/hop.h"
#include "strand/operation.h"

/* Called when a block is submitted to the main queue, and when it begins there. */
void tm_main_block_queued(void);
void tm_main_block_begun(void);

/* Around each block that runs on the main queue; `since` is what the begin returned. */
uint64_t tm_main_block_begin(void);
void tm_main_block_over(tm_thread *, const tm_hop *, uint64_t since);
/* Around a wait of the main thread; `op->since` is what the begin returned. */
uint64_t tm_main_wait_begin(void);
void tm_main_wait_over(tm_thread *, const tm_operation *);
#endif
