/* Callers that the unwinder leaves out: the Swift compiler writes no unwind information for a few
 * functions of libswiftDispatch, and these functions keep no frame pointer either. */
#ifndef TM_LOST_CALLER_H
#define TM_LOST_CALLER_H
#include "ground/thread.h"

/* Returns the caller of the function that `stack[0]` returns to, if the stack, taken from the
 * interposed function with this frame, lacks that caller; else 0. */
uintptr_t tm_lost_caller(const tm_thread *, void *frame, const uintptr_t *stack, uint32_t count);
#endif
