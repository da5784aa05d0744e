#ifdef __linux__
#include "ground/base.h"
#include "strand/job.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/thread.h"

TM_GATE_CODE_BEGIN

/* The beginning of a job, as the runtime lays it out (swift/ABI/Task.h); a test holds this against
 * the toolchain. A task is a job that is run again and again. */
typedef struct job {
  const void *isa;
  uintptr_t references, scheduler[2];
  uint32_t flags, id;
  uintptr_t reserved[2];
  uintptr_t resume; /* where the task goes on */
  const void *context;
} job;

enum { JOB_KIND = 0xff, TASK = 0, PRIORITY_AT = 8, BEGINS_ON_EXECUTOR = 1 << 29 };

typedef struct task {
  job job;
  uintptr_t reserved[3];
  uint64_t status;
} task;

enum { LOCKED = 0x200, PREFERS_EXECUTOR = 0x8000 }; /* flags of the status */

/* The beginning of an asynchronous function's context: its caller's context, and the place where
 * the caller goes on. */
typedef struct context {
  const void *parent;
  uintptr_t resume;
} context;

/* Adds a place. Places in other stacks are return addresses, one past the call, so this one gets 1
 * added, too. */
static uint32_t add(uintptr_t *places, uint32_t count, uintptr_t resume) {
  if (count && places[count - 1] == resume + 1) return count;
  places[count] = resume + 1;
  return count + 1;
}

/* Adds the place where an asynchronous function's caller goes on, then the place of the caller's
 * caller, and so on. `whole` gets whether the way led to a task's beginning. */
static uint32_t add_callers(const void *of, uintptr_t places[TM_STACK], uint32_t count,
                            bool *whole) {
  context c;
  const void *at = of;
  for (; at && count < TM_STACK && tm_peek(at, &c, sizeof c); at = c.parent) {
    if (!tm_is_known_code(c.resume)) break;
    /* The gate's own function, put in on the way back (resumption.c), is left out. */
    if (!tm_in_gate(c.resume)) count = add(places, count, c.resume);
  }
  *whole = of && !at;
  return count;
}

/* The frame of an asynchronous function has the pointer to its context right below. Nothing else
 * marks the frame, but a word that is no context does not lead to a task's beginning. */
uint32_t tm_stack_through_awaits(const tm_thread *t, void *frame, uintptr_t places[TM_STACK]) {
  uint32_t count = 0;
  bool whole = false;
  for (uintptr_t at = (uintptr_t)frame; at && count < TM_STACK; at = tm_frame_above(t, at)) {
    const uintptr_t *words = (const uintptr_t *)at;
    uint32_t all = add_callers((const void *)words[-1], places, count, &whole);
    if (whole) return all;
    places[count++] = words[1];
  }
  return 0;
}

/* Returns the places that the task of a finished job will return to, innermost first: one for each
 * `await` that it is in. Empty if the job was no task, or the task has ended. */
uint32_t tm_job_awaits_as(const void *of, const void *isa, uintptr_t places[TM_STACK]) {
  job j;
  if (!tm_peek(of, &j, sizeof j) || j.isa != isa || (j.flags & JOB_KIND) != TASK) return 0;
  if (!tm_is_known_code(j.resume)) return 0;
  bool whole;
  uint32_t count = tm_in_gate(j.resume) ? 0 : add(places, 0, j.resume);
  return add_callers(j.context, places, count, &whole);
}

uint32_t tm_stack_of_task(const void *task, const void *waits, uintptr_t places[TM_STACK]) {
  job j;
  bool waiting = tm_peek(task, &j, sizeof j) && j.context == waits;
  return waiting ? tm_job_awaits_as(task, j.isa, places) : 0;
}

uint32_t tm_job_awaits(const void *of, uintptr_t places[TM_STACK]) {
  const void *isa = NULL;
  return tm_peek(of, &isa, sizeof isa) ? tm_job_awaits_as(of, isa, places) : 0;
}

bool tm_job_ask(const void *of, tm_job_state *state) {
  job j;
  if (!tm_peek(of, &j, sizeof j)) return false;
  bool task = (j.flags & JOB_KIND) == TASK;
  *state = (tm_job_state){.task = task ? j.id : 0, .priority = (uint8_t)(j.flags >> PRIORITY_AT)};
  return true;
}

bool tm_job_is_task(const void *of) { return (((const job *)of)->flags & JOB_KIND) == TASK; }

uintptr_t tm_task_resumes_at(const void *task, const void *of) {
  const job *j = task;
  return j->context == of ? j->resume : 0;
}

bool tm_task_is_plain(const void *of) {
  const task *t = of;
  uint64_t status = __atomic_load_n(&t->status, __ATOMIC_RELAXED);
  return !(t->job.flags & BEGINS_ON_EXECUTOR) && !(status & (LOCKED | PREFERS_EXECUTOR));
}

void tm_task_is_to_go_on(void *task, void *function, void *context) {
  job *j = task;
  j->resume = (uintptr_t)function, j->context = context;
}

uintptr_t tm_job_place(const void *of) { return ((const job *)of)->resume; }
const void *tm_job_type(const void *of) { return ((const job *)of)->isa; }

TM_GATE_CODE_END
#endif
