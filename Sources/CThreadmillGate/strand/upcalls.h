/* The functions of higher floors that the strand floor calls. */
#ifndef TM_STRAND_UPCALLS_H
#define TM_STRAND_UPCALLS_H
#include "ground/thread.h"

/* A thread has its state, and is about to be watched. */
void tm_thread_begins(tm_thread *);
/* A thread's destructors have run, except those of the last rounds. */
void tm_thread_leaves(tm_thread *);
/* A thread ends: its state is about to be cleared. */
void tm_thread_ends(tm_thread *);
/* A race was reported on this thread: the watchdog is to tell it. */
void tm_races_attend(void);
/* Returns whether a thread with this body is one that the user's code creates. */
bool tm_is_users_start(void *(*body)(void *), const void *argument);
#endif
