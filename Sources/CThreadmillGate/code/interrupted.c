#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/real.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "threadmill_gate.h"
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* The stack of a blocked thread, taken by itself in a signal handler: from the interrupted context,
 * by libunwind through frames without frame pointers, else by frame pointers from the interrupted
 * frame. */

enum { ASKED = 1, ANSWERED = 2, PATIENCE_MS = 500 };
static int asking_signal;

static uint32_t walk_context(tm_thread *t, ucontext_t *context) {
#if defined(__x86_64__)
  t->code.taken_stack[0] = context->uc_mcontext.gregs[REG_RIP];
  void *frame = (void *)context->uc_mcontext.gregs[REG_RBP];
#elif defined(__aarch64__)
  t->code.taken_stack[0] = context->uc_mcontext.pc;
  void *frame = (void *)context->uc_mcontext.regs[29];
#else
#error "Threadmill knows x86-64 and arm64"
#endif
  if ((uintptr_t)frame < (uintptr_t)__builtin_frame_address(0)) return 1;
  bool broken;
  return 1 + tm_stack_walk(t, frame, t->code.taken_stack + 1, TM_STACK - 1, &broken);
}

/* The symboliser takes each address for a return address, and looks before it. The innermost
 * address is that of the instruction itself, so 1 is added to it. */
void tm_stack_take_interrupted(tm_thread *t, void *context) {
  t->code.taken_count = tm_stack_of_context(context, t->code.taken_stack, TM_STACK);
  if (t->code.taken_count < 2) t->code.taken_count = walk_context(t, context);
  if (t->code.taken_stack[0]) t->code.taken_stack[0]++;
}

static void answer(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  tm_thread *t = tm_self;
  if (!t || atomic_load(&t->code.stack_wanted) != ASKED) return;
  int saved = errno;
  tm_stack_take_interrupted(t, context);
  atomic_store(&t->code.stack_wanted, ANSWERED);
  syscall(SYS_futex, &t->code.stack_wanted, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  errno = saved;
}

/* Takes over the highest real-time signal that the program does not use. */
static bool install(void) {
  if (asking_signal) return true;
  for (int number = SIGRTMAX - 1; number > SIGRTMIN; number--) {
    struct sigaction old;
    if (TM_REAL(sigaction)(number, NULL, &old) != 0 || old.sa_handler != SIG_DFL) continue;
    struct sigaction ours = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&ours.sa_mask);
    if (TM_REAL(sigaction)(number, &ours, NULL) != 0) continue;
    asking_signal = number;
    return true;
  }
  return false;
}

void tm_stack_answers(void) {
  enum { SIGNAL_BYTES = 8 };
  if (!install()) return;
  uint64_t ours = 1ull << (asking_signal - 1);
  syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &ours, NULL, SIGNAL_BYTES);
}

void tm_stack_ask(tm_thread *other) {
  other->code.taken_count = 0;
  atomic_store(&other->code.stack_wanted, ASKED);
  bool sent = install() && syscall(SYS_tgkill, getpid(), other->ground.tid, asking_signal) == 0;
  struct timespec patience = {0, PATIENCE_MS * 1000000L};
  if (sent && atomic_load(&other->code.stack_wanted) == ASKED)
    syscall(SYS_futex, &other->code.stack_wanted, FUTEX_WAIT_PRIVATE, ASKED, &patience, NULL, 0);
  if (atomic_exchange(&other->code.stack_wanted, 0) != ANSWERED) {
    other->code.taken_count = 0;
    tm_count_one(TM_STACKS_MISSED);
  }
}

TM_GATE_CODE_END
#endif
