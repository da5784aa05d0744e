/* Jobs of the Swift runtime: what a task does between two suspensions, on a thread that it shares
 * with others. */
#ifndef TM_JOB_H
#define TM_JOB_H
#include "ground/limits.h"
#include "ground/thread.h"

/* The kind in the flags of a job, the kind of a task's job, and the flag in the status of a task
 * that runs (swift/ABI/MetadataValues.h). */
enum { TM_JOB_KIND = 0xff, TM_JOB_TASK = 0, TM_TASK_RUNNING = 0x800 };

/* Called for each job that the runtime submits. Compares the first task's words with what the
 * runtime tells of it. If they differ, no job is read, and each is counted. */
void tm_job_comes(const void *job);
/* Compares the words of the task that runs here with its continuation, which the runtime has just
 * noted in it. */
void tm_task_noted(const void *task, const void *context);
/* The same without a continuation of the program's. Changes only words of the task that have no
 * meaning while it runs. */
void tm_task_compare(void *task);
/* Compares the status of the task that runs here with what the runtime tells of it. */
void tm_task_compare_status(const void *task);
/* Returns whether the words at an address are those of a job, or of a task. The address may be
 * wild. */
bool tm_is_job_or_null(const void *);
bool tm_is_swift_task(const void *);

/* Returns the calling thread's stack from `frame` on as far as its task's asynchronous function,
 * then the place where each caller of that function goes on. Empty if no asynchronous function is
 * found. */
uint32_t tm_stack_through_awaits(const tm_thread *, void *frame, uintptr_t places[TM_STACK]);
/* Returns the places that a task waiting with this context will return to, innermost first. Empty
 * if the task does not wait with it, or is gone. */
uint32_t tm_stack_of_task(const void *task, const void *context, uintptr_t places[TM_STACK]);
/* Adds the places that the task which runs here will return to, from a context of its own on, to
 * the innermost places of a site, as far as there is room. Makes no system call once contexts were
 * seen to lead to the task's beginning. */
void tm_site_add_callers(const void *context, uintptr_t site[TM_SITE]);
/* Returns the places that a task will return to, for a task whose job waits to run. */
uint32_t tm_job_awaits(const void *job, uintptr_t places[TM_STACK]);
/* The fields of a job that the gate reads. */
typedef struct tm_job_state {
  uint32_t task;    /* the identifier of the task that it belongs to, or that goes on by it after
                       `Task.yield`; 0: it is not a task's */
  uint8_t priority; /* as a quality of service */
} tm_job_state;
bool tm_job_ask(const void *job, tm_job_state *);
/* Returns the place at which a task will go on after this continuation, as the runtime noted it
 * when the continuation was made; 0 if the runtime keeps it in another way. The layout of tasks has
 * to be known. */
uintptr_t tm_task_resumes_at(const void *task, const void *context);
/* Returns whether no thread has locked the status of the task that runs here, and the task prefers
 * no executor of the user's. The layouts of jobs and of the status have to be known. */
bool tm_task_is_plain(const void *task);
/* Makes the task that runs here go on with this function and its context, when its job runs
 * again. Writes into the task: its layout has to be known. */
void tm_task_is_to_go_on(void *task, void *function, void *context);
/* Returns whether the job belongs to a task, or is the one by which this task goes on after
 * `Task.yield`. The job has to exist. */
bool tm_job_is_yield_of(const void *job, const void *task);
bool tm_job_is_task(const void *job);
/* Returns the place that the job begins at; 0 if it is unknown. */
uintptr_t tm_job_place(const void *job);
/* The type of a job, by which it is recognised later. */
const void *tm_job_type(const void *job);
/* Returns the places that the task of this job will return to, innermost first; empty if the job
 * belongs to no task any more. */
uint32_t tm_job_awaits_as(const void *job, const void *type, uintptr_t places[TM_STACK]);
#endif
