/* Suspended queues and sources whose last reference goes. */
#ifndef TM_SUSPENDED_END_H
#define TM_SUSPENDED_END_H
#include "ground/thread.h"

/* The last reference to an object is about to go. Tells if the object is suspended. */
void tm_suspended_ends(tm_thread *, void *frame, const void *lane);
#endif
