#ifdef __linux__
#include "ground/base.h"
#include "calls/swift/continuation.h"
#include "code/caller.h"
#include "code/stack.h"
#include "control/call.h"
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/lock.h"
#include "ground/real.h"
#include "ground/storage.h"
#include "ground/swift_layout.h"
#include "ground/text.h"
#include "ground/thread.h"
#include "seam/users_call.h"
#include "strand/job.h"
#include "strand/scope.h"
#include "strand/swift_task.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* A continuation that has not been resumed yet. An unsafe continuation is identified by its task,
 * and made anew by each `swift_continuation_init`; a checked one is an object that keeps its task
 * until it is resumed. Two continuations that share a slot replace each other: a mistake may then
 * be missed, but none is made up. */
typedef struct record {
  const void *key;     /* NULL: nothing */
  const void *context; /* of the task while it waits; NULL: not known */
  bool resumed;
  bool explored;   /* made by code under control, whose hangs the explorer tells */
  uint32_t scope;  /* the test that the code which made it works for; 0: none */
  uint32_t thread; /* the thread that resumed it */
  uintptr_t made_at[TM_SITE], resumed_at[TM_SITE];
} record;

enum { PLACES = 1024 };
static struct {
  tm_spin lock;
  record record;
} places[PLACES];

static unsigned place_of(const void *key) { return tm_mix(0, (uintptr_t)key) >> 54; }

static uint32_t depth(const uintptr_t site[TM_SITE]) {
  uint32_t count = 0;
  while (count < TM_SITE && site[count]) count++;
  return count;
}

static void made(tm_thread *t, const void *key, const void *context, void *frame) {
  record fresh = {.key = key, .context = context, .explored = t->ground.explored};
  if (tm_is_test_running()) fresh.scope = tm_current_scope();
  tm_site_take_whole(t, frame, fresh.made_at);
  if (context) tm_site_add_callers(context, fresh.made_at);
  unsigned place = place_of(key);
  tm_spin_lock(&places[place].lock);
  places[place].record = fresh;
  tm_spin_unlock(&places[place].lock);
}

/* Notes that the continuation is resumed. Returns whether it was resumed before. `before` gets a
 * copy of the record as it was. */
static bool note_resumed(tm_thread *t, const void *key, void *frame, bool fresh, record *before) {
  uintptr_t site[TM_SITE];
  tm_site_take_whole(t, frame, site);
  unsigned place = place_of(key);
  tm_spin_lock(&places[place].lock);
  record *r = &places[place].record;
  *before = *r;
  tm_resumption signs = {.known = r->key == key, .resumed = r->resumed, .fresh = fresh};
  bool again = tm_is_resumed_again(signs);
  if (fresh && (r->key != key || r->resumed)) *r = (record){.key = key};
  if (!again && r->key == key) {
    r->resumed = true;
    r->thread = t->who.number;
    tm_site_copy(r->resumed_at, site);
  }
  tm_spin_unlock(&places[place].lock);
  return again;
}

TM_SLOW static void tell_twice(tm_thread *t, void *frame, const record *before) {
  tm_happening twice = {
      .kind = TM_RESUMED_TWICE,
      .resumed_twice = {
          .before = {before->resumed_at, depth(before->resumed_at), before->thread},
          .made = {before->made_at, depth(before->made_at)},
      }};
  tm_tell_all(t, frame, &twice);
}

typedef __attribute__((swiftcall)) void *(*init_function)(void *, uintptr_t);
typedef __attribute__((swiftcall)) void (*resume_call)(void *);
typedef __attribute__((swiftcall)) void (*error_function)(void *, void *);

__attribute__((swiftcall)) TM_EXPORT void *swift_continuation_init(void *context, uintptr_t flags) {
  void *task = TM_REAL_AS(init_function, swift_continuation_init)(context, flags);
  tm_caller who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &who);
  if (task && tm_layout_is_unknown(TM_LAYOUT_TASK) && task == tm_swift_task())
    tm_task_noted(task, context);
  if (t && task) made(t, task, context, __builtin_frame_address(0));
  return task;
}

/* Forgets the task's context when the continuation is resumed, by the user's code or by a
 * library. */
static void forget(const void *key) {
  unsigned place = place_of(key);
  tm_spin_lock(&places[place].lock);
  if (places[place].record.key == key) places[place].record.context = NULL;
  tm_spin_unlock(&places[place].lock);
}

/* A continuation that is resumed before its task suspends makes the task go on without a new job.
 */
static void resuming(void *task, void *return_address, void *frame) {
  tm_caller who;
  record before;
  tm_control_call(TM_STEP_SIGNAL, task, (uintptr_t)return_address);
  tm_thread *t = tm_users_call(return_address, &who);
  if (task && tm_is_active()) forget(task);
  if (!t || !task) return;
  if (note_resumed(t, task, frame, false, &before)) tell_twice(t, frame, &before);
  tm_swift_task_leave(t, task);
}

__attribute__((swiftcall)) TM_EXPORT void swift_continuation_resume(void *task) {
  resuming(task, __builtin_return_address(0), __builtin_frame_address(0));
  TM_REAL_AS(resume_call, swift_continuation_resume)(task);
  tm_control_called((uintptr_t)__builtin_return_address(0));
}

__attribute__((swiftcall)) TM_EXPORT void swift_continuation_throwingResume(void *task) {
  resuming(task, __builtin_return_address(0), __builtin_frame_address(0));
  TM_REAL_AS(resume_call, swift_continuation_throwingResume)(task);
  tm_control_called((uintptr_t)__builtin_return_address(0));
}

__attribute__((swiftcall)) TM_EXPORT void swift_continuation_throwingResumeWithError(void *task,
                                                                                     void *error) {
  resuming(task, __builtin_return_address(0), __builtin_frame_address(0));
  TM_REAL_AS(error_function, swift_continuation_throwingResumeWithError)(task, error);
  tm_control_called((uintptr_t)__builtin_return_address(0));
}

/* CheckedContinuation.resume(returning:) and resume(throwing:). `self` is a structure that holds
 * one object. The task is stored behind the object's header, and the first resume takes it out. */
typedef struct canary {
  uintptr_t header[2];
  void *task;
} canary;

typedef __attribute__((swiftcall)) void (*checked_function)(void *, void *, void *, void *,
                                                            __attribute__((swift_context))
                                                            const canary *const *);

/* Returns whether the object may be read. The first one whose task is there is compared: until then
 * the place of the task is not relied on. */
static bool knows_canary(const canary *self) {
  const char *at = (const char *)self + tm_moved[TM_LAYOUT_CONTINUATION];
  canary words;
  if (tm_layout_is_unknown(TM_LAYOUT_CONTINUATION) && (uintptr_t)self % sizeof(void *) == 0 &&
      tm_peek(at, &words, sizeof words) && words.task)
    tm_layout_compared(TM_LAYOUT_CONTINUATION, tm_is_swift_task(words.task));
  return tm_layout_is_usable(TM_LAYOUT_CONTINUATION);
}

static void resuming_checked(const canary *self, void *return_address, void *frame) {
  tm_caller who;
  record before;
  tm_control_call(TM_STEP_SIGNAL, self, (uintptr_t)return_address);
  tm_thread *t = tm_users_call(return_address, &who);
  if (!t || !self || !knows_canary(self)) return;
  void *task = __atomic_load_n(&self->task, __ATOMIC_RELAXED);
  if (note_resumed(t, self, frame, task != NULL, &before)) tell_twice(t, frame, &before);
  if (task) tm_swift_task_leave(t, task);
}

#define TM_CHECKED(name, symbol, real)                                                             \
  __attribute__((swiftcall)) TM_EXPORT void name(void *value, void *a, void *b, void *c,           \
                                                 __attribute__((swift_context))                    \
                                                 const canary *const *self) __asm__(symbol);       \
  __attribute__((swiftcall)) void name(void *value, void *a, void *b, void *c,                     \
                                       __attribute__((swift_context)) const canary *const *self) { \
    resuming_checked(*self, __builtin_return_address(0), __builtin_frame_address(0));              \
    TM_REAL_AS(checked_function, real)(value, a, b, c, self);                                      \
    tm_control_called((uintptr_t)__builtin_return_address(0));                                     \
  }

TM_CHECKED(tm_checked_resume, "$sScC6resume9returningyxn_tF", checked_resume)
TM_CHECKED(tm_checked_resume_throwing, "$sScC6resume8throwingyq_n_tF", checked_resume_throwing)

void tm_continuations_each(void (*visit)(const tm_unresumed *, void *context), void *context) {
  for (unsigned i = 0; i < PLACES; i++) {
    tm_spin_lock(&places[i].lock);
    record r = places[i].record;
    tm_spin_unlock(&places[i].lock);
    if (!r.key || !r.context || r.resumed || r.explored) continue;
    tm_unresumed found = {.task = r.key, .scope = r.scope};
    found.count = tm_stack_of_task(r.key, r.context, found.stack);
    if (found.count) visit(&found, context);
  }
}

/* Returns whether the message says that a checked continuation was freed before it was resumed. The
 * runtime writes these messages to standard error. */
static bool is_about_dropped(const char *message) {
  return message && tm_text_has(message, "CONTINUATION MISUSE") && tm_text_has(message, "leaked");
}

TM_EXPORT void swift_reportError(uint32_t flags, const char *message) {
  tm_caller who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &who);
  if (t && who == TM_CALLER_RUNTIME && is_about_dropped(message)) {
    uintptr_t stack[TM_STACK];
    uint32_t count = tm_stack_through_awaits(t, __builtin_frame_address(0), stack);
    tm_happening dropped = {.kind = TM_CONTINUATION_DROPPED,
                            .continuation_dropped = {.awaits = {stack, count}}};
    tm_tell_all(t, __builtin_frame_address(0), &dropped);
  }
  TM_REAL_AS(void (*)(uint32_t, const char *), swift_reportError)(flags, message);
}

TM_GATE_CODE_END
#endif
