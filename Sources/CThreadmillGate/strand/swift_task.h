/* Reads Swift tasks: the task that another task may have awaited without suspending, and the test
 * that a task works for. */
#ifndef TM_SWIFT_TASK_H
#define TM_SWIFT_TASK_H
#include "ground/base.h"
#include "ground/thread.h"
#include "strand/clock.h"

/* The task that runs on this thread, or NULL. */
void *tm_swift_task(void);
/* This thread's wait has begun: if a job runs here, others may ask whose it is. */
TM_INLINE void tm_swift_task_waits(tm_thread *t) {
  if (!t->strand.origin.runs.job) return;
  t->strand.waiting_task = tm_swift_task();
  t->strand.task_since = atomic_load(&t->holds.sequence);
}
/* The actor that this thread's task is isolated to, or NULL. */
const void *tm_swift_actor(void);
/* The serial executor of whatever runs on this thread, with a task or (a deinit) without; NULL if
 * there is none. */
const void *tm_swift_executor(void);
/* The consequence of suspending the current task on its way to this actor. */
typedef enum tm_departure {
  TM_STAYS,           /* it cannot be, or is there already */
  TM_LEAVES_NOBODY,   /* it is on no actor, or on one for which nobody waits */
  TM_LEAVES_SOMEBODY, /* who waits for the actor where it is, can go on then */
} tm_departure;
tm_departure tm_swift_task_departs(const void *actor);
/* The task that runs here waits, and its job is to return at once. It goes on with this function
 * when the job runs again. */
void tm_swift_task_suspend(void *function, void *context);
/* Picks up what ended under this task's eyes: an `await` of something that is already finished
 * makes no call. */
void tm_swift_task_learn(tm_thread *);
/* Leaves the present moment where `task` will pick it up. */
void tm_swift_task_leave(tm_thread *, void *task);
/* The same for a moment that was taken before; the stamp stays the caller's. */
void tm_swift_task_leave_at(void *task, tm_stamp);
#endif
