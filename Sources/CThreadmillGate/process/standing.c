#ifdef __linux__
#include "ground/base.h"
#include "process/standing.h"
#include "ground/facts.h"
#include "ground/real.h"
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "ground/timers.h"
#include "ground/tsan.h"
#include "process/fatal.h"
#include "process/hang.h"
#include "process/picture.h"
#include "strand/motion.h"
#include "strand/thread.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include <signal.h>

TM_GATE_CODE_BEGIN

/* A server that waits for its clients stands still by design, and so does a program that a signal
 * is to wake. Only a program that nothing can move is told to hang. Any other one is described when
 * SIGINT ends it.
 *
 * SIGINT is taken over only while the program does not move, and only if its action is the default
 * one. A program that moves again and asks for the action may see the gate's for one look. */

enum { FIRST_LOOK = 8 };
typedef enum standing { MOVES, STANDS, STANDS_FOR_GOOD, STANDS_TOLD } standing;
static _Atomic standing now; /* written by the watchdog */
static uint32_t quiet;       /* looks since something changed */

static bool is_about_fault(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGTRAP ||
         number == SIGFPE || number == SIGABRT || number == SIGSYS;
}

/* Returns whether a handler of the program's may be called, which may end a wait. */
static bool has_handler(void) {
  for (int number = 1; number <= SIGRTMAX; number++) {
    struct sigaction action;
    if (is_about_fault(number) || TM_REAL(sigaction)(number, NULL, &action) != 0) continue;
    uintptr_t handler = (uintptr_t)action.sa_handler;
    if (handler == (uintptr_t)SIG_DFL || handler == (uintptr_t)SIG_IGN) continue;
    bool is_runtimes = number == SIGQUIT && tm_is_system_code(handler);
    if (!is_runtimes && !tm_is_gate_code(handler)) return true;
  }
  return false;
}

/* A library's idle thread counts only if it waits for other threads and no timer is set. */
static bool is_bound(tm_thread *u, const tm_task *task) {
  tm_thread_signs signs = tm_thread_signs_of(u, task);
  if (!tm_is_bound(signs)) return false;
  if (signs.waits) return true;
  return signs.in_futex ? tm_task_waits_in_private(task) : tm_task_waits_in_vain(task, true);
}

/* `again`: the thread must not have run since the first look. */
static bool is_still_bound(tm_thread *u, uint64_t switches[TM_SLOTS], bool again) {
  tm_task task;
  if (!tm_task_read(u->ground.tid, &task) || !is_bound(u, &task)) return false;
  if (again) return switches[u->who.index] == task.switches;
  switches[u->who.index] = task.switches;
  return true;
}

/* The gate knows each thread but the watchdog and, with Thread Sanitizer, one of the sanitizer's.
 */
static bool are_all_bound(uint64_t switches[TM_SLOTS], bool again) {
  uint32_t count = tm_is_tsan() ? 2 : 1;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
    if (!tm_is_live(u)) continue;
    if (!is_still_bound(u, switches, again)) return false;
    count++;
  }
  return !tm_tasks_are_more(count);
}

bool tm_stands_for_good(void) {
  static uint64_t switches[TM_SLOTS];
  enum { ANY = 1 };
  return !tm_is_timer_due(ANY) && !has_handler() && are_all_bound(switches, false) &&
         are_all_bound(switches, true);
}

static bool are_all_asleep(void) {
  tm_task task;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    if (tm_is_live(u) && !(tm_task_read(u->ground.tid, &task) && task.asleep)) return false;
  return true;
}

/* Looks at the threads only after 8 quiet looks, 16, 32 and so on: that costs system calls. */
void tm_standing_look(bool moved, bool waits) {
  standing before = atomic_load(&now);
  if (before == STANDS_TOLD) return;
  quiet = moved ? 0 : quiet + 1;
  if (moved && before != MOVES) {
    atomic_store(&now, MOVES);
    tm_interrupt_heed(false);
  }
  bool is_time = quiet >= FIRST_LOOK && (quiet & (quiet - 1)) == 0;
  if (!is_time || before == STANDS_FOR_GOOD || !(waits || tm_task_awaits()) || !are_all_asleep())
    return;
  atomic_store(&now, waits && tm_stands_for_good() ? STANDS_FOR_GOOD : STANDS);
  tm_interrupt_heed(true);
}

void tm_standing_told(void) {
  atomic_store(&now, STANDS_TOLD);
  tm_interrupt_heed(false);
}

void tm_standing_show(tm_thread *interrupted) {
  standing before = atomic_load(&now);
  if (before == STANDS_FOR_GOOD) tm_hang_report(TM_STANDSTILL_STAYS);
  else if (before == STANDS && interrupted) tm_hang_show_interrupted(interrupted);
}

TM_GATE_CODE_END
#endif
