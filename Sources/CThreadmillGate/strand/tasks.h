/* The Swift tasks that have run, so that those which are suspended can be found. */
#ifndef TM_TASKS_H
#define TM_TASKS_H
#include "ground/thread.h"
#include "threadmill_views.h"

typedef struct tm_known_task {
  const void *task;
  uint32_t number;            /* in this process */
  uint32_t scope;             /* the test that it works for; 0: unknown */
  uint32_t run;               /* the schedule of an exploration that it belongs to; 0: none */
  bool root;                  /* a test, or the body of an exploration, is this task */
  uintptr_t created[TM_SITE]; /* where it was started; 0 if unknown */
} tm_known_task;

/* Notes a task whose job is submitted by the call with this frame, if that is its first job. */
void tm_task_starts(tm_thread *, void *frame, const void *task, uint32_t scope);
/* Notes a task whose job begins to run on this thread, if it is not known yet. `scope` is that of
 * the job's submission. */
void tm_task_begins(tm_thread *, const void *task, uint32_t scope);
/* Fills in where the task was started, if that is known. */
void tm_task_created(const void *task, uint32_t number, uintptr_t site[TM_SITE]);
/* Notes that the task that runs on this thread is a test of this scope, or is a test no more
 * (0). */
void tm_task_is_test(tm_thread *, uint32_t scope);
/* Notes that the task that runs on this thread is the body of the exploration. */
void tm_task_is_body(tm_thread *);
/* A schedule of an exploration begins: the tasks that its threads note from now on belong to it. */
void tm_tasks_begin_run(void);
/* Returns the number of the schedule, counted over the whole process. */
uint32_t tm_tasks_run(void);

/* Visits the tasks that were noted, whether they are still there or not. Some may be missing. */
void tm_tasks_each(void (*visit)(const tm_known_task *, void *context), void *context);
#endif
