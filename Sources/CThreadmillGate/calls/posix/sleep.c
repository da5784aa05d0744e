#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "ground/thread.h"
#include "observe/race.h"
#include "observe/starvation.h"
#include "seam/seam.h"
#include "seam/users_call.h"
#include "strand/operation.h"
#include "threadmill_views.h"
#include <time.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

static void block_pool(void *return_address, void *frame, uint64_t milliseconds) {
  tm_caller who;
  tm_thread *t = tm_users_call(return_address, &who);
  if (t && who <= TM_CALLER_FOUNDATION) tm_workers_sleep(t, frame, milliseconds);
}

#define TM_SLEEPING(name, arguments, milliseconds)                                     \
  tm_race_sleeps(__builtin_frame_address(0));                                          \
  if (TM_UNLIKELY(tm_sleep_blocks_pool(tm_self, milliseconds)))                        \
    block_pool(__builtin_return_address(0), __builtin_frame_address(0), milliseconds); \
  TM_INTERPOSED(name, arguments, TM_SLEEP, NULL, TM_THREAD, TM_EXCLUSIVE)

static uint64_t milliseconds_of(const struct timespec *wanted) {
  return wanted ? (uint64_t)wanted->tv_sec * 1000 + (uint64_t)wanted->tv_nsec / 1000000 : 0;
}

TM_EXPORT unsigned sleep(unsigned seconds) { TM_SLEEPING(sleep, (seconds), seconds * 1000ull); }
TM_EXPORT int usleep(useconds_t microseconds) {
  TM_SLEEPING(usleep, (microseconds), microseconds / 1000);
}
TM_EXPORT int nanosleep(const struct timespec *wanted, struct timespec *left) {
  TM_SLEEPING(nanosleep, (wanted, left), milliseconds_of(wanted));
}
TM_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                              struct timespec *left) {
  TM_SLEEPING(clock_nanosleep, (clock, flags, wanted, left),
              flags & TIMER_ABSTIME ? 0 : milliseconds_of(wanted));
}

TM_GATE_CODE_END
#endif
