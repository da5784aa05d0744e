#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/proc.h"
#include "ground/real.h"
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
static atomic_int asking_signal;

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

/* The signals that the main thread blocks: the program may wait for them. */
static uint64_t blocked_signals(void) {
  char path[TM_PROC_PATH], text[TM_PROC_TEXT];
  tm_proc_path(path, "task/", (unsigned)getpid(), "/status");
  const char *digit = tm_proc_read(path, text) ? tm_proc_after(text, "SigBlk:") : NULL;
  if (!digit) return ~0ull;
  uint64_t mask = 0;
  for (digit = tm_proc_blanks(digit); *digit > ' '; digit++)
    mask = mask << 4 | (uint64_t)(*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
  return mask;
}

static uint64_t bit_of(int number) { return 1ull << (number - 1); }

static bool has_answer(int number) {
  struct sigaction now;
  return number && TM_REAL(sigaction)(number, NULL, &now) == 0 && now.sa_sigaction == answer;
}

static bool takes_over(int number) {
  struct sigaction old, ours = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&ours.sa_mask);
  return TM_REAL(sigaction)(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL &&
         TM_REAL(sigaction)(number, &ours, NULL) == 0;
}

/* Returns the signal that asks; takes over the highest real-time signal that the program does not
 * use. Returns 0 if it uses all. */
static int install(void) {
  int number = atomic_load(&asking_signal);
  if (has_answer(number)) return number;
  uint64_t blocked = blocked_signals();
  for (number = SIGRTMAX - 1; number > SIGRTMIN; number--)
    if (!(blocked & bit_of(number)) && (has_answer(number) || takes_over(number))) break;
  if (number <= SIGRTMIN) return 0;
  atomic_store(&asking_signal, number);
  return number;
}

void tm_stack_unblock(void) {
  enum { SIGNAL_BYTES = 8 };
  int number = install();
  if (!number) return;
  uint64_t mask = bit_of(number);
  syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, SIGNAL_BYTES);
}

void tm_stack_ask(tm_thread *other) {
  other->code.taken_count = 0;
  atomic_store(&other->code.stack_wanted, ASKED);
  int number = install();
  bool sent = number && syscall(SYS_tgkill, getpid(), other->ground.tid, number) == 0;
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
