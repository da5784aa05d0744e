/* Stacks: taken by frame pointers, completed by the unwinder where those end early, kept once each. */
#ifndef TM_STACK_H
#define TM_STACK_H
#include "base.h"
#include "state.h"

/* The return address of the frame and, if the chain allows, of its caller. */
TM_INLINE void tm_site_take(const tm_thread *t, void *frame, uintptr_t site[2]) {
  uintptr_t *here = frame;
  uintptr_t above = here[0] & ~((uintptr_t)1 << 60);     /* Swift marks asynchronous frames with bit 60 */
  site[0] = here[1];
  site[1] = above > (uintptr_t)here && above + 16 <= t->stack_top && !(above & 7) ? ((uintptr_t *)above)[1] : 0;
}

/* Walks the chain of frame pointers from `frame` outwards. Returns how many were written. */
uint32_t tm_stack_walk(const tm_thread *, void *frame, uintptr_t *addresses, uint32_t limit);
/* The same, and falls back on the unwinder when the chain breaks off early. */
uint32_t tm_stack_take(const tm_thread *, void *frame, uintptr_t *addresses, uint32_t limit);
/* The stack of another, blocked thread, written into its `taken_stack`; asks it by a signal, waits a bounded time. */
void tm_stack_ask(tm_thread *other);

/* Keeps a stack and returns its index; equal stacks share one. 0: none. */
uint32_t tm_stack_keep(const uintptr_t *addresses, uint32_t count);
const uintptr_t *tm_stack_kept(uint32_t index, uint32_t *count);
#endif
