/* Stacks that were kept a moment ago. Code that makes many objects makes them from one place in a
 * loop: its stack is compared with the last one from there, and need not be walked. */
#ifndef TM_RECENT_H
#define TM_RECENT_H
#include "ground/thread.h"

/* Takes the calling thread's stack from `frame` on, up to half of TM_STACK, and keeps it. Returns
 * its index; see `tm_stack_keep`. */
uint32_t tm_stack_keep_here(tm_thread *, void *frame);
/* `tm_site_take_whole` (stack.h) for code that is called again and again. */
void tm_site_take_here(tm_thread *, void *frame, uintptr_t site[TM_SITE]);
#endif
