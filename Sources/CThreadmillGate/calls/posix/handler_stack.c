#ifdef __linux__
#include "ground/base.h"
#include "ground/handler_stack.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "strand/attention.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include <errno.h>
#include <signal.h>

TM_GATE_CODE_BEGIN

/* Other threads give their stacks back at their next call. */
static void renounce(void) {
  int saved = errno;
  tm_handler_stack_renounce();
  for (tm_thread *t = tm_thread_first(); t; t = tm_thread_next(t))
    __atomic_fetch_or(&t->ground.attention, TM_ATTENDS_HANDLERS, __ATOMIC_RELAXED);
  errno = saved;
}

static bool may_use_stack(const struct sigaction *action) {
  uintptr_t handler = (uintptr_t)action->sa_handler;
  bool is_handler = handler != (uintptr_t)SIG_DFL && handler != (uintptr_t)SIG_IGN;
  return action->sa_flags & SA_ONSTACK && is_handler && !tm_is_gate_code(handler);
}

TM_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
  int result = TM_REAL(sigaction)(number, action, before);
  if (result == 0 && action && may_use_stack(action) && tm_is_active()) renounce();
  return result;
}

TM_EXPORT int sigaltstack(const stack_t *wanted, stack_t *before) {
  return tm_is_tsan() ? TM_REAL(sigaltstack)(wanted, before) : tm_handler_stack_ask(wanted, before);
}

TM_GATE_CODE_END
#endif
