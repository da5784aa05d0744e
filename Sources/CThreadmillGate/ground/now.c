#ifdef __linux__
#include "ground/base.h"
#include "ground/now.h"
#include "ground/real.h"
#include <time.h>

TM_GATE_CODE_BEGIN

/* Does not call the symbol `clock_gettime`, because Thread Sanitizer intercepts it. */
uint64_t tm_read_clock(int clock) {
  int (*get)(clockid_t, struct timespec *) =
      TM_HELPER(int (*)(clockid_t, struct timespec *), clock);
  struct timespec now;
  bool read = get && get(clock, &now) == 0;
  return read ? (uint64_t)now.tv_sec * TM_SECOND + (uint64_t)now.tv_nsec : 0;
}

uint64_t tm_now(void) { return tm_read_clock(CLOCK_MONOTONIC); }
uint64_t tm_now_roughly(void) { return tm_read_clock(CLOCK_MONOTONIC_COARSE); }

TM_GATE_CODE_END
#endif
