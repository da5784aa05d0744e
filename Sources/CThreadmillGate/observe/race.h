/* What Thread Sanitizer reports becomes ours.
 *
 * TSan calls while it holds its own locks, on a thread that may be anywhere: only plain copies are
 * made there, into a queue of fixed size. Somebody else tells them: a thread of the gate's own, the
 * end of a test, the end of the process. What cannot be taken in (the queue is full, the process is
 * a fork, the gate sleeps) is left to TSan, which then prints it and ends the process its way. */
#ifndef TM_RACE_H
#define TM_RACE_H
#include "ground/thread.h"

/* Once, when the gate begins to watch. */
void tm_races_prepare(void);
/* Remembers the thread's number under its number in the system, for reports that come later. */
void tm_race_thread_began(const tm_thread *);
/* What TSan's stacks lack: the frames of the user's that called the gate. Where a thread is
 * created, as a kept stack (0 where nobody wants it), who and where that was, and where the calling
 * thread sleeps. */
uint32_t tm_race_place(const tm_thread *, void *frame);
void tm_race_thread_created(const tm_thread *, uint32_t creator, uint32_t place);
void tm_race_sleeps(void *frame);
#endif
