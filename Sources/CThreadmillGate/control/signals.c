#ifdef __linux__
#include "ground/base.h"
#include "control/files.h"
#include "control/model.h"
#include "ground/proc.h"
#include "ground/real.h"
#include "ground/thread.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

TM_GATE_CODE_BEGIN

/* Signals and processes. The end of a process comes from outside; a signal may. */

static tm_reach from_outside(const tm_flow *f) {
  (void)f;
  return TM_REACH_OUTSIDE;
}

/* Waits for a signal. */

typedef struct signal_wait {
  uint64_t wanted; /* bit 0: signal 1 */
  int tid;
} signal_wait;

static uint64_t hexadecimal(const char *text) {
  uint64_t value = 0;
  for (text = tm_proc_blanks(text);; text++) {
    char c = *text;
    if (c >= '0' && c <= '9') value = value << 4 | (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f') value = value << 4 | (uint64_t)(c - 'a' + 10);
    else return value;
  }
}

static uint64_t pending(const char *text, const char *word) {
  const char *at = tm_proc_after(text, word);
  return at ? hexadecimal(at) : 0;
}

static tm_answer is_pending(const tm_flow *f) {
  const signal_wait *w = f->with;
  char path[TM_PROC_PATH], text[TM_PROC_TEXT];
  tm_proc_path(path, "task/", (unsigned)w->tid, "/status");
  if (!tm_proc_read(path, text)) return TM_YES;
  uint64_t all = pending(text, "\nSigPnd:") | pending(text, "\nShdPnd:");
  return all & w->wanted ? TM_YES : TM_NO;
}

/* A terminal, a clock or a child sends these. The others a program sends to itself. */
static tm_reach reach_of_signals(const tm_flow *f) {
  static const int foreign[] = {SIGINT,    SIGTERM, SIGHUP,  SIGQUIT, SIGCHLD, SIGALRM,
                                SIGVTALRM, SIGPROF, SIGWINCH, SIGIO,  SIGTSTP, SIGCONT};
  const signal_wait *w = f->with;
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (w->wanted >> (foreign[i] - 1) & 1) return TM_REACH_OUTSIDE;
  return TM_REACH_INSIDE;
}

static bool await_signal(tm_seat *s, const sigset_t *set, uint64_t due) {
  signal_wait w = {0, s->thread->ground.tid};
  tm_copy(&w.wanted, set, sizeof w.wanted);
  tm_file_wait wait = {is_pending, reach_of_signals, &w, -1};
  return tm_file_step(s, TM_STEP_WAIT, &wait, due);
}

static int control_sigwait(const sigset_t *restrict set, int *restrict got) {
  tm_seat *s = tm_seat_here();
  if (s) await_signal(s, set, 0);
  return TM_TRUE(sigwait)(set, got);
}

static int control_sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict got) {
  tm_seat *s = tm_seat_here();
  if (s) await_signal(s, set, 0);
  return TM_TRUE(sigwaitinfo)(set, got);
}

static int control_sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict got,
                                const struct timespec *restrict limit) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(sigtimedwait)(set, got, limit);
  static const struct timespec at_once = {0, 0};
  await_signal(s, set, tm_file_due(limit));
  return TM_TRUE(sigtimedwait)(set, got, &at_once);
}

/* Sending. A handler runs before the call returns, if it runs on this thread. */

static void about_to_signal(void) {
  tm_seat *s = tm_seat_here();
  if (s) tm_file_point(s, TM_STEP_SIGNAL, -1);
}

static int control_kill(pid_t process, int number) {
  about_to_signal();
  return TM_TRUE(kill)(process, number);
}

static int control_raise(int number) {
  about_to_signal();
  return TM_TRUE(raise)(number);
}

static int control_pthread_kill(pthread_t thread, int number) {
  about_to_signal();
  return TM_TRUE(pthread_kill)(thread, number);
}

/* Processes. */

typedef struct child_wait {
  idtype_t kind;
  id_t which;
  int options;
} child_wait;

static tm_answer has_news(const tm_flow *f) {
  const child_wait *w = f->with;
  siginfo_t news;
  news.si_pid = 0;
  long result =
      syscall(SYS_waitid, w->kind, w->which, &news, w->options | WNOHANG | WNOWAIT, NULL);
  return result != 0 || news.si_pid ? TM_YES : TM_NO;
}

/* Makes the step of a call that waits for a child. */
static void await_child(const char *name, child_wait w, void *frame) {
  tm_seat *s = tm_seat_here();
  if (!s) return;
  if (s->counts) tm_control_passed(name, frame);
  if (w.options & WNOHANG) return tm_file_point(s, TM_STEP_WAIT, -1);
  tm_file_step(s, TM_STEP_WAIT, &(tm_file_wait){has_news, from_outside, &w, -1}, 0);
}

/* The children that a number means in `waitpid`. */
static child_wait children(pid_t process, int options) {
  int wanted = WEXITED | (options & (WNOHANG | WUNTRACED | WCONTINUED));
  if (process > 0) return (child_wait){P_PID, (id_t)process, wanted};
  if (process == -1) return (child_wait){P_ALL, 0, wanted};
  return (child_wait){P_PGID, (id_t)-process, wanted};
}

static pid_t control_waitpid(pid_t process, int *status, int options) {
  await_child("waitpid", children(process, options), __builtin_frame_address(0));
  return TM_TRUE(waitpid)(process, status, options);
}

static pid_t control_wait(int *status) {
  await_child("wait", children(-1, 0), __builtin_frame_address(0));
  return TM_TRUE(wait)(status);
}

static pid_t control_wait4(pid_t process, int *status, int options, struct rusage *usage) {
  await_child("wait4", children(process, options), __builtin_frame_address(0));
  return TM_TRUE(wait4)(process, status, options, usage);
}

static int control_waitid(idtype_t kind, id_t which, siginfo_t *news, int options) {
  await_child("waitid", (child_wait){kind, which, options}, __builtin_frame_address(0));
  return TM_TRUE(waitid)(kind, which, news, options);
}

static void about_to_spawn(const char *name, void *frame) {
  tm_seat *s = tm_seat_here();
  if (!s) return;
  tm_file_point(s, TM_STEP_SPAWN, -1);
  if (s->counts) tm_control_passed(name, frame);
}

static int control_posix_spawn(pid_t *restrict process, const char *restrict path,
                               const posix_spawn_file_actions_t *restrict actions,
                               const posix_spawnattr_t *restrict attributes,
                               char *const arguments[restrict], char *const environment[restrict]) {
  about_to_spawn("posix_spawn", __builtin_frame_address(0));
  return TM_TRUE(posix_spawn)(process, path, actions, attributes, arguments, environment);
}

static int control_posix_spawnp(pid_t *restrict process, const char *restrict file,
                                const posix_spawn_file_actions_t *restrict actions,
                                const posix_spawnattr_t *restrict attributes,
                                char *const arguments[restrict],
                                char *const environment[restrict]) {
  about_to_spawn("posix_spawnp", __builtin_frame_address(0));
  return TM_TRUE(posix_spawnp)(process, file, actions, attributes, arguments, environment);
}

void tm_control_take_signals(struct tm_real *r) {
#define TAKE(name) r->name = (void *)control_##name;
  TAKE(sigwait) TAKE(sigwaitinfo) TAKE(sigtimedwait) TAKE(kill) TAKE(raise) TAKE(pthread_kill)
  TAKE(waitpid) TAKE(wait) TAKE(wait4) TAKE(waitid) TAKE(posix_spawn) TAKE(posix_spawnp)
}

TM_GATE_CODE_END
#endif
