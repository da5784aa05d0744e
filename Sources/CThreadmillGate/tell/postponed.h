/* Keeps facts that are worth telling only if another fact follows. */
#ifndef TM_POSTPONED_H
#define TM_POSTPONED_H
#include "ground/thread.h"
#include "threadmill_views.h"

/* A task's status lock is taken with whatever is held where a continuation is resumed, and almost
 * never has anything inside: there has to be a cancellation handler that takes a lock. So what
 * leads into such locks is kept here until the first of them has something inside, and is told from
 * then on. Mostly it never is: the task or the lock around is gone before.
 *
 * Both are called between `tm_upcall_begin` and `tm_upcall_end`. */

/* Keeps the view, of which nothing is declared yet, and what it points to; false: it is to be told
 * now. */
bool tm_postpone(tm_thread *, const tm_thread_view *);
/* Tells what was kept, as far as its locks are still there, and keeps nothing any more. */
void tm_postponed_tell(void);
#endif
