#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/facts.h"
#include "ground/real.h"

TM_GATE_CODE_BEGIN

TM_EXPORT int clock_gettime(clockid_t clock, struct timespec *now) {
  if (TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)) &&
      tm_control_clock(clock, now))
    return 0;
  return TM_REAL(clock_gettime)(clock, now);
}

TM_GATE_CODE_END
#endif
