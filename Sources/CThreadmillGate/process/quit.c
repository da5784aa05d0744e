#ifdef __linux__
#include "ground/base.h"
#include "ground/facts.h"
#include "ground/real.h"
#include "ground/now.h"
#include "ground/watchdog.h"
#include "process/hang.h"
#include "threadmill_gate.h"
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* On SIGQUIT the gate shows what every thread does, and then the signal does what it would have
 * done. The handler only asks the watchdog, which it makes if there is none. If the watchdog cannot
 * finish, because it needs a lock of the interrupted thread, a second SIGQUIT ends the process at
 * once. A SIGQUIT within a second of the first does not count: a signal to a group of processes
 * also reaches those that pass it on. */

enum { SIGNAL_BYTES = 8, AGAIN_WITHIN = 1000000000 };
static pid_t asked_of;
static _Atomic uint64_t asked;
static struct sigaction action_before;

static void end_by_signal(void) {
  uint64_t quit = 1ull << (SIGQUIT - 1);
  TM_REAL(sigaction)(SIGQUIT, &action_before, NULL);
  syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), SIGQUIT);
  syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &quit, NULL, SIGNAL_BYTES);
}

static void look_at_quit(tm_check *check) {
  (void)check;
  tm_hang_show();
  end_by_signal();
}

static tm_check quit_check = {.look = look_at_quit};

static void on_quit(int number) {
  (void)number;
  int saved = errno;
  uint64_t now = tm_now(), first = 0;
  bool again = !atomic_compare_exchange_strong(&asked, &first, now);
  if (getpid() != asked_of || (again && now - first > AGAIN_WITHIN)) end_by_signal();
  else if (!again && tm_is_active()) tm_watchdog_arm(&quit_check);
  else if (!again) end_by_signal();
  errno = saved;
}

/* Returns whether the action is the default one, or that of the Swift runtime, which prints a
 * backtrace. */
static bool is_usual(const struct sigaction *action) {
  bool asks = action->sa_flags & SA_SIGINFO;
  if (!asks && action->sa_handler == SIG_DFL) return true;
  return asks && tm_is_system_code((uintptr_t)action->sa_sigaction);
}

/* Leaves a program alone that handles the signal itself, now or later. */
void tm_quit_prepare(void) {
  if (!tm_settings_now.shows_threads || TM_REAL(sigaction)(SIGQUIT, NULL, &action_before) != 0 ||
      !is_usual(&action_before))
    return;
  asked_of = getpid();
  struct sigaction ours = {.sa_handler = on_quit, .sa_flags = SA_RESTART};
  sigemptyset(&ours.sa_mask);
  TM_REAL(sigaction)(SIGQUIT, &ours, NULL);
}

TM_GATE_CODE_END
#endif
