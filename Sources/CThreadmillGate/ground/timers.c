#ifdef __linux__
#include "ground/base.h"
#include "ground/timers.h"
#include "ground/dispatch.h"
#include "ground/now.h"
#include <time.h>

TM_GATE_CODE_BEGIN

static const uint64_t BOOT = 1ull << 63;

/* A time that is further ahead counts as never: XCTest bounds each test by a month. */
static const uint64_t FAR_OFF = 7ull * 24 * 60 * 60 * TM_SECOND;

static atomic_ullong latest; /* the last one that happens once */

static atomic_ullong slowest; /* the longest interval */

/* Returns the time from now until `when`; 0 if `when` has passed. */
static uint64_t ahead(dispatch_time_t when) {
  bool wall = tm_is_wall_time(when), boot = !wall && when & BOOT;
  uint64_t time = wall ? -when : boot ? when & ~BOOT : when;
  uint64_t now = tm_read_clock(wall ? CLOCK_REALTIME : boot ? CLOCK_BOOTTIME : CLOCK_MONOTONIC);
  return time > now ? time - now : 0;
}

static void raise_to(atomic_ullong *highest, uint64_t value) {
  unsigned long long old = atomic_load(highest);
  while (old < value && !atomic_compare_exchange_weak(highest, &old, value)) {
  }
}

void tm_timer_note(dispatch_time_t when, uint64_t interval) {
  if (when == DISPATCH_TIME_FOREVER) return;
  if (interval && interval != DISPATCH_TIME_FOREVER) raise_to(&slowest, interval);
  uint64_t left = ahead(when);
  if (left && left < FAR_OFF) raise_to(&latest, tm_now() + left);
}

bool tm_is_timer_due(uint64_t patience) {
  uint64_t last = atomic_load(&latest);
  return atomic_load(&slowest) >= patience || (last && tm_now() < last + TM_SECOND);
}

TM_GATE_CODE_END
#endif
