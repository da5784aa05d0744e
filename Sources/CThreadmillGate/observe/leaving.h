/* What orders the operations of a queue where strands are compared. Foundation promises that an
 * operation comes after the call that added it, after its dependencies, after the one before it if
 * the queue runs one at a time, and after the call that lets a suspended queue go on; and that
 * whoever sees that all operations are finished comes after them.
 *
 * The lock of the queue orders more. An operation that has finished takes itself out of its queue
 * and starts others, all under that lock: it would come before the operations that it starts, and
 * before whatever takes the lock next. So what a finished operation does under the lock counts as
 * the queue's doing, which passes no knowledge on. What is promised is passed on in three other
 * ways. An operation counts as submitted when it is added. Two moments of the queue take the
 * knowledge of its operations' ends to those who ask for it, and to operations that begin. The
 * locks of each operation carry the rest.
 *
 * Where threads are compared, all of this is off, and the locks order as they do: an order that is
 * missing accuses a correct program, one too many only hides a wrong one. */
#ifndef TM_LEAVING_H
#define TM_LEAVING_H
#include "ground/thread.h"
#include "strand/operation.h"

/* An operation that may finish on this thread: it runs here, or somebody says that it is over. */
typedef struct tm_leaving {
  const void *operation;
  const void *queue, *mutex; /* the operation's queue, and the mutex that guards it; or NULL */
  bool apart;                /* what the thread does now is the queue's doing */
  struct tm_leaving *outer;
} tm_leaving;
void tm_leaving_begin(tm_thread *, const void *operation, tm_leaving *);
void tm_leaving_end(tm_thread *, const tm_leaving *);
/* Before and after a call of Foundation's to a lock of its own. */
void tm_leaving_before(tm_thread *, tm_operation *);
void tm_leaving_after(tm_thread *, const tm_operation *);

/* Until `tm_adding_end` Foundation makes work items for operations of this queue. Returns what the
 * end has to be given. */
const void *tm_adding_begin(tm_thread *, const void *queue);
void tm_adding_end(tm_thread *, const void *before);

/* The operations that begin from now on come after this moment. */
void tm_operations_may_begin(tm_thread *, const void *queue);
/* An operation begins: the queue may be gone. */
void tm_operations_begin(tm_thread *, const void *queue);
/* The calling thread sees which operations are left in the queue. */
void tm_operations_are_seen(tm_thread *, const void *queue);
/* The queue ends. */
void tm_operations_forget(const void *queue);
#endif
