#ifdef __linux__
#include "ground/base.h"
#include "strand/own_threads.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/kernel.h"
#include "ground/own_thread.h"
#include "ground/watchdog.h"
#include "strand/delivery.h"
#include <unistd.h>

TM_GATE_CODE_BEGIN

static pid_t home;

void tm_own_threads_prepare(void) { home = getpid(); }

/* A child of vfork has this memory and none of these threads. */
bool tm_own_threads_leave(void) {
  if (getpid() != home) return false;
  bool had_watchdog = tm_watchdog_leave();
  tm_delivery_leave();
  return had_watchdog;
}

void tm_own_threads_leave_at_end(void) {
  enum { PROGRAMS = 1, TSANS = 1 };
  if (!tm_tasks_are_more(tm_own_thread_count() + PROGRAMS + TSANS)) tm_own_threads_leave();
}

void tm_own_threads_return(bool had_watchdog) {
  if (!had_watchdog || !tm_is_active()) return;
  tm_quiet before = tm_quiet_begin();
  tm_watchdog_prepare();
  tm_quiet_end(before);
}

TM_GATE_CODE_END
#endif
