#ifdef __linux__
#include "ground/base.h"
#include "control/clocks.h"
#include "control/model.h"
#include "ground/pool.h"
#include <poll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* The real timer is never set to end in the future. When virtual time has come to its moment, it is
 * set so that it ends at once, and the kernel then makes its file ready. */

static tm_clock *clocks;

static tm_clock **place_of(int file) {
  tm_clock **at = &clocks;
  while (*at && (*at)->file != file) at = &(*at)->next;
  return at;
}

static void forget(tm_clock **at) {
  tm_clock *c = *at;
  *at = c->next;
  tm_pool_give(c, sizeof *c);
}

void tm_clock_forget(int file) {
  tm_clock **at = place_of(file);
  if (*at) forget(at);
}

void tm_clocks_forget(void) {
  while (clocks) forget(&clocks);
}

uint64_t tm_clocks_due(void) {
  uint64_t next = 0;
  for (const tm_clock *c = clocks; c; c = c->next)
    if (c->due && !c->ended && (!next || c->due < next)) next = c->due;
  return next;
}

/* Sets the real timer so that it ends at once, or not at all. */
static void set(int file, bool ends) {
  struct itimerspec when = {{0, 0}, {0, ends}};
  syscall(SYS_timerfd_settime, file, 0, &when, NULL);
}

void tm_clocks_expire(void) {
  for (tm_clock *c = clocks; TM_UNLIKELY(c != NULL); c = c->next) {
    if (!c->due || c->ended || c->due > tm_control_now()) continue;
    c->ended = true;
    set(c->file, true);
    /* The kernel ends the timer in an interrupt, a moment later. */
    struct pollfd it = {c->file, POLLIN, 0};
    struct timespec limit = {1, 0};
    syscall(SYS_ppoll, &it, 1l, &limit, NULL, 0l);
  }
}

void tm_clock_read(int file, void *count) {
  tm_clock *c = *place_of(file);
  if (!c || !c->ended) return;
  uint64_t ends = 1;
  if (c->interval) ends += (tm_control_now() - c->due) / c->interval;
  c->due = c->interval ? c->due + ends * c->interval : 0;
  c->ended = false;
  tm_copy(count, &ends, sizeof ends);
}

tm_clock *tm_clock_of(int file) { return *place_of(file); }

tm_clock *tm_clock_make(int file) {
  tm_clock **at = place_of(file);
  if (!*at && (*at = tm_pool_take(sizeof(tm_clock)))) (*at)->file = file;
  return *at;
}

TM_GATE_CODE_END
#endif
