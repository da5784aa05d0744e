#ifdef __linux__
#include "ground/base.h"
#include "ground/handler_stack.h"
#include "ground/facts.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "threadmill_gate.h"
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* The handler of a crash takes a stack and waits for the report; memory that is not touched costs
 * nothing. Stacks of threads that have ended are kept for others. */
enum { HANDLER_STACK = 256 * 1024, HANDLER_GUARD = 4096, KEPT_HANDLER_STACKS = 16 };
static char *_Atomic kept_handler_stacks[KEPT_HANDLER_STACKS];
static atomic_bool renounced;

static int set_stack(const stack_t *wanted, stack_t *before) {
  return (int)syscall(SYS_sigaltstack, wanted, before);
}

static char *take_handler_stack(void) {
  for (int i = 0; i < KEPT_HANDLER_STACKS; i++) {
    char *stack = atomic_exchange(&kept_handler_stacks[i], NULL);
    if (stack) return stack;
  }
  char *stack = tm_map(HANDLER_STACK);
  if (stack) syscall(SYS_mprotect, stack, HANDLER_GUARD, PROT_NONE);
  return stack;
}

static void keep_handler_stack(char *stack) {
  for (int i = 0; i < KEPT_HANDLER_STACKS; i++) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&kept_handler_stacks[i], &none, stack)) return;
  }
  tm_unmap(stack, HANDLER_STACK);
}

static bool is_gates(const tm_thread *t, const stack_t *stack) {
  return t && t->ground.handler_stack && stack->ss_sp == t->ground.handler_stack + HANDLER_GUARD;
}

static bool install(const tm_thread *t) {
  stack_t ours = {.ss_sp = t->ground.handler_stack + HANDLER_GUARD,
                  .ss_size = HANDLER_STACK - HANDLER_GUARD};
  return set_stack(&ours, NULL) == 0;
}

/* Thread Sanitizer gives each thread such a stack itself. */
void tm_handler_stack_give(tm_thread *t) {
  stack_t now;
  bool may_have = tm_settings_now.tells_crashes && !atomic_load(&renounced) && !tm_is_tsan();
  if (!may_have || t->ground.handler_stack) return;
  if (set_stack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
  char *stack = take_handler_stack();
  if (!stack) return;
  t->ground.handler_stack = stack;
  if (install(t)) return;
  t->ground.handler_stack = NULL;
  keep_handler_stack(stack);
}

/* A thread that ends inside of a handler still stands on its stack, which is then left to it. */
void tm_handler_stack_take_back(tm_thread *t) {
  static const stack_t none = {.ss_flags = SS_DISABLE};
  char *stack = t->ground.handler_stack;
  stack_t now;
  if (!stack) return;
  bool is_free = set_stack(NULL, &now) == 0 && (!is_gates(t, &now) || set_stack(&none, NULL) == 0);
  t->ground.handler_stack = NULL;
  if (is_free) keep_handler_stack(stack);
}

void tm_handler_stack_renounce(void) {
  atomic_store(&renounced, true);
  if (tm_self) tm_handler_stack_take_back(tm_self);
}

/* The kernel takes the stack for later handlers from the context when the handler returns. */
void tm_handler_stack_drop(void *context) {
  ucontext_t *interrupted = context;
  if (is_gates(tm_self, &interrupted->uc_stack))
    interrupted->uc_stack = (stack_t){.ss_flags = SS_DISABLE};
}

/* Once the program has taken its own stack away, the gate's is there again. */
int tm_handler_stack_ask(const stack_t *wanted, stack_t *before) {
  tm_thread *t = tm_self;
  int result = set_stack(wanted, before), saved = errno;
  if (result != 0 || !t || !t->ground.handler_stack) return result;
  if (before && is_gates(t, before)) *before = (stack_t){.ss_flags = SS_DISABLE};
  if (wanted && wanted->ss_flags & SS_DISABLE) install(t);
  errno = saved;
  return result;
}

TM_GATE_CODE_END
#endif
