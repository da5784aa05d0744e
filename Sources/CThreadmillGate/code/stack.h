/* Stacks: taken by frame pointers, completed by the unwinder where those end early, kept once each.
 */
#ifndef TM_STACK_H
#define TM_STACK_H
#include "ground/base.h"
#include "ground/thread.h"
#include "threadmill_views.h"

/* The next frame outwards, or 0 where the chain of frame pointers ends. Swift marks asynchronous
 * frames with bit 60. */
TM_INLINE uintptr_t tm_frame_above(const tm_thread *t, uintptr_t frame) {
  uintptr_t above = *(uintptr_t *)frame & ~((uintptr_t)1 << 60);
  return above > frame && above + 16 <= t->code.stack_top && !(above & 7) ? above : 0;
}

/* The innermost return addresses, as far as frame pointers lead. */
TM_INLINE void tm_site_take(const tm_thread *t, void *frame, uintptr_t site[TM_SITE]) {
  uintptr_t at = (uintptr_t)frame;
  for (int i = 0; i < TM_SITE; i++) {
    site[i] = at ? ((uintptr_t *)at)[1] : 0;
    if (at) at = tm_frame_above(t, at);
  }
}

/* The two innermost only, for the path of a lock; the rest is found in the stack when it matters.
 */
TM_INLINE void tm_site_take_near(const tm_thread *t, void *frame, uintptr_t site[TM_SITE]) {
  uintptr_t above = tm_frame_above(t, (uintptr_t)frame);
  site[0] = ((uintptr_t *)frame)[1];
  site[1] = above ? ((uintptr_t *)above)[1] : 0;
}

/* TM_SITE frames, by the unwinder where frame pointers do not lead. For paths that may cost it. */
void tm_site_take_whole(const tm_thread *, void *frame, uintptr_t site[TM_SITE]);

TM_INLINE void tm_site_copy(uintptr_t to[TM_SITE], const uintptr_t from[TM_SITE]) {
  for (int i = 0; i < TM_SITE; i++) to[i] = from[i];
}

/* Walks the chain of frame pointers from `frame` outwards. Returns how many were written, and
 * whether the chain broke off in code without frame pointers. */
uint32_t tm_stack_walk(const tm_thread *, void *frame, uintptr_t *addresses, uint32_t limit,
                       bool *broken);
/* The same, and asks the unwinder when the chain breaks off. */
uint32_t tm_stack_take(const tm_thread *, void *frame, uintptr_t *addresses, uint32_t limit);
/* The stack of another thread that is blocked in a watched wait, from that wait on; nobody is asked
 * or disturbed. The thread must not move meanwhile. */
uint32_t tm_stack_of_waiting(const tm_thread *, void *frame, uintptr_t *addresses, uint32_t limit);
/* The stack of another, blocked thread, written into its `taken_stack`; asks it by a signal, waits
 * a bounded time. */
void tm_stack_ask(tm_thread *other);

/* The stack that goes on at this context, a `ucontext_t`; 0: there is no unwinder. */
uint32_t tm_stack_of_context(void *context, uintptr_t *addresses, uint32_t limit);
/* The calling thread's own, in a signal handler, from where it was interrupted. */
void tm_stack_take_interrupted(tm_thread *, void *context);

/* Keeps a stack and returns its index; equal stacks share one. 0: none. */
uint32_t tm_stack_keep(const uintptr_t *addresses, uint32_t count);
const uintptr_t *tm_stack_kept(uint32_t index, uint32_t *count);

/* The same for a short text; a longer one is cut. */
uint32_t tm_text_keep(const char *text);
const char *tm_text_kept(uint32_t index);
#endif
