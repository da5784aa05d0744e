#ifdef __linux__
#include "ground/base.h"
#include "ground/long_lock.h"
#include "ground/now.h"
#include "ground/thread.h"
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

static unsigned own_number(const tm_thread *t) {
  return t && t->ground.tid ? (unsigned)t->ground.tid : (unsigned)syscall(SYS_gettid);
}

/* A lock whose holder has ended is taken over. A kernel without priority inheritance makes the
 * thread look again after a millisecond. */
static bool wait_for_lock(tm_long_lock *lock, unsigned own, const struct timespec *until) {
  static const struct timespec pause = {0, 1000000};
  unsigned seen = atomic_load(&lock->owner);
  if (syscall(SYS_futex, &lock->owner, FUTEX_LOCK_PI_PRIVATE, 0, until, NULL, 0) == 0) return true;
  if (errno == ESRCH) return atomic_compare_exchange_strong(&lock->owner, &seen, own);
  if (errno != EAGAIN && errno != EINTR && errno != ETIMEDOUT) syscall(SYS_nanosleep, &pause, NULL);
  unsigned none = 0;
  return atomic_compare_exchange_strong(&lock->owner, &none, own);
}

static bool is_over(const struct timespec *until) {
  struct timespec now;
  if (!until || syscall(SYS_clock_gettime, CLOCK_REALTIME, &now) != 0) return false;
  return now.tv_sec > until->tv_sec ||
         (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
}

static bool take_lock(tm_long_lock *lock, const struct timespec *until) {
  tm_thread *t = tm_self;
  unsigned none = 0, own = own_number(t);
  if (t) t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  if (TM_LIKELY(atomic_compare_exchange_strong(&lock->owner, &none, own))) return true;
  int saved = errno;
  bool has;
  while (!(has = wait_for_lock(lock, own, until)) && !is_over(until)) continue;
  errno = saved;
  if (!has && t) t->ground.inside--;
  return has;
}

void tm_long_lock_take(tm_long_lock *lock) { take_lock(lock, NULL); }

bool tm_long_lock_take_within(tm_long_lock *lock, unsigned milliseconds) {
  struct timespec until;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &until);
  until.tv_nsec += milliseconds % 1000 * 1000000l;
  until.tv_sec += milliseconds / 1000 + until.tv_nsec / TM_SECOND;
  until.tv_nsec %= TM_SECOND;
  return take_lock(lock, &until);
}

void tm_long_lock_forget(tm_long_lock *lock) { atomic_store(&lock->owner, 0); }

void tm_long_lock_give(tm_long_lock *lock) {
  tm_thread *t = tm_self;
  unsigned own = own_number(t);
  /* The kernel has set a flag if a thread waits: then it hands the lock over. */
  if (TM_UNLIKELY(!atomic_compare_exchange_strong(&lock->owner, &own, 0))) {
    int saved = errno;
    if (syscall(SYS_futex, &lock->owner, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0)
      atomic_store(&lock->owner, 0);
    errno = saved;
  }
  atomic_signal_fence(memory_order_seq_cst);
  if (t) t->ground.inside--;
}

TM_GATE_CODE_END
#endif
