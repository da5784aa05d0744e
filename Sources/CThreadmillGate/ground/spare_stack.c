#ifdef __linux__
#include "ground/base.h"
#include "ground/spare_stack.h"
#include "ground/facts.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "threadmill_gate.h"
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* A detector with its report needs less than 100 KiB in a debug build; reserved memory that is not
 * touched costs nothing. */
enum { ROOM = 256 * 1024, SPARE_STACK = 1024 * 1024, SPARE_GUARD = 4096 };

/* One spare stack is kept for the next call. */
static char *_Atomic kept_spare_stack;

static char *take_spare_stack(void) {
  char *stack = atomic_exchange(&kept_spare_stack, NULL);
  if (stack || !(stack = tm_map(SPARE_STACK))) return stack;
  syscall(SYS_mprotect, stack, SPARE_GUARD, PROT_NONE);
  return stack;
}

static void keep_spare_stack(char *stack) {
  char *none = NULL;
  if (!atomic_compare_exchange_strong(&kept_spare_stack, &none, stack))
    tm_unmap(stack, SPARE_STACK);
}

/* Calls `work(context)` with the stack pointer at `top`. The saved frame pointer leads back to the
 * thread's own stack, for the unwinder too. */
#if defined(__x86_64__)
__attribute__((naked, noinline)) static void run_at(void (*work)(void *), void *context,
                                                    char *top) {
  __asm__("pushq %rbp\n"
          ".cfi_def_cfa_offset 16\n"
          ".cfi_offset %rbp, -16\n"
          "movq %rsp, %rbp\n"
          ".cfi_def_cfa_register %rbp\n"
          "movq %rdx, %rsp\n"
          "movq %rdi, %rax\n"
          "movq %rsi, %rdi\n"
          "callq *%rax\n"
          "movq %rbp, %rsp\n"
          "popq %rbp\n"
          ".cfi_def_cfa %rsp, 8\n"
          "retq\n");
}
#elif defined(__aarch64__)
__attribute__((naked, noinline)) static void run_at(void (*work)(void *), void *context,
                                                    char *top) {
  __asm__("stp x29, x30, [sp, #-16]!\n"
          ".cfi_def_cfa_offset 16\n"
          ".cfi_offset w30, -8\n"
          ".cfi_offset w29, -16\n"
          "mov x29, sp\n"
          ".cfi_def_cfa w29, 16\n"
          "mov sp, x2\n"
          "mov x9, x0\n"
          "mov x0, x1\n"
          "blr x9\n"
          "mov sp, x29\n"
          "ldp x29, x30, [sp], #16\n"
          ".cfi_def_cfa sp, 0\n"
          "ret\n");
}
#endif

/* Reads the bounds of the thread's stack once. A thread whose bounds are not known has no room. */
static void find_bounds(tm_ground_part *g) {
  pthread_attr_t attributes;
  void *base;
  size_t size;
  g->stack_low = g->stack_high = 1;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &base, &size) == 0) {
    g->stack_low = (uintptr_t)base;
    g->stack_high = (uintptr_t)base + size;
  }
  pthread_attr_destroy(&attributes);
}

/* On a signal handler's own stack, or a coroutine's, the rest of that stack is not known. A
 * coroutine's stack inside the thread's own cannot be told from it. */
static bool has_room(tm_thread *t) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  stack_t handlers;
  if (!t) return true;
  if (syscall(SYS_sigaltstack, NULL, &handlers) == 0 && handlers.ss_flags & SS_ONSTACK)
    return false;
  if (!t->ground.stack_high) find_bounds(&t->ground);
  return here < t->ground.stack_high && here >= t->ground.stack_low + ROOM;
}

void tm_run_with_room(void (*work)(void *), void *context) {
  if (TM_LIKELY(has_room(tm_self))) return work(context);
#if defined(__x86_64__) || defined(__aarch64__)
  char *stack = take_spare_stack();
  if (!stack) return tm_count_one(TM_MEMORY_REFUSED);
  run_at(work, context, stack + SPARE_STACK);
  keep_spare_stack(stack);
#else
  work(context);
#endif
}

TM_GATE_CODE_END
#endif
