/* Steering: leads the process into a known cycle of locks (see threadmill_steer.h). */
#ifndef TM_STEER_H
#define TM_STEER_H
#include "ground/thread.h"
#include "strand/operation.h"

/* Called before the thread publishes its wait for the operation's object. Returns when the thread
 * may go on: at once, if the call is no edge of the cycle. */
void tm_steer(tm_thread *, const tm_operation *);
#endif
