#ifdef __linux__
#include "ground/base.h"
#include "ground/own_thread.h"
#include "ground/real.h"
#include "ground/storage.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* The signals are blocked from the thread's first instruction on, but 32 and 33: by them libc
 * cancels threads and has each thread change its user. */
bool tm_own_thread_start(pthread_t *thread, void *(*body)(void *)) {
  enum { SIGNAL_BYTES = 8 };
  uint64_t all = ~(3ull << 31), before = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, SIGNAL_BYTES);
  bool made = TM_REAL(pthread_create)(thread, NULL, body, NULL) == 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, SIGNAL_BYTES);
  return made;
}

TM_GATE_CODE_END
#endif
