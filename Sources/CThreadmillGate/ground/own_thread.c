#ifdef __linux__
#include "ground/base.h"
#include "ground/own_thread.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/storage.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

static atomic_uint count;

/* As much as threads have by default; memory that is not touched costs nothing. */
enum { STACK = 8 * 1024 * 1024, GUARD = 64 * 1024 };

static char *make_stack(void) {
  char *stack = tm_map(STACK);
  if (stack) syscall(SYS_mprotect, stack, GUARD, PROT_NONE);
  return stack;
}

/* The signals are blocked from the thread's first instruction on, but 32 and 33: by them libc
 * cancels threads and has each thread change its user. */
static bool start_on(tm_own_thread *thread, const pthread_attr_t *attributes,
                     void *(*body)(void *)) {
  enum { SIGNAL_BYTES = 8 };
  uint64_t all = ~(3ull << 31), before = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, SIGNAL_BYTES);
  bool made = TM_REAL(pthread_create)(&thread->handle, attributes, body, NULL) == 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, SIGNAL_BYTES);
  return made;
}

bool tm_own_thread_start(tm_own_thread *thread, void *(*body)(void *)) {
  if (!thread->stack && !(thread->stack = make_stack())) return false;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  bool made = pthread_attr_setstack(&attributes, thread->stack + GUARD, STACK - GUARD) == 0 &&
              start_on(thread, &attributes, body);
  pthread_attr_destroy(&attributes);
  if (made) atomic_fetch_add(&count, 1);
  return made;
}

void tm_own_thread_join(tm_own_thread *thread) {
  TM_REAL(pthread_join)(thread->handle, NULL);
  atomic_fetch_sub(&count, 1);
}

uint32_t tm_own_thread_count(void) { return atomic_load(&count); }

TM_GATE_CODE_END
#endif
