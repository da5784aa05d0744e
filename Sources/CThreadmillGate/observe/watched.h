/* Which calls of Foundation and of the Swift runtime are watched. */
#ifndef TM_WATCHED_H
#define TM_WATCHED_H
#include "code/caller.h"
#include "ground/thread.h"
#include "strand/operation.h"

/* Returns whether a call by Foundation or by the Swift concurrency runtime is to be watched: of
 * Foundation's calls, those of NSLock and the other lock classes; of the runtime's calls, those
 * that take the task status lock, which becomes the operation's kind here. */
bool tm_is_watched(tm_thread *, tm_operation *, tm_caller);
/* Around a call that is not watched. The runtime's other locks, and those of operations, guard the
 * hand-over of values and states: everything before one section happens before everything after the
 * next section. Whoever asks an operation for its state learns what came before, and passes nothing
 * on: the operation may begin later, and comes after no question. Foundation's other locks order
 * nothing. */
void tm_runtime_releases(tm_thread *, tm_operation *);
void tm_runtime_acquired(tm_thread *, const tm_operation *);
#endif
