/* Reads what a suspended Swift task waits for, as the runtime notes it for itself. */
#ifndef TM_SUSPENDED_H
#define TM_SUSPENDED_H
#include "threadmill_views.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct tm_task_wait {
  tm_awaited awaited;
  const void *on;  /* the awaited task, continuation, group or actor */
  uint32_t number; /* the awaited task's; 0: unknown, or the task awaits no task */
  uint32_t parent; /* the task in whose group it is; 0: none */
} tm_task_wait;

/* Returns the number of the task in this process; 0 if there is no task at this address. */
uint32_t tm_task_number(const void *task);
/* Returns whether the task with this number is still at this address, and is suspended. Nothing of
 * the task may move meanwhile; the memory may be gone. */
bool tm_task_is_suspended(const void *task, uint32_t number, tm_task_wait *);
/* Both are for a task that certainly exists, because its job begins or runs. The second returns
 * whether the task has not run before. */
uint32_t tm_task_number_here(const void *task);
bool tm_task_is_new(const void *task);
#endif
