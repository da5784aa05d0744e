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

/* Returns the thread if libTesting makes the call, else NULL. Only libTesting changes the scope, in
 * matching pairs; pushes of other code pass through. */
static tm_thread *testing_calls(void *return_address) {
  if (!tm_is_active() || !tm_real.int_metadata || !tm_listening.scope_entered) return NULL;
  tm_thread *t = tm_self ? tm_self : tm_thread_attach();
  return t && !t->ground.inside && tm_caller_of(t, return_address) == TM_CALLER_TESTING ? t : NULL;
}

__attribute__((swiftcall)) TM_EXPORT void swift_task_localValuePush(const void *key, void *value,
                                                                    const void *type) {
  push_function real = TM_HELPER(push_function, swift_task_localValuePush);
  real(key, value, type);
  tm_thread *t = testing_calls(__builtin_return_address(0));
  if (!t) return;
  tm_enter_harness();
  intptr_t scope = tm_listening.scope_entered();
  tm_leave_harness();
  real(&tm_scope_key, &scope, tm_real.int_metadata);
  tm_task_is_test(t, (uint32_t)scope);
}

__attribute__((swiftcall)) TM_EXPORT void swift_task_localValuePop(void) {
  pop_function real = TM_HELPER(pop_function, swift_task_localValuePop);
  tm_thread *t = testing_calls(__builtin_return_address(0));
  if (t) {
    uint32_t scope = tm_current_scope();
    tm_enter_harness();
    tm_listening.scope_leaving(scope);
    tm_leave_harness();
    real();
  }
  real();
  if (t) tm_task_is_test(t, tm_current_scope());
}

TM_GATE_CODE_END
#endif
