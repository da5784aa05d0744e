/* Motion: whether any thread of the process still does something. For the watchdog. */
#ifndef TM_MOTION_H
#define TM_MOTION_H
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "threadmill_decisions.h"

/* Reads from the thread's state and from the kernel the signs that decide whether the thread may go
 * on. */
tm_thread_signs tm_thread_signs_of(tm_thread *, const tm_task *);

/* Notes how often each thread went to sleep so far. */
void tm_switches_note(uint64_t switches[TM_SLOTS]);
/* Returns whether, since `switches` were noted, a thread was woken, or may go on by itself, or a
 * timer is due. If not, the standstill lasts. */
bool tm_can_anything_move(const uint64_t switches[TM_SLOTS], uint64_t patience);
#endif
