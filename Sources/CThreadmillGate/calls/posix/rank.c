#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "ground/real.h"
#include "seam/users_call.h"
#include "strand/rank.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Turns the look at ranks on if the user's code sets one. Calls of libraries do not count:
 * libdispatch gives its workers nice values all the time. */
static void note_call(void *return_address) {
  tm_caller who = TM_CALLER_SYSTEM;
  if (tm_users_call(return_address, &who) && who == TM_CALLER_USER)
    atomic_store_explicit(&tm_ranked, true, memory_order_relaxed);
}

#define TM_RANKING(name, arguments)       \
  note_call(__builtin_return_address(0)); \
  return TM_REAL(name) arguments

TM_EXPORT int setpriority(__priority_which_t which, id_t who, int value) {
  TM_RANKING(setpriority, (which, who, value));
}

TM_EXPORT int nice(int increment) { TM_RANKING(nice, (increment)); }

TM_EXPORT int sched_setscheduler(pid_t thread, int policy, const struct sched_param *given) {
  TM_RANKING(sched_setscheduler, (thread, policy, given));
}

TM_EXPORT int sched_setparam(pid_t thread, const struct sched_param *given) {
  TM_RANKING(sched_setparam, (thread, given));
}

TM_EXPORT int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *given) {
  TM_RANKING(pthread_setschedparam, (thread, policy, given));
}

TM_EXPORT int pthread_setschedprio(pthread_t thread, int priority) {
  TM_RANKING(pthread_setschedprio, (thread, priority));
}

TM_EXPORT int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) {
  TM_RANKING(pthread_attr_setschedpolicy, (attributes, policy));
}

TM_GATE_CODE_END
#endif
