/* The notes of Thread Sanitizer about a thread's stack, where strands have fibres. */
#ifndef TM_STACK_NOTES_H
#define TM_STACK_NOTES_H
#include "ground/thread.h"

/* Called once, before anything is watched. */
void tm_stack_notes_prepare(void);
/* Returns whether the thread runs on its own stack; `top` is an address in the present frame. */
bool tm_is_on_own_stack(tm_thread *, uintptr_t top);
/* Forgets all accesses to the stack below `top`. `state`: the present one of TSan's. Has an effect
 * only once the thread was found on its own stack. */
void tm_stack_notes_forget(const tm_thread *, void *state, uintptr_t top);
/* Returns a mark of a state of TSan's that is the present one. */
uintptr_t tm_stack_mark(const void *state);
/* Returns whether TSan has surely noted nothing for the state since it had this mark. */
bool tm_stack_is_unnoted(const void *state, uintptr_t mark);
#endif
