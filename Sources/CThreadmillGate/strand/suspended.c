#ifdef __linux__
#include "ground/base.h"
#include "strand/suspended.h"
#include "ground/kernel.h"
#include "strand/job.h"

TM_GATE_CODE_BEGIN

/* The part of a task that the gate reads here, as the runtime lays it out (swift/ABI/Task.h); a
 * test holds this against the toolchain. Reads of a task that may be gone go
 * through `tm_peek`. */
typedef struct task_words {
  const void *isa;
  uintptr_t references, scheduler[2];
  uint32_t flags, number;
  uintptr_t reserved[2];
  uintptr_t resume;
  const void *context;
  uintptr_t storage[3];
  uint64_t status;
  const void *records; /* the status records, the innermost first */
} task_words;

enum { GROUP_CHILD = 1 << 26 };
enum { PARENT_AT = 208 }; /* of a task that is a child of another one */

/* A status record (stdlib/public/Concurrency/TaskPrivate.h). The record of a dependency names the
 * task that waits, so that the gate can tell it from memory that holds something else. */
typedef struct record {
  uintptr_t kind;
  const void *outer;
  const void *on, *on_implementation;
  uint32_t dependency, unused;
  const void *waiter;
} record;

enum { DEPENDENCY = 0, DEEPEST = 64 };
enum { ON_TASK = 1, ON_CONTINUATION, ON_GROUP, ON_EXECUTOR }; /* of `record.dependency` */

static bool read_task(const void *at, task_words *t) {
  return at && tm_peek(at, t, sizeof *t) && t->isa && (t->flags & TM_JOB_KIND) == TM_JOB_TASK &&
         t->number;
}

uint32_t tm_task_number(const void *at) {
  task_words t;
  return read_task(at, &t) ? t.number : 0;
}

uint32_t tm_task_number_here(const void *at) { return ((const task_words *)at)->number; }

/* The context of a task's first function has no caller. */
bool tm_task_is_new(const void *at) {
  const void *const *context = ((const task_words *)at)->context;
  return context && !*context;
}

static bool find_dependency(const void *at, const task_words *t, record *r) {
  const void *next = t->records;
  for (int depth = 0; next && depth < DEEPEST; depth++) {
    if (!tm_peek(next, r, sizeof *r)) return false;
    if ((r->kind & 0xff) == DEPENDENCY && r->waiter == at) return true;
    next = r->outer;
  }
  return false;
}

static tm_awaited awaited_by(const record *r) {
  switch (r->dependency) {
  case ON_TASK: return TM_AWAITS_TASK;
  case ON_CONTINUATION: return TM_AWAITS_CONTINUATION;
  case ON_GROUP: return TM_AWAITS_GROUP;
  /* An executor with an implementation is no default actor; one without identity is the pool. */
  case ON_EXECUTOR: return r->on && !r->on_implementation ? TM_AWAITS_ACTOR : TM_AWAITS_THREAD;
  default: return TM_AWAITS_UNKNOWN;
  }
}

static uint32_t parent_of(const void *at, const task_words *t) {
  const void *parent = NULL;
  if (!(t->flags & GROUP_CHILD)) return 0;
  if (!tm_peek((const char *)at + PARENT_AT, &parent, sizeof parent)) return 0;
  return tm_task_number(parent);
}

bool tm_task_is_suspended(const void *at, uint32_t number, tm_task_wait *wait) {
  task_words t;
  record r;
  if (!read_task(at, &t) || t.number != number || (t.status & TM_TASK_RUNNING)) return false;
  if (!find_dependency(at, &t, &r)) return false;
  *wait = (tm_task_wait){.awaited = awaited_by(&r), .on = r.on, .parent = parent_of(at, &t)};
  if (wait->awaited == TM_AWAITS_TASK) wait->number = tm_task_number(r.on);
  return true;
}

TM_GATE_CODE_END
#endif
