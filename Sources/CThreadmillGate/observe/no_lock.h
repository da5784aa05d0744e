/* Objects that turn out to be signals, not locks. */
#ifndef TM_NO_LOCK_H
#define TM_NO_LOCK_H
#include "ground/thread.h"

/* Notes that the object is used as a signal, not as a lock: no thread counts as its holder any
 * more. */
void tm_object_is_no_lock(tm_thread *, const void *address, tm_kind);
#endif
