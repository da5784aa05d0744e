#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "control/world.h"
#include "ground/fork_mark.h"
#include "ground/kernel.h"
#include "ground/own_thread.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "strand/attention.h"
#include "strand/own_threads.h"
#include "strand/race_mark.h"
#include "strand/thread.h"
#include "threadmill_control.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* A whole program as the body of a schedule. The main thread is the first flow, from before the
 * program's main function on, and the schedule ends with the process. So each schedule has a
 * process of its own, and the explorer is another thread of it. */

static void (*starter)(void);
static tm_seat *seat_of_main;
static const tm_director *directed;

void tm_program_before_main(void (*hook)(void)) { starter = hook; }
bool tm_program_is_explored(void) { return starter != NULL; }
void tm_program_starts(void) { starter(); }

/* A point before the end of the process. */
void tm_program_ends(uintptr_t place) {
  tm_seat *s = tm_seat_here();
  if (!s) return;
  tm_seat_stops(s, place);
  tm_control_point(s, TM_STEP_END, NULL);
}

/* The exit handlers run without control, because one thread is left. */
void tm_program_over(void) {
  tm_seat_set(tm_self, NULL);
  tm_self->ground.inside = 0;
  exit(0);
}

bool tm_program_is_alone(void) {
  tm_own_threads_leave();
  /* A thread that was joined stays in the kernel's list for a moment, and nothing tells when it has
   * left that. */
  static const struct timespec pause = {.tv_nsec = 1000000};
  enum { PAUSES = 1000 };
  /* The main thread, and Thread Sanitizer's own. */
  uint32_t expected = tm_is_tsan() ? 2 : 1;
  for (int i = 0; i < PAUSES; i++) {
    if (!tm_tasks_are_more(expected)) return true;
    syscall(SYS_nanosleep, &pause, NULL);
  }
  return false;
}

int tm_program_make_file(void) {
  return (int)syscall(SYS_memfd_create, "output", MFD_CLOEXEC);
}

int tm_program_copy(void) {
  tm_own_threads_leave();
  tm_copies_stay_watched = true;
  int explorer = getpid();
  int process = fork();
  tm_copies_stay_watched = false;
  if (process != 0) return process;
  /* A copy must not outlive the process that explores, which may have ended already. */
  syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (syscall(SYS_getppid) != explorer) _exit(1);
  return process;
}

bool tm_program_wait(int process, uint32_t seconds, int *status) {
  int file = (int)syscall(SYS_pidfd_open, process, 0);
  struct pollfd end = {.fd = file, .events = POLLIN};
  struct timespec limit = {.tv_sec = seconds};
  /* A kernel that knows no such files (before Linux 5.3) waits as long as it takes. */
  bool in_time = file < 0 || syscall(SYS_ppoll, &end, 1l, &limit, NULL, 0l) != 0;
  if (file >= 0) syscall(SYS_close, file);
  if (!in_time) syscall(SYS_kill, process, SIGKILL);
  while (syscall(SYS_wait4, process, status, 0, NULL) < 0 && errno == EINTR) {
  }
  return in_time;
}

void tm_program_launch(void) { tm_seat_launch(seat_of_main); }

/* The explorer, and the seats that it makes, leave all signals to the program's threads but those
 * that an instruction raises, as the workers of libdispatch do. */
static void leave_signals(void) {
  static const int raised[] = {SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGPROF, 32, 33};
  enum { RAISED = sizeof raised / sizeof *raised, SIGNAL_BYTES = 8 };
  uint64_t blocked = ~0ull;
  for (int i = 0; i < RAISED; i++) blocked &= ~(1ull << (raised[i] - 1));
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, NULL, SIGNAL_BYTES);
}

static void *explore_program(void *unused) {
  leave_signals();
  tm_thread *t = tm_thread_attach();
  if (t) t->who.is_library = t->ground.keeps_going = true;
  tm_control(directed);
  /* It returns only if it cannot run a schedule. */
  _exit(1);
  return unused;
}

/* The main thread gets its turn as another thread of the user's does, but it has begun already. */
bool tm_program_explore(const tm_director *director) {
  static tm_own_thread explorer;
  tm_thread *t = tm_self;
  seat_of_main = t ? tm_pool_take(sizeof *seat_of_main) : NULL;
  if (!seat_of_main) return false;
  seat_of_main->is_thread = true;
  seat_of_main->handle = pthread_self();
  directed = director;
  if (!tm_own_thread_start(&explorer, explore_program)) return false;
  tm_turn_wait(seat_of_main);
  if (tm_control_is_given_up(seat_of_main)) tm_seat_stay();
  seat_of_main->thread = t;
  tm_seat_set(t, seat_of_main);
  t->ground.attention = tm_attention(t);
  tm_race_mark_schedule(tm_control_schedule());
  /* The calls until `tm_program_run` are not the program's. */
  t->ground.inside = 1;
  return true;
}

TM_GATE_CODE_END
#endif
