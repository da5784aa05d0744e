#ifdef __linux__
#include "ground/base.h"
#include "control/files.h"
#include "control/model.h"
#include "control/timer_files.h"
#include "ground/now.h"
#include "ground/proc.h"
#include "ground/real.h"
#include <sys/timerfd.h>

TM_GATE_CODE_BEGIN

/* The calls that set timers which are files. */

/* The clock of the timer, as the kernel shows it. */
static clockid_t clock_of(int file) {
  char path[TM_PROC_PATH], info[TM_PROC_TEXT];
  tm_proc_path(path, "fdinfo/", (unsigned)file, "");
  const char *clock = tm_proc_read(path, info) ? tm_proc_after(info, "clockid:") : NULL;
  return clock ? (clockid_t)tm_proc_number(&clock) : CLOCK_MONOTONIC;
}

static struct timespec spread(uint64_t nanoseconds) {
  return (struct timespec){(time_t)(nanoseconds / TM_SECOND), (long)(nanoseconds % TM_SECOND)};
}

static uint64_t joined(struct timespec time) {
  return (uint64_t)time.tv_sec * TM_SECOND + (uint64_t)time.tv_nsec;
}

static struct itimerspec rest_of(const tm_timer_file *c) {
  uint64_t now = tm_control_now();
  bool runs = c && c->due && (c->interval || !c->ended);
  uint64_t rest = !runs ? 0 : c->due > now ? c->due - now : 1;
  return (struct itimerspec){spread(c ? c->interval : 0), spread(rest)};
}

static int control_timerfd_settime(int file, int flags, const struct itimerspec *when,
                                   struct itimerspec *before) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(timerfd_settime)(file, flags, when, before);
  tm_file_point(s, TM_STEP_SEND, file);
  struct itimerspec never = {{0, 0}, {0, 0}};
  /* The real call finds errors. */
  int result = TM_TRUE(timerfd_settime)(file, 0, &never, NULL);
  tm_timer_file *c = result == 0 ? tm_timer_file_make(file) : NULL;
  if (!c) return TM_TRUE(timerfd_settime)(file, flags, when, before);
  if (before) *before = rest_of(c);
  uint64_t value = joined(when->it_value);
  c->ended = false, c->interval = joined(when->it_interval);
  bool absolute = flags & TFD_TIMER_ABSTIME;
  c->due = !value     ? 0
           : absolute ? tm_control_after(&when->it_value, clock_of(file))
                      : tm_file_due(&when->it_value);
  return 0;
}

static int control_timerfd_gettime(int file, struct itimerspec *now) {
  tm_seat *s = tm_seat_here();
  const tm_timer_file *c = s ? tm_timer_file_of(file) : NULL;
  if (!c) return TM_TRUE(timerfd_gettime)(file, now);
  *now = rest_of(c);
  return 0;
}

void tm_control_take_clocks(struct tm_real *r) {
  r->timerfd_settime = (void *)control_timerfd_settime;
  r->timerfd_gettime = (void *)control_timerfd_gettime;
}

TM_GATE_CODE_END
#endif
