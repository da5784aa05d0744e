/* Stacks of the gate's own, for calls into Swift from threads that have little room: detectors and
 * reports need more than the 16 KiB that a program may give a thread. */
#ifndef TM_SPARE_STACK_H
#define TM_SPARE_STACK_H

/* Runs `work(context)`, on a spare stack if the calling thread's own has little room left. Without
 * memory for a spare stack the work is left out, and counted as refused memory. */
void tm_run_with_room(void (*work)(void *), void *context);
#endif
