#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/facts.h"
#include "ground/real.h"
#include <sys/time.h>

TM_GATE_CODE_BEGIN

/* Reads a clock of virtual time. Returns false if the caller has to read the real one. */
TM_INLINE bool is_virtual_now(clockid_t clock, struct timespec *now) {
  return TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)) &&
         tm_control_clock(clock, now);
}

TM_EXPORT int clock_gettime(clockid_t clock, struct timespec *now) {
  return is_virtual_now(clock, now) ? 0 : TM_REAL(clock_gettime)(clock, now);
}

/* The header promises the compiler that `moment` is not NULL, which the kernel allows. */
TM_EXPORT int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
  struct timespec now;
  struct timeval *to = moment;
  __asm__("" : "+r"(to));
  if (!to || !is_virtual_now(CLOCK_REALTIME, &now)) return TM_REAL(gettimeofday)(moment, zone);
  *to = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

TM_EXPORT time_t time(time_t *seconds) {
  struct timespec now;
  if (!is_virtual_now(CLOCK_REALTIME, &now)) return TM_REAL(time)(seconds);
  if (seconds) *seconds = now.tv_sec;
  return now.tv_sec;
}

TM_GATE_CODE_END
#endif
