/* Motion: whether any thread of the process still does something. For the watchdog. */
#ifndef TM_MOTION_H
#define TM_MOTION_H
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/thread.h"

typedef enum tm_motion {
  TM_IDLE,   /* a library's own thread that waits for work */
  TM_STUCK,  /* it waits for another thread, without a time limit */
  TM_MOVING, /* it runs, or may go on by itself */
} tm_motion;
tm_motion tm_motion_of(tm_thread *, const tm_task *);

/* Notes how often each thread went to sleep so far. */
void tm_switches_note(uint64_t switches[TM_SLOTS]);
/* Returns whether, since `switches` were noted, a thread was woken, or may go on by itself, or a
 * timer is due. If not, what stands still goes on standing still. */
bool tm_can_anything_move(const uint64_t switches[TM_SLOTS], uint64_t patience);
#endif
