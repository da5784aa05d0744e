/* Continuations that were made and not resumed. */
#ifndef TM_CONTINUATION_H
#define TM_CONTINUATION_H
#include "ground/limits.h"

typedef struct tm_unresumed {
  const void *task;          /* the task that waits for the continuation */
  uint32_t scope;            /* the test that the task works for; 0: unknown */
  uintptr_t stack[TM_STACK]; /* where the task goes on, innermost first */
  uint32_t count;
} tm_unresumed;

/* Visits continuations that the user's code has made, outside of explorations, and that a task
 * certainly waits for now. Some may be missing. For the watchdog. */
void tm_continuations_each(void (*visit)(const tm_unresumed *, void *context), void *context);
#endif
