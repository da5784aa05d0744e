#ifdef __linux__
#include "base.h"
#include "operation.h"
#include <time.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

TM_EXPORT unsigned sleep(unsigned seconds) {
  TM_INTERPOSED(sleep, (seconds), TM_SLEEP, NULL, TM_THREAD, TM_EXCLUSIVE);
}
TM_EXPORT int usleep(useconds_t microseconds) {
  TM_INTERPOSED(usleep, (microseconds), TM_SLEEP, NULL, TM_THREAD, TM_EXCLUSIVE);
}
TM_EXPORT int nanosleep(const struct timespec *wanted, struct timespec *left) {
  TM_INTERPOSED(nanosleep, (wanted, left), TM_SLEEP, NULL, TM_THREAD, TM_EXCLUSIVE);
}
TM_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                              struct timespec *left) {
  TM_INTERPOSED(clock_nanosleep, (clock, flags, wanted, left), TM_SLEEP, NULL, TM_THREAD,
                TM_EXCLUSIVE);
}

TM_GATE_CODE_END
#endif
