/* Queues and sources that are suspended, or not activated yet. */
#ifndef TM_SUSPENSION_H
#define TM_SUSPENSION_H
#include "ground/thread.h"
#include "threadmill_decisions.h"
#include "threadmill_views.h"

/* Notes whether a new queue or source, which is in the table, begins inactive. */
void tm_suspension_begins(const void *lane, tm_kind kind);
/* Notes a call of the user's; `stack` is the kept stack of a suspension. */
void tm_suspension_note(const tm_thread *, const void *lane, tm_suspension_change, uint32_t stack);
#endif
