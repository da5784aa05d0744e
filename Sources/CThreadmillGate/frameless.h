/* The stack of a call that comes through one function of a library that uses the frame pointer for
 * something else: what the unwinder found out for a place of call is used again there. */
#ifndef TM_FRAMELESS_H
#define TM_FRAMELESS_H
#include "stack.h"

/* Whether the address lies in code of a library, the gate or libswiftDispatch. */
bool tm_is_library(uintptr_t address);

/* How much of a stack is told as a site: what lies beyond a task's own functions is what runs every
 * task, and no way that led here. */
uint32_t tm_site_end(const uintptr_t *addresses, uint32_t count);

/* TM_SITE frames from the interposed function that has this frame, without the unwinder; false if
 * it is not known well enough where they lie. */
bool tm_frameless_take(const tm_thread *, void *frame, uintptr_t site[TM_SITE]);
/* These are what the unwinder found for it. */
void tm_frameless_learn(const tm_thread *, void *frame, const uintptr_t *addresses, uint32_t count);
#endif
