/* Reads Swift tasks: the task that another task may have awaited without suspending, and the test
 * that a task works for. */
#ifndef TM_SWIFT_TASK_H
#define TM_SWIFT_TASK_H
#include "ground/base.h"
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/hold.h"

/* The task that runs on this thread, or NULL. */
void *tm_swift_task(void);
/* Notes, when this thread's wait has begun, the task of the job that runs here, so that other
 * threads can read it. */
TM_INLINE void tm_swift_task_waits(tm_thread *t) {
  if (!t->strand.origin.runs.job) return;
  t->strand.waiting_task = tm_swift_task();
  t->strand.task_since = tm_look(t);
}
/* The serial executor of the code that runs on this thread, inside a task or (a deinit) outside;
 * NULL if there is none. */
const void *tm_swift_executor(void);
/* Compares the task and the actor whose code runs here, as far as there are any, with what is known
 * of them. */
void tm_swift_compare_here(const tm_thread *);
/* The consequence of suspending the current task on its way to this actor. */
typedef enum tm_departure {
  TM_STAYS,           /* the task cannot be suspended, or is on this actor already, or its actor
                         cannot be read */
  TM_LEAVES_NOBODY,   /* the task is on no actor, or no other task waits for its actor */
  TM_LEAVES_SOMEBODY, /* another task waits for the actor that the task leaves */
} tm_departure;
tm_departure tm_swift_task_departs(const void *actor);
/* Suspends the task that runs here; its job has to return at once. The task goes on with this
 * function when the job runs again. */
void tm_swift_task_suspend(void *function, void *context);
/* Picks up the stamps that were left for this thread's task. An `await` of a task that is already
 * finished makes no call at which the gate could do that. */
void tm_swift_task_learn(tm_thread *);
/* The same for a caller that knows the task. */
void tm_swift_task_learn_of(tm_thread *, void *task);
/* Notes that the task that runs here starts this one, and so may await it. */
void tm_swift_task_starts(const void *task);
/* Returns a number for the task that started the one whose job this is; 0: none. To be asked while
 * the job is there. */
uint32_t tm_swift_task_starter(const void *job);
/* Leaves the end of a job or block for two tasks: the one that has submitted it (NULL: none), and
 * the starter of the job's task. A task that goes on after an `await` has submitted its own job,
 * and its starter may await the end. The stamp stays the caller's. */
void tm_swift_task_ends(void *submitter, uint32_t starter, tm_stamp end);
/* Leaves the present moment where `task` will pick it up. */
void tm_swift_task_leave(tm_thread *, void *task);
#endif
