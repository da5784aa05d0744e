#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "ground/facts.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "strand/scope.h"
#include "strand/tasks.h"
#include "strand/thread.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

typedef __attribute__((swiftcall)) void (*push_function)(const void *, void *, const void *);
typedef __attribute__((swiftcall)) void (*pop_function)(void);

/* Returns whether libTesting makes the call. Only libTesting changes the scope, in matching pairs;
 * pushes of other code pass through. The answer for a push must also hold for its pop, which may
 * come when watching is over: other threads go on while a process exits. */
static bool testing_calls(void *return_address) {
  if (!tm_real.int_metadata || !tm_listening.scope_entered) return false;
  if (tm_self) return tm_caller_of(tm_self, return_address) == TM_CALLER_TESTING;
  return tm_caller_find((uintptr_t)return_address) == TM_CALLER_TESTING;
}

/* Returns the thread if it is watched, else NULL. */
static tm_thread *watched(void) {
  tm_thread *t = !tm_is_active() ? NULL : tm_self ? tm_self : tm_thread_attach();
  return t && !t->ground.inside ? t : NULL;
}

static intptr_t enter_scope(void) {
  tm_enter_harness();
  intptr_t scope = tm_listening.scope_entered();
  tm_leave_harness();
  return scope;
}

__attribute__((swiftcall)) TM_EXPORT void swift_task_localValuePush(const void *key, void *value,
                                                                    const void *type) {
  push_function real = TM_REAL_AS(push_function, swift_task_localValuePush);
  real(key, value, type);
  if (!testing_calls(__builtin_return_address(0))) return;
  tm_thread *t = watched();
  intptr_t scope = t ? enter_scope() : (intptr_t)tm_current_scope();
  real(&tm_scope_key, &scope, tm_real.int_metadata);
  if (t) tm_task_is_test(t, (uint32_t)scope);
}

__attribute__((swiftcall)) TM_EXPORT void swift_task_localValuePop(void) {
  pop_function real = TM_REAL_AS(pop_function, swift_task_localValuePop);
  bool has_scope = testing_calls(__builtin_return_address(0));
  tm_thread *t = has_scope ? watched() : NULL;
  if (t) {
    uint32_t scope = tm_current_scope();
    tm_enter_harness();
    tm_listening.scope_leaving(scope);
    tm_leave_harness();
  }
  if (has_scope) real();
  real();
  if (t) tm_task_is_test(t, tm_current_scope());
}

TM_GATE_CODE_END
#endif
