/* The process around the threads: signals, priorities, limits and files. signal(7), sched(7),
 * setrlimit(2), close_range(2). */
#include "conformance_posix.h"
#include "opposite_orders.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

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
