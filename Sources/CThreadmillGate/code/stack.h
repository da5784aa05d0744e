/* Stacks: taken by frame pointers, completed by the unwinder if those end early, kept once each. */
#ifndef TM_STACK_H
#define TM_STACK_H
#include "ground/base.h"
#include "ground/thread.h"
#include "threadmill_views.h"

/* Returns the next frame outwards, or 0 if the chain of frame pointers ends. Swift marks
 * asynchronous frames with bit 60. */
TM_INLINE uintptr_t tm_frame_above(const tm_thread *t, uintptr_t frame) {
  uintptr_t above = *(uintptr_t *)frame & ~((uintptr_t)1 << 60);
  return above > frame && above + 16 <= t->code.stack_top && !(above & 7) ? above : 0;
}

/* Takes the innermost return addresses, as far as frame pointers lead. */
TM_INLINE void tm_site_take(const tm_thread *t, void *frame, uintptr_t site[TM_SITE]) {
  uintptr_t at = (uintptr_t)frame;
  for (int i = 0; i < TM_SITE; i++) {
    site[i] = at ? ((uintptr_t *)at)[1] : 0;
    if (at) at = tm_frame_above(t, at);
  }
}

/* Takes only the two innermost, for the path of a lock; a report takes the rest from the stack. */
TM_INLINE void tm_site_take_near(const tm_thread *t, void *frame, uintptr_t site[TM_SITE]) {
  uintptr_t above = tm_frame_above(t, (uintptr_t)frame);
  site[0] = ((uintptr_t *)frame)[1];
  site[1] = above ? ((uintptr_t *)above)[1] : 0;
}

/* Takes TM_SITE frames, by the unwinder if frame pointers do not lead on. For paths that may cost
 * as much. */
void tm_site_take_whole(const tm_thread *, void *frame, uintptr_t site[TM_SITE]);

TM_INLINE void tm_site_copy(uintptr_t to[TM_SITE], const uintptr_t from[TM_SITE]) {
  for (int i = 0; i < TM_SITE; i++) to[i] = from[i];
}

/* Walks the chain of frame pointers from `frame` outwards. Returns how many addresses were written;
 * `broken` gets whether the chain broke off in code without frame pointers. */
uint32_t tm_stack_walk(const tm_thread *, void *frame, uintptr_t *addresses, uint32_t limit,
                       bool *broken);
/* Walks the chain, and asks the unwinder if the chain breaks off. */
uint32_t tm_stack_take(const tm_thread *, void *frame, uintptr_t *addresses, uint32_t limit);
/* Takes the stack of another thread that is blocked in a watched wait, from that wait on, without a
 * signal to the thread. The thread must not move meanwhile. */
uint32_t tm_stack_of_waiting(const tm_thread *, void *frame, uintptr_t *addresses, uint32_t limit);
/* Makes another, blocked thread write its stack into its `taken_stack`: sends it a signal, and
 * waits a bounded time. */
void tm_stack_ask(tm_thread *other);
/* Unblocks that signal in the calling thread, one of the gate's. Such a thread inherits its mask
 * from its creator, and a worker of libdispatch blocks nearly all signals. */
void tm_stack_unblock(void);

/* Takes the stack of this context, a `ucontext_t`. Returns 0 if there is no unwinder. */
uint32_t tm_stack_of_context(void *context, uintptr_t *addresses, uint32_t limit);
/* Takes the calling thread's own stack, in a signal handler, from the place of the interruption. */
void tm_stack_take_interrupted(tm_thread *, void *context);

/* Keeps a stack and returns its index; equal stacks share one. 0: none. */
uint32_t tm_stack_keep(const uintptr_t *addresses, uint32_t count);
const uintptr_t *tm_stack_kept(uint32_t index, uint32_t *count);

/* Keeps a short text; a longer one is cut. */
uint32_t tm_text_keep(const char *text);
const char *tm_text_kept(uint32_t index);
#endif
