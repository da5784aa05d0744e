/* Notices that nothing under observation makes progress any more. */
#ifndef TM_HANG_H
#define TM_HANG_H
#include "state.h"

/* Begins to look, if the settings say so; once, at activation. */
void tm_hang_prepare(void);
bool tm_is_test_running(void);
/* How often each thread went to sleep so far, and whether, since then, one of them was woken or
 * may go on by itself: if not, what stands still goes on doing so. For the watchdog. */
void tm_switches_note(uint64_t switches[TM_SLOTS]);
bool tm_can_anything_move(const uint64_t switches[TM_SLOTS], uint64_t patience);
/* The picture of all threads that are not idle, whether something moves or not; on the watchdog's
 * thread. */
void tm_hang_show(void);
/* Shows the picture on SIGQUIT, unless the program deals with that itself; once, at activation. */
void tm_quit_prepare(void);
#endif
