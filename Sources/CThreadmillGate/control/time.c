#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "control/world.h"
#include "ground/dispatch.h"
#include "ground/now.h"
#include "ground/real.h"
#include "threadmill_control.h"
#include <errno.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Virtual time: it stands still as long as a flow can go on, and then jumps to the moment at which
 * the next sleep or time limit ends. Clocks that the program reads show virtual time, and each
 * reading a nanosecond more than the one before: on a real machine, no two readings are equal. */

typedef int (*clock_function)(clockid_t, struct timespec *);

static uint64_t real_now(clockid_t clock) {
  struct timespec now;
  ((clock_function)tm_real.clock)(clock, &now);
  return (uint64_t)now.tv_sec * TM_SECOND + (uint64_t)now.tv_nsec;
}

/* The reading of each clock when the exploration began; every schedule begins with these
 * readings. */
enum { CLOCKS = 16 };
static uint64_t began[CLOCKS];

static uint64_t beginning(clockid_t clock) {
  if (clock < 0 || clock >= CLOCKS) return 0;
  if (!began[clock]) began[clock] = real_now(clock);
  return began[clock];
}

/* The clocks that measure work, and those of processes and threads, are real. */
static bool is_virtual(clockid_t clock) {
  return clock >= 0 && clock < CLOCKS && clock != CLOCK_PROCESS_CPUTIME_ID &&
         clock != CLOCK_THREAD_CPUTIME_ID;
}

/* A loop that reads the clock again and again waits for time to pass. So virtual time passes, and
 * other flows can be chosen. */
static void clock_was_read(tm_seat *s) {
  enum { LOOKS = 100 };
  if (++s->looks <= LOOKS) return;
  tm_control_advance(TM_MILLISECOND);
  tm_seat_stops(s, 0);
  tm_control_point(s, TM_STEP_YIELD, NULL);
  s->looks = LOOKS;
}

bool tm_control_clock(clockid_t clock, struct timespec *now) {
  tm_seat *s = tm_seat_here();
  if (TM_LIKELY(!s) || !is_virtual(clock)) return false;
  clock_was_read(s);
  uint64_t shown = beginning(clock) + tm_control_now() + ++tm_world_now.readings;
  *now = (struct timespec){(time_t)(shown / TM_SECOND), (long)(shown % TM_SECOND)};
  return true;
}

/* Returns the end of the microsecond. All sleeps and time limits end there, so that the nanoseconds
 * of the readings decide nothing: two flows that sleep equally long wake in either order. */
static uint64_t microsecond_after(uint64_t moment) {
  return (moment + TM_MICROSECOND - 1) / TM_MICROSECOND * TM_MICROSECOND;
}

/* Returns the moment in virtual time, now or later, and never 0, which means "never". */
static uint64_t due_at(uint64_t shown, uint64_t beginning) {
  uint64_t now = tm_control_now();
  uint64_t due = microsecond_after(shown > beginning ? shown - beginning : 0);
  return due > now ? due : now ? now : 1;
}

uint64_t tm_control_after(const struct timespec *until, clockid_t clock) {
  uint64_t shown = (uint64_t)until->tv_sec * TM_SECOND + (uint64_t)until->tv_nsec;
  return due_at(shown, beginning(clock));
}

/* libdispatch's clocks, by the two highest bits of a time; wall time is negated. */
static const uint64_t WALL = 3ull << 62, BOOT = 1ull << 63;

uint64_t tm_control_due(dispatch_time_t when) {
  if (when == DISPATCH_TIME_FOREVER) return 0;
  if (when == DISPATCH_TIME_NOW || when == DISPATCH_WALLTIME_NOW) return due_at(0, 0);
  bool wall = (when & WALL) == WALL, boot = !wall && when & BOOT;
  uint64_t shown = wall ? -when : boot ? when & ~BOOT : when;
  return due_at(shown, beginning(wall ? CLOCK_REALTIME : boot ? CLOCK_BOOTTIME : CLOCK_MONOTONIC));
}

static tm_answer only_time_ends(const tm_flow *f) {
  (void)f;
  return TM_NO;
}

/* Like a real sleep, a virtual one takes a little longer than it has to. A program that sleeps
 * until a clock shows a certain time, and computes in floating point, would otherwise find a rest
 * or none, depending on the clock's first reading. If the rest is too small to be slept, the
 * program would never get there. */
static void sleep_for(tm_seat *s, uint64_t nanoseconds) {
  uint64_t due = microsecond_after(tm_control_now() + nanoseconds) + TM_MICROSECOND;
  tm_control_step(s, TM_STEP_SLEEP, NULL, only_time_ends, NULL, due);
}

void tm_control_rest(tm_seat *s) { sleep_for(s, 0); }

static unsigned control_sleep(unsigned seconds) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(sleep)(seconds);
  sleep_for(s, (uint64_t)seconds * TM_SECOND);
  return 0;
}

static int control_usleep(useconds_t microseconds) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(usleep)(microseconds);
  sleep_for(s, (uint64_t)microseconds * TM_MICROSECOND);
  return 0;
}

static bool is_time(const struct timespec *wanted) {
  return wanted && wanted->tv_sec >= 0 && wanted->tv_nsec >= 0 && wanted->tv_nsec < TM_SECOND;
}

static int control_nanosleep(const struct timespec *wanted, struct timespec *left) {
  tm_seat *s = tm_seat_here();
  if (!s || !is_time(wanted)) return TM_TRUE(nanosleep)(wanted, left);
  sleep_for(s, (uint64_t)wanted->tv_sec * TM_SECOND + (uint64_t)wanted->tv_nsec);
  return 0;
}

static int control_clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                                   struct timespec *left) {
  tm_seat *s = tm_seat_here();
  if (!s || !is_time(wanted) || !is_virtual(clock))
    return TM_TRUE(clock_nanosleep)(clock, flags, wanted, left);
  uint64_t time = (uint64_t)wanted->tv_sec * TM_SECOND + (uint64_t)wanted->tv_nsec;
  if (flags & TIMER_ABSTIME) {
    uint64_t from = beginning(clock) + tm_control_now();
    time = time > from ? time - from : 0;
  }
  sleep_for(s, time);
  return 0;
}

void tm_control_take_time(struct tm_real *r){
#define TAKE(name) r->name = (void *)control_##name;
    TAKE(sleep) TAKE(usleep) TAKE(nanosleep) TAKE(clock_nanosleep)}

TM_GATE_CODE_END
#endif
