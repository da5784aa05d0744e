/* Turns reports of Thread Sanitizer into findings.
 *
 * TSan calls with its own locks held, on a thread that may be anywhere: the callback only copies
 * plain data into a queue of fixed size. The finding is told later by another thread: the gate's
 * own, the end of a test, or the end of the process. A report that cannot be taken in (the queue is
 * full, the process is a fork, the gate sleeps) is left to TSan, which prints it and ends the
 * process in its own way. */
#ifndef TM_RACE_H
#define TM_RACE_H
#include "ground/thread.h"

/* Called once, when the gate begins to watch. */
void tm_races_prepare(void);
/* Remembers the thread's number under its number in the system, for reports that come later. */
void tm_race_thread_began(const tm_thread *);
/* Keeps the places that TSan's stacks lack, which are the user frames that called the gate: where a
 * thread is created (as a kept stack, 0 if no report can use it) and by which thread, and where the
 * calling thread sleeps. */
uint32_t tm_race_place(const tm_thread *, void *frame);
void tm_race_thread_created(const tm_thread *, uint32_t creator, uint32_t place);
void tm_race_sleeps(void *frame);
/* Lets the gate's own thread tell the races that wait, for no longer than a second: the caller may
 * be in a signal handler, with any lock held. Returns whether a race has accused the program. */
bool tm_races_come_out(void);
#endif
