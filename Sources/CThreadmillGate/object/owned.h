/* Checks holds against the locks themselves. */
#ifndef TM_OWNED_H
#define TM_OWNED_H
#include "ground/thread.h"
#include "strand/part.h"

/* Returns whether the thread still owns the object of its hold. It has lost a mutex that another
 * thread unlocked. */
bool tm_still_owns(const tm_thread *, const tm_hold *);
#endif
