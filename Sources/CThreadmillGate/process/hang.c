#ifdef __linux__
#include "ground/base.h"
#include "process/hang.h"
#include "ground/facts.h"
#include "ground/kernel.h"
#include "ground/limits.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "ground/watchdog.h"
#include "process/picture.h"
#include "process/standing.h"
#include "strand/hold.h"
#include "strand/motion.h"
#include "strand/scope.h"
#include "strand/thread.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_sequence.h"
#include "threadmill_views.h"
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* A hang is reported only if all of this is true: for so many looks in a row, no thread began or
 * ended a wait or a hold; in the second half of that time, no thread was even woken; a thread, or a
 * task of a test that runs, waits for good; each thread waits, without a time limit, for another
 * thread, or is idle by design; and no timer, file or sleep is set up that could wake one. */

enum { TICKS_PER_SECOND = 1000 / TM_TICK_MS };

static uint64_t switches[TM_SLOTS]; /* of each thread, at the half of the time */

static uint64_t last_mark;

static uint32_t still; /* looks since something changed */

static atomic_bool has_deadlock;

void tm_deadlock_found(void) {
  atomic_store_explicit(&has_deadlock, true, memory_order_relaxed);
}

uint32_t tm_hang_seconds(void) {
  bool is_short = !tm_settings_now.hang_always && tm_is_test_running() &&
                  atomic_load_explicit(&has_deadlock, memory_order_relaxed);
  return is_short ? tm_settings_now.stuck_seconds : tm_settings_now.hang_seconds;
}

/* Threads of an exploration are the explorer's to tell, and may be left over from a schedule. */
static bool waits_for_ever(tm_thread *u) {
  return tm_is_live(u) && !u->ground.explored && tm_waits_for(u) &&
         !TM_GLIMPSE(u->holds.wait.bounded);
}

/* Returns a mark of the progress of all threads together. */
static uint64_t mark(bool *somebody_waits) {
  uint64_t hash = 0;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
    hash = tm_mix(hash, tm_look(u));
    if (waits_for_ever(u)) *somebody_waits = true;
  }
  return hash;
}

static void tell_hang(void *context) {
  tm_picture *p = context;
  p->is_hang = tm_listening.standstill(&p->told);
}

/* The picture holds only if no thread has moved since the last look. */
bool tm_hang_report(tm_standstill_cause cause) {
  tm_picture *p = tm_map(sizeof(tm_picture));
  if (!p) return false;
  p->told.cause = cause;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    if (waits_for_ever(u)) tm_picture_thread(p, u, false);
  tm_picture_rest(p);
  bool waits = false;
  if (mark(&waits) == last_mark) tm_watchdog_call(tell_hang, p);
  bool is_hang = p->is_hang;
  tm_unmap(p, sizeof(tm_picture));
  return is_hang;
}

static bool is_at_work(tm_thread *u) {
  tm_task task;
  return tm_is_live(u) && tm_task_read(u->ground.tid, &task) &&
         tm_state_of_thread(tm_thread_signs_of(u, &task)) != TM_THREAD_IDLE;
}

void tm_hang_show(void) {
  tm_picture *p = tm_map(sizeof(tm_picture));
  if (!p) return;
  p->told.cause = TM_STANDSTILL_ON_QUIT;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    if (is_at_work(u)) tm_picture_thread(p, u, true);
  tm_picture_rest(p);
  tm_watchdog_call(tell_hang, p);
  tm_unmap(p, sizeof(tm_picture));
  tm_listening.give_up(TM_SIGNAL_ENDS);
}

void tm_hang_show_interrupted(tm_thread *interrupted) {
  tm_picture *p = tm_map(sizeof(tm_picture));
  if (!p) return;
  p->told.cause = TM_STANDSTILL_ON_INTERRUPT;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
    if (u == interrupted || (tm_is_live(u) && tm_waits_for(u))) tm_picture_thread(p, u, false);
    else if (is_at_work(u)) p->told.left_out++;
  }
  tm_picture_rest(p);
  tm_watchdog_call(tell_hang, p);
  tm_unmap(p, sizeof(tm_picture));
}

static tm_check check;

/* Where a hang of a program is told, and the program goes on, it is told once. */
static void leave(void) {
  if (!tm_stands_for_good() || !tm_hang_report(TM_STANDSTILL_STAYS)) return;
  tm_standing_told();
  tm_watchdog_disarm(&check);
  tm_listening.give_up(TM_PROCESS_STAYS);
}

static void look_for_hang(tm_check *unused) {
  (void)unused;
  bool somebody_waits = false;
  uint64_t now = mark(&somebody_waits);
  uint32_t seconds = tm_hang_seconds(), needed = seconds * TICKS_PER_SECOND;
  bool may_hang = somebody_waits || tm_is_test_running(), moved = now != last_mark;
  last_mark = now;
  if (tm_settings_now.leaves_hangs) tm_standing_look(moved, somebody_waits);
  still = may_hang && !moved ? still + 1 : 0;
  if (still == needed / 2) tm_switches_note(switches);
  if (still < needed) return;
  still = 0;
  bool ends = tm_settings_now.hang_always || tm_is_test_running();
  if (!tm_is_kept_from_end(somebody_waits, ends && !somebody_waits && tm_test_awaits())) return;
  if (tm_can_anything_move(switches, (uint64_t)seconds * 500000000)) return;
  if (!ends) leave();
  else if (tm_hang_report(TM_STANDSTILL_ENDS) && tm_is_active()) tm_listening.give_up(TM_HANG_ENDS);
}

void tm_end_process(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

static tm_check check = {.look = look_for_hang};

static void begin(void) {
  if (tm_settings_now.hang_seconds) tm_watchdog_arm(&check);
}

void tm_test_began(uint32_t scope) {
  tm_scope_open(scope);
  begin();
}

void tm_test_ended(uint32_t scope) {
  tm_scope_close(scope);
  if (tm_settings_now.hang_seconds) tm_watchdog_disarm(&check);
}

void tm_hang_prepare(void) {
  if (tm_settings_now.hang_always || tm_settings_now.leaves_hangs) begin();
}

TM_GATE_CODE_END
#endif
