/* Keeps facts that are worth telling only if another fact follows. */
#ifndef TM_POSTPONED_H
#define TM_POSTPONED_H
#include "ground/thread.h"
#include "threadmill_views.h"

/* The runtime takes a task's status lock where a continuation is resumed, inside all locks that the
 * resuming thread holds. Almost never is a lock taken inside the status lock: only a cancellation
 * handler can do that. So the orders into status locks are kept here until the first order out of a
 * status lock is seen. Most of them are never told: the task or the outer lock is gone before.
 *
 * Both are called between `tm_upcall_begin` and `tm_upcall_end`. */

/* Keeps a copy of the view, whose objects are not declared yet. Returns false if the view has to be
 * told now. */
bool tm_postpone(tm_thread *, const tm_thread_view *);
/* Tells the kept views whose locks still exist, and one of each code whose locks are gone. From
 * then on, no view is kept. */
void tm_postponed_tell(void);
#endif
