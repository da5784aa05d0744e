#ifdef __linux__
#include "ground/base.h"
#include "strand/swift_task.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/job.h"
#include "strand/strand.h"

TM_GATE_CODE_BEGIN

/* Clocks by task address. Two tasks may share a place. That adds orders that do not exist: it may
 * hide a mistake, but never makes one up. */
enum { PLACES = 256 };
static tm_shared_clock places[PLACES];

static unsigned place_of(void *task) { return tm_mix(0, (uintptr_t)task) >> 56; }

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

/* A default actor, as the runtime lays it out (stdlib/public/Concurrency/Actor.cpp); a test holds
 * this against the toolchain. */
typedef struct default_actor {
  const void *isa;
  uintptr_t references, reserved[2], state;
  const void *came; /* new jobs, newest first */
  uintptr_t remote[2];
  const void *waits; /* jobs that wait, in order */
} default_actor;

static bool is_default_actor(executor e) { return e.identity && !e.implementation; }

tm_departure tm_swift_task_departs(const void *actor) {
  executor e = current_executor();
  if (!tm_real.swift_task_suspend) return TM_STAYS;
  if (!e.identity) return TM_LEAVES_NOBODY;
  if (!is_default_actor(e) || e.identity == actor) return TM_STAYS;
  const default_actor *left = e.identity;
  return left->came || left->waits ? TM_LEAVES_SOMEBODY : TM_LEAVES_NOBODY;
}

void tm_swift_task_suspend(void *function, void *context) {
  typedef __attribute__((swiftcall)) void *(*suspend_function)(void);
  suspend_function suspend = TM_HELPER(suspend_function, swift_task_suspend);
  tm_task_is_to_go_on(suspend(), function, context);
}

const void *tm_swift_actor(void) { return tm_swift_task() ? tm_swift_executor() : NULL; }

void tm_swift_task_leave(tm_thread *t, void *task) {
  tm_stamp stamp = tm_stamp_take(t);
  tm_swift_task_leave_at(task, stamp);
  tm_stamp_drop(&stamp);
}

void tm_swift_task_leave_at(void *task, tm_stamp stamp) {
  tm_shared_clock_add(&places[place_of(task)], stamp);
}

void tm_swift_task_learn(tm_thread *t) {
  void *task = tm_swift_task();
  if (task) tm_shared_clock_learn(t, &places[place_of(task)]);
}

TM_GATE_CODE_END
#endif
