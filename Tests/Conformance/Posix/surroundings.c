/* The process around the threads: users, limits, files, signals and children. setuid(2),
 * setrlimit(2), signal(7), fork(2), pthread_exit(3). */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDS_STATUS = 7 };

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *take_forth(void *unused) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return unused;
}

static void *take_back(void *unused) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return unused;
}

/* A finding, if anything watches. */
static void take_opposite_orders(void) {
  pthread_join(conformance_start(take_forth, NULL), NULL);
  pthread_join(conformance_start(take_back, NULL), NULL);
}

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

/* Signals. */

static sigset_t set_of(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}

static void blocked_signal_stays_pending(void) {
  sigset_t set = set_of(SIGUSR1), pending;
  int received = 0;
  EXPECT_OK(pthread_sigmask(SIG_BLOCK, &set, NULL));
  EXPECT_OK(kill(getpid(), SIGUSR1));
  EXPECT_OK(sigpending(&pending));
  EXPECT(sigismember(&pending, SIGUSR1), 1);
  EXPECT_OK(sigwait(&set, &received));
  EXPECT(received, SIGUSR1);
}

static pthread_t handled_by;
static atomic_int handled;

static void note_thread(int number) {
  (void)number;
  handled_by = pthread_self();
  atomic_fetch_add(&handled, 1);
}

/* Each of 200 signals is handled by the one thread that accepts it. */
static void signal_reaches_the_one_thread(void) {
  take_opposite_orders();
  signal(SIGUSR2, note_thread);
  for (int round = 1; round <= 200; round++) {
    kill(getpid(), SIGUSR2);
    conformance_await(&handled, round);
    if (!pthread_equal(handled_by, pthread_self())) EXPECT(round, 0);
  }
  EXPECT(handled, 200);
  _exit(conformance_failures());
}

static sem_t posted;

static void post(int number) {
  (void)number;
  sem_post(&posted);
}

static void handler_posts_among_locks(void) {
  sem_init(&posted, 0, 0);
  struct sigaction action = {.sa_handler = post, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval often = {.it_value = {.tv_usec = 500}, .it_interval = {.tv_usec = 500}};
  setitimer(ITIMER_REAL, &often, NULL);
  int round = 0;
  for (; round < 20; round++) {
    while (sem_trywait(&posted) != 0) take_forth(NULL);
    pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&fresh);
    pthread_mutex_unlock(&fresh);
    pthread_mutex_unlock(&first);
  }
  signal(SIGALRM, SIG_IGN);
  EXPECT(round, 20);
}

/* Priorities. */

enum { URGENT_ROUNDS = 100 };

/* New locks each time: a watcher has something to think about. */
static void take_new_pair(void) {
  pthread_mutex_t outer, inner;
  pthread_mutex_init(&outer, NULL);
  pthread_mutex_init(&inner, NULL);
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  pthread_mutex_destroy(&inner);
  pthread_mutex_destroy(&outer);
}

static atomic_int urgent_is_over, urgent_code;

static void *take_without_hurry(void *unused) {
  while (!atomic_load(&urgent_is_over)) take_new_pair();
  return unused;
}

/* Each time it wakes, it interrupts the other thread wherever that is. */
static void *take_urgently(void *unused) {
  static const struct timespec pause = {0, 100000};
  struct sched_param urgent = {.sched_priority = 1};
  atomic_store(&urgent_code, pthread_setschedparam(pthread_self(), SCHED_FIFO, &urgent));
  for (int round = 0; round < URGENT_ROUNDS; round++) {
    nanosleep(&pause, NULL);
    take_new_pair();
  }
  atomic_store(&urgent_is_over, 1);
  return unused;
}

/* Both on one processor: an urgent thread that spins would keep the holder from ever going on. The
 * kernel lets the holder run for 50 ms of each second even then. */
static void urgent_thread_waits_asleep(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  EXPECT_CODE(sched_setaffinity(0, sizeof one, &one), 0);
  alarm(20);
  pthread_t calm = conformance_start(take_without_hurry, NULL);
  pthread_t urgent = conformance_start(take_urgently, NULL);
  EXPECT_CODE(pthread_join(urgent, NULL), 0);
  EXPECT_CODE(pthread_join(calm, NULL), 0);
  /* Without the right to it the case says little. */
  EXPECT(urgent_code == 0 || urgent_code == EPERM, 1);
}

/* Limits. */

static void no_file_may_grow_with_handler(void) {
  struct rlimit none = {0, 0};
  signal(SIGXFSZ, note_thread);
  EXPECT_OK(setrlimit(RLIMIT_FSIZE, &none));
  take_opposite_orders();
  EXPECT(handled, 0);
  _exit(conformance_failures());
}

static void no_more_files(void) {
  struct rlimit few = {3, 3};
  EXPECT_OK(setrlimit(RLIMIT_NOFILE, &few));
  take_opposite_orders();
  EXPECT_ERRNO(open("/dev/null", O_RDONLY), EMFILE);
  _exit(conformance_failures());
}

static void error_stream_closed(void) {
  EXPECT_OK(close(STDERR_FILENO));
  take_opposite_orders();
  EXPECT(open("/dev/null", O_WRONLY), STDERR_FILENO);
  _exit(conformance_failures());
}

static void error_stream_full(void) {
  int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  EXPECT(dup2(full, STDERR_FILENO), STDERR_FILENO);
  take_opposite_orders();
  _exit(conformance_failures());
}

static void all_files_closed(void) {
  take_opposite_orders();
  EXPECT_OK(close_range(3, ~0u, 0));
  EXPECT(open("/dev/null", O_RDONLY), 3);
  take_opposite_orders();
  _exit(conformance_failures());
}

static void elsewhere_in_the_file_system(void) {
  EXPECT_OK(chdir("/"));
  take_opposite_orders();
  EXPECT(access("usr", F_OK), 0);
  _exit(conformance_failures());
}

static void not_dumpable(void) {
  EXPECT_OK(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
  take_opposite_orders();
  _exit(conformance_failures());
}

const conformance_case surroundings_cases[] = {
    {"user.one-thread", user_of_one_thread},
    {"user.from-elsewhere", user_from_elsewhere},
    {"user.among-locks", user_among_locks},
    {"user.without-capabilities", user_without_capabilities, 0,
     "its own thread keeps the capabilities, and libc aborts"},
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
    {"signal.blocked-stays-pending", blocked_signal_stays_pending},
    {"signal.reaches-the-one-thread", signal_reaches_the_one_thread},
    {"signal.handler-posts-among-locks", handler_posts_among_locks},
    {"priority.urgent-thread-waits-asleep", urgent_thread_waits_asleep},
    {"limit.no-file-may-grow-with-handler", no_file_may_grow_with_handler},
    {"limit.no-more-files", no_more_files},
    {"stream.closed", error_stream_closed},
    {"stream.full", error_stream_full},
    {"stream.all-files-closed", all_files_closed},
    {"place.elsewhere", elsewhere_in_the_file_system},
    {"place.not-dumpable", not_dumpable},
    {NULL},
};
