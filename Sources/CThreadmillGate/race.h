/* What Thread Sanitizer reports becomes ours.
 *
 * TSan calls while it holds its own locks, on a thread that may be anywhere: only plain copies are
 * made there, into a queue of fixed size. Somebody else tells them: a thread of the gate's own, the
 * end of a test, the end of the process. What cannot be taken in (the queue is full, the process is
 * a fork, the gate sleeps) is left to TSan, which then prints it and ends the process its way. */
#ifndef TM_RACE_H
#define TM_RACE_H
#include "state.h"
#include "threadmill_race.h"

/* Once, when the gate begins to watch; the first calls the second. */
void tm_races_prepare(void);
void tm_race_marks_prepare(void);
/* Remembers the thread's number under its number in the system, for reports that come later. */
void tm_race_thread_began(const tm_thread *);
/* What TSan's stacks lack: the frames of the user's that called the gate. Where a thread is
 * created, as a kept stack (0 where nobody wants it), who and where that was, and where the calling
 * thread sleeps. */
uint32_t tm_race_place(const tm_thread *, void *frame);
void tm_race_thread_created(const tm_thread *, uint32_t creator, uint32_t place);
void tm_race_sleeps(void *frame);
/* At a call of the user's, after a report on this thread: has those that wait told. */
void tm_races_attend(void);

/* Tells TSan that what the thread does from here on, up to the matching `tm_race_unmark`, is for
 * this test. TSan reports a race once for each pair of stacks; by the mark the stacks of one test
 * differ from those of another, and name it. Returns whether there is something to unmark. */
bool tm_race_mark(uint32_t scope);
void tm_race_unmark(void);
/* The same for a schedule of an exploration,: what races in one schedule is reported
 * again in another. */
void tm_race_mark_schedule(uint32_t number);
void tm_race_unmark_schedule(void);
bool tm_race_is_schedule(uintptr_t place);
/* The test whose mark the place is, or 0. */
uint32_t tm_race_scope_of(uintptr_t place);
#endif
