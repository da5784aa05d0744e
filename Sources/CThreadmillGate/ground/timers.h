/* The timers that libdispatch was asked for. Its timers share one file with a timer of its own that
 * never rests, so the kernel cannot tell whether one is set. */
#ifndef TM_TIMERS_H
#define TM_TIMERS_H
#include "ground/base.h"
#include "ground/dispatch.h"
#include <stdbool.h>

/* libdispatch's clocks, by the two highest bits of a time; wall time is negated. */
TM_INLINE bool tm_is_wall_time(dispatch_time_t when) { return when >> 62 == 3; }

/* Notes a timer that is set to this time and, unless `interval` is 0, repeats. */
void tm_timer_note(dispatch_time_t when, uint64_t interval);
/* Returns whether a noted time is still to come. An interval shorter than `patience` nanoseconds is
 * not counted: if that timer still fired, it would have been seen. */
bool tm_is_timer_due(uint64_t patience);
#endif
