#ifdef __linux__
#include "ground/base.h"
#include "strand/swift_task.h"
#include "ground/real.h"
#include "ground/swift_layout.h"
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/job.h"
#include "strand/strand.h"

TM_GATE_CODE_BEGIN

/* Clocks by task address. Two tasks may share a place. That adds orders that do not exist: it may
 * hide a mistake, but never makes one up. */
enum { PLACES = 256 };
static tm_shared_clock places[PLACES];

static unsigned place_of(const void *task) { return tm_mix(0, (uintptr_t)task) >> 56; }

/* By the address of a task: the place of the one that started it, plus 1; 0: none. If two tasks
 * share an entry, the starter of the older one is forgotten, and with it an order. */
enum { STARTED = 4096 };
static _Atomic uint16_t starters[STARTED];

static _Atomic uint16_t *starter_of(const void *task) {
  return &starters[(tm_mix(0, (uintptr_t)task) >> 32) % STARTED];
}

void *tm_swift_task(void) {
  void *(*current)(void) = TM_HELPER(void *(*)(void), swift_task_getCurrent);
  return current ? current() : NULL;
}

/* A serial executor as the Swift ABI returns it: the object, and its witness table. */
typedef struct executor {
  const void *identity, *implementation;
} executor;

static executor current_executor(void) {
  typedef __attribute__((swiftcall)) executor (*current_function)(void);
  current_function current = TM_HELPER(current_function, swift_task_getCurrentExecutor);
  return current ? current() : (executor){0};
}

const void *tm_swift_executor(void) { return current_executor().identity; }

/* A default actor, as the runtime lays it out (stdlib/public/Concurrency/Actor.cpp). Each actor
 * that is read is compared with what is known of one whose code runs. */
typedef struct default_actor {
  const void *isa;
  uintptr_t references, reserved[2], state;
  const void *came; /* new jobs, newest first */
  uintptr_t remote[2];
  const void *waits; /* jobs that wait, in order */
} default_actor;

/* States of an actor whose code runs. One that has lost its last reference is freed after that. */
enum { STATE_BITS = 7, RUNS = 2, RUNS_LAST = 3 };

static bool is_default_actor(executor e) { return e.identity && !e.implementation; }

static const default_actor *actor_at(const void *identity) {
  return (const default_actor *)((const char *)identity + tm_moved[TM_LAYOUT_ACTOR]);
}

static bool looks_running(const default_actor *a) {
  uintptr_t state = a->state & STATE_BITS;
  return (state == RUNS || state == RUNS_LAST) && tm_is_job_or_null(a->came) &&
         tm_is_job_or_null(a->waits);
}

/* Returns whether jobs wait for the actor whose code runs here; false if that cannot be read. */
static bool is_wanted(const default_actor *a, bool *wanted) {
  if (!tm_layout_is_known(TM_LAYOUT_ACTOR) || a->came || a->waits)
    tm_layout_compared(TM_LAYOUT_ACTOR, looks_running(a));
  *wanted = a->came || a->waits;
  return tm_layout_is_usable(TM_LAYOUT_ACTOR);
}

void tm_swift_compare_here(const tm_thread *t) {
  void *task = tm_swift_task();
  executor e = current_executor();
  bool runs = task && t->strand.origin.runs.job == task;
  if (runs && tm_layout_is_unknown(TM_LAYOUT_STATUS)) tm_task_compare_status(task);
  if (task && is_default_actor(e) && tm_layout_is_unknown(TM_LAYOUT_ACTOR))
    tm_layout_compared(TM_LAYOUT_ACTOR, looks_running(actor_at(e.identity)));
}

tm_departure tm_swift_task_departs(const void *actor) {
  executor e = current_executor();
  if (!tm_real.swift_task_suspend) return TM_STAYS;
  if (!e.identity) return TM_LEAVES_NOBODY;
  if (!is_default_actor(e) || e.identity == actor) return TM_STAYS;
  bool wanted;
  if (!is_wanted(actor_at(e.identity), &wanted)) return TM_STAYS;
  return wanted ? TM_LEAVES_SOMEBODY : TM_LEAVES_NOBODY;
}

void tm_swift_task_suspend(void *function, void *context) {
  typedef __attribute__((swiftcall)) void *(*suspend_function)(void);
  suspend_function suspend = TM_HELPER(suspend_function, swift_task_suspend);
  tm_task_is_to_go_on(suspend(), function, context);
}

void tm_swift_task_leave(tm_thread *t, void *task) {
  tm_stamp stamp = tm_stamp_take(t);
  tm_shared_clock_add(&places[place_of(task)], stamp);
  tm_stamp_drop(&stamp);
}

void tm_swift_task_starts(const void *task) {
  const void *by = tm_swift_task();
  atomic_store_explicit(starter_of(task), by ? place_of(by) + 1 : 0, memory_order_relaxed);
}

uint32_t tm_swift_task_starter(const void *job) {
  return atomic_load_explicit(starter_of(job), memory_order_relaxed);
}

void tm_swift_task_ends(void *submitter, uint32_t starter, tm_stamp end) {
  uint32_t first = submitter ? place_of(submitter) + 1 : 0;
  if (first) tm_shared_clock_add(&places[first - 1], end);
  if (starter && starter != first) tm_shared_clock_add(&places[starter - 1], end);
}

void tm_swift_task_learn_of(tm_thread *t, void *task) {
  tm_shared_clock_learn(t, &places[place_of(task)]);
}

void tm_swift_task_learn(tm_thread *t) {
  void *task = tm_swift_task();
  if (task) tm_swift_task_learn_of(t, task);
}

TM_GATE_CODE_END
#endif
