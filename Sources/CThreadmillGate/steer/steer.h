/* Steering: a process that is to run into a known cycle of locks (see threadmill_steer.h). */
#ifndef TM_STEER_H
#define TM_STEER_H
#include "ground/thread.h"
#include "strand/operation.h"

/* Before the thread says that it waits for the operation's object. Returns when it may go on: at
 * once, if this is no edge of the cycle. */
void tm_steer(tm_thread *, const tm_operation *);
#endif
