/* Nestings: a lock that is taken while others are held, in an order that was not seen before. */
#ifndef TM_NESTED_H
#define TM_NESTED_H
#include "ground/thread.h"
#include "strand/operation.h"
#include "threadmill_views.h"

/* Handles a context that was not seen before. Returns false if the real function must not be
 * called. */
bool tm_nested(tm_thread *, tm_operation *);
/* Called when a lock is taken that may have a stamp of another thread: a mutex that is used with a
 * condition passes it on. */
void tm_ordered_section_begins(tm_thread *, const tm_operation *);
/* The thread releases an object that it does not hold. */
void tm_released_elsewhere(tm_thread *, tm_operation *);
/* The real release failed: the object is held as before. */
void tm_release_failed(tm_thread *, const void *object, tm_kind, void *frame);
#endif
