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

/* Around each block that runs on the main queue; `since` is what the begin returned, and `function`
 * was asked for before the block ran: its end may free it. */
uint64_t tm_main_block_begin(void);
void tm_main_block_over(tm_thread *, const tm_hop *, uintptr_t function, uint64_t since);
/* Returns an address inside the function that the hop runs, one past its first byte, like a return
 * address; 0 for a job, of which only the task is known, not its code. */
uintptr_t tm_main_block_function(const tm_hop *);
/* Around a wait of the main thread; `op->since` is what the begin returned. */
uint64_t tm_main_wait_begin(void);
void tm_main_wait_over(tm_thread *, const tm_operation *);
#endif
