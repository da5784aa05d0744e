/* Whether a hold is still true. */
#ifndef TM_OWNED_H
#define TM_OWNED_H
#include "ground/thread.h"
#include "strand/part.h"

/* Returns whether the thread really owns what its hold says: a mutex that another thread unlocked
 * is not its own any more. */
bool tm_still_owns(const tm_thread *, const tm_hold *);
#endif
