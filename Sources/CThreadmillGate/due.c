#ifdef __linux__
#include "base.h"
#include "due.h"
#include "real.h"
#include "shake.h"
#include "state.h"
#include <time.h>

TM_GATE_CODE_BEGIN

enum { SECOND = 1000000000 };

/* libdispatch's clocks, by the two highest bits of a time; wall time is negated. */
static const uint64_t WALL = 3ull << 62, BOOT = 1ull << 63;

/* What is further ahead is as good as never: XCTest bounds each test by a month. */
static const uint64_t FAR_OFF = 7ull * 24 * 60 * 60 * SECOND;

static atomic_ullong latest;  /* the last one that happens once */
static atomic_ullong slowest; /* the longest interval */

/* Not by the symbol: Thread Sanitizer would take note of it. */
static uint64_t read_clock(clockid_t clock) {
  int (*get)(clockid_t, struct timespec *) =
      TM_HELPER(int (*)(clockid_t, struct timespec *), clock);
  struct timespec now;
  return get && get(clock, &now) == 0 ? (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec : 0;
}

uint64_t tm_now(void) { return read_clock(CLOCK_MONOTONIC); }
uint64_t tm_now_roughly(void) { return read_clock(CLOCK_MONOTONIC_COARSE); }

/* How long from now; 0 if it is over. */
static uint64_t ahead(dispatch_time_t when) {
  bool wall = (when & WALL) == WALL, boot = !wall && when & BOOT;
  uint64_t time = wall ? -when : boot ? when & ~BOOT : when;
  uint64_t now = read_clock(wall ? CLOCK_REALTIME : boot ? CLOCK_BOOTTIME : CLOCK_MONOTONIC);
  return time > now ? time - now : 0;
}

static void raise_to(atomic_ullong *highest, uint64_t value) {
  unsigned long long old = atomic_load(highest);
  while (old < value && !atomic_compare_exchange_weak(highest, &old, value)) {
  }
}

void tm_due_note(dispatch_time_t when, uint64_t interval) {
  if (when == DISPATCH_TIME_FOREVER) return;
  if (interval && interval != DISPATCH_TIME_FOREVER) raise_to(&slowest, interval);
  uint64_t left = ahead(when);
  if (left && left < FAR_OFF) raise_to(&latest, tm_now() + left);
}

/* What is to happen at once is no timer. */
static bool is_timer(dispatch_time_t when) {
  return when != DISPATCH_TIME_NOW && when != DISPATCH_TIME_FOREVER &&
         when != DISPATCH_WALLTIME_NOW;
}

dispatch_time_t tm_due_later(dispatch_time_t when, void *return_address) {
  tm_thread *t = tm_self;
  if (!t || TM_LIKELY(!tm_is_shaken(t)) || !is_timer(when) || !tm_is_active()) return when;
  if (tm_caller_of(t, return_address) > TM_CALLER_RUNTIME) return when;
  tm_decision late = tm_shake_decide(t, TM_POINT_LATE, NULL, 0);
  uint64_t nanoseconds = (uint64_t)(late >> TM_DECIDES_SHIFT) * 1000;
  return (when & WALL) == WALL ? when - nanoseconds : when + nanoseconds;
}

bool tm_is_something_due(uint64_t patience) {
  uint64_t last = atomic_load(&latest);
  return atomic_load(&slowest) >= patience || (last && tm_now() < last + SECOND);
}

TM_GATE_CODE_END
#endif
