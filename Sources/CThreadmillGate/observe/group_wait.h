/* Waits for a group that cannot end, because its blocks need the waiting thread. */
#ifndef TM_GROUP_WAIT_H
#define TM_GROUP_WAIT_H
#include "ground/thread.h"
#include "object/group.h"

/* The thread is about to wait for the group without a limit. Reports the wait if a block of the
 * group can begin only on this very thread. */
void tm_group_awaits(tm_thread *, tm_group *, const void *group, void *frame);
#endif
