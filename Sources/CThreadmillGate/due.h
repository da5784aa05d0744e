/* What libdispatch was asked to do later. Its timers share one file with a timer of its own that
 * never rests, so the kernel cannot tell. */
#ifndef TM_DUE_H
#define TM_DUE_H
#include "dispatch.h"
#include <stdbool.h>

/* Something is to happen at this time and, unless `interval` is 0, again and again. */
void tm_due_note(dispatch_time_t when, uint64_t interval);
/* The time, or a later one if jitter makes the user's timers late; never an earlier one. */
dispatch_time_t tm_due_later(dispatch_time_t when, void *return_address);
/* Whether one of these is still to come. One that repeats faster than `patience` nanoseconds is
 * not counted: if it still did, it would have been seen. */
bool tm_is_something_due(uint64_t patience);

/* Nanoseconds on a clock that stands still while the machine sleeps. */
uint64_t tm_now(void);
/* The same to within some milliseconds, at a fraction of the cost. Not to be mixed with it. */
uint64_t tm_now_roughly(void);
#endif
