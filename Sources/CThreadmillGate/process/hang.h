/* Notices that no watched thread makes progress any more. */
#ifndef TM_HANG_H
#define TM_HANG_H
#include "ground/base.h"
#include "ground/thread.h"
#include "threadmill_events.h"

/* Begins to look, if the settings say so; once, at activation. */
void tm_hang_prepare(void);
/* Shows the picture of all threads that are not idle, whether they move or not. Called on the
 * watchdog's thread. */
void tm_hang_show(void);
/* Shows the picture of the threads in watched waits and of the thread that SIGINT interrupted,
 * whose stack has been taken. Asks no other thread: a signal would end some of its system calls.
 * Called on the watchdog's thread. */
void tm_hang_show_interrupted(tm_thread *interrupted);
/* Tells a hang, if no thread has moved since the last look; returns whether one was told. Called on
 * the watchdog's thread. */
bool tm_hang_report(tm_standstill_cause);
/* Shows the picture on SIGQUIT, unless the program handles that signal itself; once, at
 * activation. */
void tm_quit_prepare(void);
#endif
