/* Users, children and ends of a process. setuid(2), capabilities(7), fork(2), pthread_exit(3). */
#include "conformance_posix.h"
#include "opposite_orders.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDS_STATUS = 7 };

/* Users: libc has each thread change its own, by a signal. */

static int set_user(void *unused) {
  (void)unused;
  return setuid(getuid());
}

static void user_of_one_thread(void) { EXPECT_OK(setuid(getuid())); }

static void user_from_elsewhere(void) { EXPECT(conformance_elsewhere(set_user, NULL), 0); }

static void *set_groups(void *unused) {
  for (int round = 0; round < 10; round++) {
    EXPECT_CODE(setgid(getgid()), 0);
    EXPECT_CODE(setresuid(getuid(), getuid(), getuid()), 0);
  }
  return unused;
}

static void user_among_locks(void) {
  pthread_t thread = conformance_start(set_groups, NULL);
  for (int round = 0; round < 100; round++) take_forth(NULL);
  EXPECT_OK(pthread_join(thread, NULL));
}

/* Gives up the capabilities of this thread alone, as setpriv(1) and daemons do; the next call fails
 * here, and would not on a thread that still has them. */
static void user_without_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  EXPECT(syscall(SYS_capset, &header, none), 0);
  EXPECT_ERRNO(setgroups(0, NULL), EPERM);
  EXPECT_ERRNO(setresuid(getuid() + 1, getuid() + 1, getuid() + 1), EPERM);
}

/* The child uses the memory of its parent, which goes on when the child has ended. */
static void user_of_a_vfork_child(void) {
  pid_t child = vfork();
  if (child == 0) _exit(setuid(getuid()) == 0 ? CHILDS_STATUS : 1);
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child, 1);
  EXPECT(WEXITSTATUS(status), CHILDS_STATUS);
  EXPECT_OK(setuid(getuid()));
}

static void user_after_finding(void) {
  take_opposite_orders();
  EXPECT_OK(setuid(getuid()));
  _exit(conformance_failures());
}

/* Children. */

static void start_thread_and_end(void *unused) {
  (void)unused;
  pthread_join(conformance_start(take_forth, NULL), NULL);
  exit(CHILDS_STATUS);
}

static void child_starts_a_thread(void) {
  for (int round = 0; round < 3; round++)
    EXPECT(conformance_child(start_thread_and_end, NULL), CHILDS_STATUS);
}

static void child_after_threads_have_ended(void) {
  pthread_join(conformance_start(take_forth, NULL), NULL);
  EXPECT(conformance_child(start_thread_and_end, NULL), CHILDS_STATUS);
}

static void no_child_of_ours(void) {
  take_opposite_orders();
  EXPECT_ERRNO(waitpid(-1, NULL, WNOHANG), ECHILD);
  _exit(conformance_failures());
}

/* Ends. */

static void only_thread_exits(void) { pthread_exit(NULL); }

static void *exit_later(void *unused) {
  for (int round = 0; round < 100; round++) take_forth(NULL);
  return unused;
}

static void main_thread_exits_first(void) {
  for (int index = 0; index < 3; index++) pthread_detach(conformance_start(exit_later, NULL));
  pthread_exit(NULL);
}

static void *terminate_process(void *main_thread) {
  pthread_join(*(pthread_t *)main_thread, NULL);
  kill(getpid(), SIGTERM);
  for (;;) pause();
}

static void terminated_without_main_thread(void) {
  static pthread_t main_thread;
  main_thread = pthread_self();
  conformance_start(terminate_process, &main_thread);
  pthread_exit(NULL);
}

static void interrupted_while_waiting(void) {
  alarm(0);
  signal(SIGALRM, SIG_DFL);
  struct itimerval soon = {.it_value = {.tv_usec = 20000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  for (;;) pause();
}

const conformance_case user_cases[] = {
    {"user.one-thread", user_of_one_thread},
    {"user.from-elsewhere", user_from_elsewhere},
    {"user.among-locks", user_among_locks},
    {"user.without-capabilities", user_without_capabilities, 0,
     "its own thread keeps the capabilities, and libc aborts"},
    {"user.of-a-vfork-child", user_of_a_vfork_child},
    {"user.after-finding", user_after_finding},
    {"child.starts-a-thread", child_starts_a_thread},
    {"child.after-threads-have-ended", child_after_threads_have_ended},
    {"child.none-of-ours", no_child_of_ours},
    {"end.only-thread-exits", only_thread_exits, 0, "its own thread keeps the process alive"},
    {"end.main-thread-exits-first", main_thread_exits_first, 0,
     "its own thread keeps the process alive"},
    {"end.terminated-without-main-thread", terminated_without_main_thread,
     CONFORMANCE_SIGNAL + SIGTERM, "it takes a join of the main thread for impossible"},
    {"end.interrupted-while-waiting", interrupted_while_waiting, CONFORMANCE_SIGNAL + SIGALRM},
    {NULL},
};
