#ifdef __linux__
#include "ground/base.h"
#include "strand/rank.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

atomic_bool tm_ranked;

uint8_t tm_rank_of(int tid) {
  enum { FIFO = 1, ROUND_ROBIN = 2, IDLE = 5, DEADLINE = 6 };
  int saved = errno;
  struct sched_param given = {0};
  long policy = syscall(SYS_sched_getscheduler, tid);
  long known = syscall(SYS_sched_getparam, tid, &given);
  /* The system call returns 20 less the nice value. */
  long nice = syscall(SYS_getpriority, PRIO_PROCESS, tid);
  errno = saved;
  if (policy < 0 || known != 0 || nice < 0) return 0;
  switch (policy) {
  case FIFO:
  case ROUND_ROBIN: return (uint8_t)(TM_RANK_REAL_TIME + given.sched_priority);
  case IDLE: return TM_RANK_IDLE;
  case DEADLINE: return TM_RANK_DEADLINE;
  default: return (uint8_t)(TM_RANK_NICE + nice);
  }
}

TM_GATE_CODE_END
#endif
