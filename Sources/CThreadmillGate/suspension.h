/* Queues and sources that are suspended, or not activated yet. */
#ifndef TM_SUSPENSION_H
#define TM_SUSPENSION_H
#include "state.h"

/* A new queue or source is known to the table: it may begin inactive. */
void tm_suspension_begins(const void *lane, tm_kind kind);
/* The last reference to a suspended object is about to go. */
void tm_suspended_ends(tm_thread *, void *frame, const void *lane);
#endif
