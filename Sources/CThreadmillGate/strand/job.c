#ifdef __linux__
#include "ground/base.h"
#include "strand/job.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/real.h"
#include "ground/swift_layout.h"
#include "ground/thread.h"

TM_GATE_CODE_BEGIN

/* The beginning of a job, as the runtime lays it out (swift/ABI/Task.h). The first task that comes
 * by is compared with what the runtime tells of it. A task is a job that is run again and again. */
typedef struct job {
  const void *isa;
  uintptr_t references, scheduler[2];
  uint32_t flags, id;
  uintptr_t reserved[2];
  uintptr_t resume; /* where the task goes on */
  const void *context;
} job;

enum { YIELD = 195, PRIORITY_AT = 8, BEGINS_ON_EXECUTOR = 1 << 29 };

typedef struct task {
  job job;
  uintptr_t reserved[3];
  uint64_t status;
} task;

/* The job of `Task.yield`: the runtime calls it one of a continuation without a value. */
typedef struct yield {
  uintptr_t job[8];
  const void *task, *continuation;
} yield;

/* Flags of the status; its lowest byte is the priority. */
enum { CANCELLED = 0x100, LOCKED = 0x200, PREFERS_EXECUTOR = 0x8000 };

static const job *job_at(const void *of) {
  return (const job *)((const char *)of + tm_moved[TM_LAYOUT_JOB]);
}

static job *task_at(const void *of) { return (job *)((uintptr_t)of + tm_moved[TM_LAYOUT_TASK]); }

static uint64_t status_of(const void *of) {
  const task *t = (const task *)((const char *)of + tm_moved[TM_LAYOUT_STATUS]);
  return __atomic_load_n(&t->status, __ATOMIC_ACQUIRE);
}

/* The beginning of an asynchronous function's context: its caller's context, and the place where
 * the caller goes on. */
typedef struct context {
  const void *parent;
  uintptr_t resume;
} context;

/* Comparing. */

typedef __attribute__((swiftcall)) uint64_t (*question)(const void *);

/* Returns whether the object's class is that of tasks: of all jobs, only tasks have it. */
static bool is_task(const void *job) {
  const void *const *metadata =
      TM_HELPER(const void *const *, _swift_concurrency_debug_asyncTaskMetadata);
  return metadata && tm_job_type(job) == *metadata;
}

static bool is_job(const void *of) {
  const void *const *others = TM_HELPER(const void *const *, _swift_concurrency_debug_jobMetadata);
  const void *type = NULL;
  bool readable = !((uintptr_t)of % sizeof(void *)) && tm_peek(of, &type, sizeof type);
  return readable && ((others && type == *others) || is_task(of));
}

bool tm_is_job_or_null(const void *of) { return !of || is_job(of); }
bool tm_is_swift_task(const void *of) { return is_job(of) && is_task(of); }

/* Returns whether the runtime says the same of the task as its words; true as well if another
 * thread changed them meanwhile. */
static bool is_told(const void *of) {
  question flags = TM_HELPER(question, swift_task_getJobFlags);
  question identifier = TM_HELPER(question, swift_task_getJobTaskId);
  question priority = TM_HELPER(question, swift_concurrency_jobPriority);
  const job *j = job_at(of);
  if (!flags || !identifier || !priority) return false;
  uint32_t before = __atomic_load_n(&j->flags, __ATOMIC_ACQUIRE);
  bool same = (uint32_t)flags(of) == before &&
              (uint8_t)priority(of) == (uint8_t)(before >> PRIORITY_AT) &&
              (before & TM_JOB_KIND) == TM_JOB_TASK && (uint32_t)identifier(of) == j->id &&
              tm_is_known_code(j->resume);
  return same || __atomic_load_n(&j->flags, __ATOMIC_ACQUIRE) != before;
}

static bool has_helpers(void) { return tm_real._swift_concurrency_debug_asyncTaskMetadata != NULL; }

TM_SLOW static void compare_job(const void *of) {
  if (!has_helpers()) tm_real_resolve(); /* the runtime may have been loaded after the start */
  if (!has_helpers()) tm_layout_compared(TM_LAYOUT_JOB, false);
  else if (is_task(of)) tm_layout_compared(TM_LAYOUT_JOB, is_told(of));
}

void tm_job_comes(const void *of) {
  if (tm_layout_is_unknown(TM_LAYOUT_JOB)) return compare_job(of);
  tm_layout_is_usable(TM_LAYOUT_JOB);
}

/* The same for the status of the task that runs here. */
static bool is_status_told(const void *of) {
  question priority = TM_HELPER(question, swift_task_currentPriority);
  question cancelled = TM_HELPER(question, swift_task_isCancelled);
  if (!priority || !cancelled) return false;
  uint64_t before = status_of(of);
  bool same = (uint8_t)priority(of) == (uint8_t)before &&
              (cancelled(of) & 1) == ((before & CANCELLED) != 0) && (before & TM_TASK_RUNNING);
  return same || status_of(of) != before;
}

void tm_task_compare_status(const void *task) {
  tm_layout_compared(TM_LAYOUT_STATUS, is_status_told(task));
}

void tm_task_noted(const void *task, const void *of) {
  const context *noted = of;
  const job *j = task_at(task);
  tm_layout_compared(TM_LAYOUT_TASK, j->context == noted && j->resume == noted->resume);
}

/* The runtime notes a continuation in the task that runs, in words that mean nothing until the task
 * is suspended. So a continuation of the gate's own, which no code ever resumes, does no harm. */
void tm_task_compare(void *task) {
  enum { CONTINUATION_WORDS = 64 }; /* more than it has */
  typedef __attribute__((swiftcall)) void *(*function)(void *context, uintptr_t flags);
  function note = TM_HELPER(function, swift_continuation_init);
  _Alignas(16) uintptr_t words[CONTINUATION_WORDS] = {0};
  context *own = (context *)words;
  job before = *task_at(task);
  own->resume = (uintptr_t)tm_task_compare;
  if (note && note(own, 0) == task) tm_task_noted(task, own);
  else tm_layout_compared(TM_LAYOUT_TASK, false);
  if (!tm_layout_is_known(TM_LAYOUT_TASK)) return;
  task_at(task)->resume = before.resume, task_at(task)->context = before.context;
}

/* Reading. */

/* Adds a place. Places in other stacks are return addresses, one past the call, so this one gets 1
 * added, too. */
static uint32_t add_place(uintptr_t *places, uint32_t count, uintptr_t resume) {
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
    if (!tm_in_gate(c.resume)) count = add_place(places, count, c.resume);
  }
  *whole = of && !at;
  return count;
}

/* Whether contexts of a running task's own were seen to lead to its beginning: they lie in memory
 * that the task has, and need no careful look any more. */
static atomic_bool contexts_lead;

static bool read_own(const void *of, context *c) {
  if (!atomic_load_explicit(&contexts_lead, memory_order_relaxed)) return tm_peek(of, c, sizeof *c);
  *c = *(const context *)of;
  return true;
}

void tm_site_add_callers(const void *of, uintptr_t site[TM_SITE]) {
  uint32_t count = 0;
  while (count < TM_SITE && site[count]) count++;
  if (!atomic_load_explicit(&contexts_lead, memory_order_relaxed)) {
    uintptr_t places[TM_STACK];
    bool whole;
    add_callers(of, places, 0, &whole);
    if (whole) atomic_store(&contexts_lead, true);
  }
  context c;
  for (; of && count < TM_SITE && read_own(of, &c); of = c.parent) {
    if (!tm_is_known_code(c.resume)) return;
    if (!tm_in_gate(c.resume)) count = add_place(site, count, c.resume);
  }
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

static bool peek(const void *of, job *j) {
  return tm_layout_is_known(TM_LAYOUT_JOB) && tm_peek(of, j, sizeof *j);
}

/* Returns the places that the task of a finished job will return to, innermost first: one for each
 * `await` that it is in. Empty if the job was no task, or the task has ended. */
uint32_t tm_job_awaits_as(const void *of, const void *isa, uintptr_t places[TM_STACK]) {
  job j;
  if (!peek(of, &j) || j.isa != isa || (j.flags & TM_JOB_KIND) != TM_JOB_TASK) return 0;
  if (!tm_is_known_code(j.resume)) return 0;
  bool whole;
  uint32_t count = tm_in_gate(j.resume) ? 0 : add_place(places, 0, j.resume);
  return add_callers(j.context, places, count, &whole);
}

uint32_t tm_stack_of_task(const void *task, const void *waits, uintptr_t places[TM_STACK]) {
  job j;
  bool waiting = peek(task, &j) && j.context == waits;
  return waiting ? tm_job_awaits_as(task, j.isa, places) : 0;
}

uint32_t tm_job_awaits(const void *of, uintptr_t places[TM_STACK]) {
  const void *isa = NULL;
  return tm_peek(of, &isa, sizeof isa) ? tm_job_awaits_as(of, isa, places) : 0;
}

/* Returns the identifier of the task that goes on by this job after `Task.yield`; 0 for another
 * job. */
static uint32_t yielding_task(const void *of, const job *j) {
  yield y;
  job task;
  bool is_yield = (j->flags & TM_JOB_KIND) == YIELD && tm_peek(of, &y, sizeof y);
  return is_yield && is_job(y.task) && is_task(y.task) && peek(y.task, &task) ? task.id : 0;
}

bool tm_job_ask(const void *of, tm_job_state *state) {
  job j;
  if (!peek(of, &j)) return false;
  bool is_task = (j.flags & TM_JOB_KIND) == TM_JOB_TASK;
  *state = (tm_job_state){.task = is_task ? j.id : yielding_task(of, &j),
                          .priority = (uint8_t)(j.flags >> PRIORITY_AT)};
  return true;
}

bool tm_job_is_task(const void *of) {
  return tm_layout_is_known(TM_LAYOUT_JOB) && (job_at(of)->flags & TM_JOB_KIND) == TM_JOB_TASK;
}

bool tm_job_is_yield_of(const void *of, const void *task) {
  if (!tm_layout_is_known(TM_LAYOUT_JOB) || (job_at(of)->flags & TM_JOB_KIND) != YIELD)
    return false;
  return ((const yield *)of)->task == task;
}

uintptr_t tm_task_resumes_at(const void *task, const void *of) {
  const job *j = task_at(task);
  return j->context == of ? j->resume : 0;
}

bool tm_task_is_plain(const void *of) {
  bool begins = job_at(of)->flags & BEGINS_ON_EXECUTOR;
  return !begins && !(status_of(of) & (LOCKED | PREFERS_EXECUTOR));
}

void tm_task_is_to_go_on(void *task, void *function, void *context) {
  job *j = task_at(task);
  j->resume = (uintptr_t)function, j->context = context;
}

uintptr_t tm_job_place(const void *of) {
  return tm_layout_is_known(TM_LAYOUT_JOB) ? job_at(of)->resume : 0;
}

const void *tm_job_type(const void *of) { return *(const void *const *)of; }

TM_GATE_CODE_END
#endif
