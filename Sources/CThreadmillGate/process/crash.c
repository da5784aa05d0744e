#ifdef __linux__
#include "ground/base.h"
#include "process/crash.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/now.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "ground/watchdog.h"
#include "process/standing.h"
#include "tell/view.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* A thread that dies of a signal can do nothing for itself: it may hold the lock of the allocator
 * or of the dynamic linker. So it takes its own stack, as a blocked thread does when it is asked,
 * and waits a bounded time while the watchdog looks the names up and writes the report. Should that
 * need a lock that the dead thread holds, the time runs out and the process dies as it would have.
 */

enum { UNTOLD, TELLING, TOLD, SAVING, PATIENCE_SECONDS = 5 };

static struct {
  tm_thread *thread;
  int number;
  tm_view_room room;
  tm_thread_view view;
} dead;
static atomic_int state;

static void tell_crash(void *unused) {
  (void)unused;
  tm_happening crashed = {
      .kind = TM_CRASHED, .thread = &dead.view, .crashed = {.signal = dead.number}};
  tm_listening.happened(&crashed);
}

static void report(void) {
  tm_view_waiting(dead.thread, &dead.room, &dead.view);
  tm_copy(dead.room.stack, dead.thread->code.taken_stack,
          dead.thread->code.taken_count * sizeof(uintptr_t));
  dead.view.stack = dead.room.stack;
  dead.view.stack_count = dead.thread->code.taken_count;
  tm_watchdog_call(tell_crash, NULL);
  tm_watchdog_obey();
  atomic_store(&state, TOLD);
  syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Another signal ends the system call, but not the wait. */
static void wait_while(int what) {
  uint64_t end = tm_now() + (uint64_t)PATIENCE_SECONDS * TM_SECOND, now;
  while (atomic_load(&state) == what && (now = tm_now()) < end) {
    struct timespec rest = {(time_t)((end - now) / TM_SECOND), (long)((end - now) % TM_SECOND)};
    syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, what, &rest, NULL, 0);
  }
}

static tm_thread *interrupted; /* by SIGINT; NULL: by another signal, or an unknown thread */

static void save(void) {
  tm_standing_show(interrupted);
  tm_listening.give_up(TM_SIGNAL_ENDS);
  atomic_store(&state, TOLD);
  syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Saves the report before a signal ends the process. The signal may come twice, once for the
 * process group and once from a parent that passes signals on: the second call waits as well. */
void tm_ending_save(int number, void *context) {
  int before = UNTOLD;
  if (!tm_settings_now.saves || !tm_is_active()) return;
  bool first = atomic_compare_exchange_strong(&state, &before, SAVING);
  if (first && number == SIGINT && tm_self) {
    tm_stack_take_interrupted(tm_self, context);
    interrupted = tm_self;
  }
  if (first ? tm_watchdog_urgent(save) : before == SAVING) wait_while(SAVING);
}

/* Tells a crash, but only the first one. A crash inside the harness is not told: it would blame the
 * user for a fault of ours. A crash while TSan writes a report is not told
 * either: TSan's locks are held, and telling would wait for them. */
void tm_crash_tell(int number, void *context) {
  tm_thread *t = tm_self;
  int untold = UNTOLD;
  if (!tm_settings_now.tells_crashes || !tm_is_active() || !t || t->ground.inside ||
      tm_tsan_reports())
    return;
  if (!atomic_compare_exchange_strong(&state, &untold, TELLING)) return;
  tm_stack_take_interrupted(t, context);
  dead.thread = t;
  dead.number = number;
  if (tm_watchdog_urgent(report)) wait_while(TELLING);
}

TM_GATE_CODE_END
#endif
