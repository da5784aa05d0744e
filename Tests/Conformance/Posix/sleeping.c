/* The sleep family: never shorter than asked, EINTR, the time that remained. nanosleep(2),
 * sleep(3). */
#include "conformance_posix.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

enum { MILLISECOND = 1000000 };

static const struct timespec invalid = {.tv_nsec = 1000000000};
static const struct timespec an_hour = {.tv_sec = 3600};

static void complete(void) {
  struct timespec one = {.tv_nsec = MILLISECOND}, rest = {.tv_sec = 77, .tv_nsec = 78};
  struct timespec deadline = conformance_from_now(CLOCK_MONOTONIC, 1);
  EXPECT_OK(nanosleep(&one, &rest));
  EXPECT(conformance_reached(CLOCK_MONOTONIC, deadline), true);
  EXPECT(rest.tv_sec * 1000 + rest.tv_nsec, 77078);
  deadline = conformance_from_now(CLOCK_MONOTONIC, 1);
  EXPECT_OK(usleep(1000));
  EXPECT(conformance_reached(CLOCK_MONOTONIC, deadline), true);
  deadline = conformance_from_now(CLOCK_MONOTONIC, 1);
  EXPECT_OK(clock_nanosleep(CLOCK_MONOTONIC, 0, &one, &rest));
  EXPECT(conformance_reached(CLOCK_MONOTONIC, deadline), true);
  EXPECT_OK((int)sleep(0));
  EXPECT_OK(usleep(0));
}

static void one_second(void) {
  struct timespec deadline = conformance_from_now(CLOCK_MONOTONIC, 1000);
  EXPECT_OK((int)sleep(1));
  EXPECT(conformance_reached(CLOCK_MONOTONIC, deadline), true);
}

static void absolute(void) {
  struct timespec deadline = conformance_from_now(CLOCK_MONOTONIC, 5);
  EXPECT_OK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL));
  EXPECT(conformance_reached(CLOCK_MONOTONIC, deadline), true);
  EXPECT_OK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL));
  struct timespec past = conformance_from_now(CLOCK_REALTIME, -100000);
  EXPECT_OK(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &past, NULL));
}

static void invalid_times(void) {
  EXPECT_ERRNO(nanosleep(&invalid, NULL), EINVAL);
  EXPECT_CODE(clock_nanosleep(CLOCK_MONOTONIC, 0, &invalid, NULL), EINVAL);
  EXPECT_CODE(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &an_hour, NULL), EINVAL);
}

static atomic_int tid, returned;

/* What an interrupted sleep said: the error and the seconds that were left. */
typedef struct {
  int error;
  time_t left;
} outcome;

static void ignore_signal(int number) { (void)number; }

static void *run_sleep(void *argument) {
  void (*body)(outcome *) = argument;
  static outcome seen;
  atomic_store(&tid, gettid());
  body(&seen);
  atomic_store(&returned, 1);
  return &seen;
}

/* Signals a thread in `body`, with SA_RESTART, which does not restart sleeps. */
static outcome interrupt(void (*body)(outcome *)) {
  struct sigaction action = {.sa_handler = ignore_signal, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t sleeper = conformance_start(run_sleep, body);
  conformance_await(&tid, 1);
  conformance_until_asleep(tid);
  while (atomic_load(&returned) == 0) {
    pthread_kill(sleeper, SIGUSR1);
    sched_yield();
  }
  void *seen = NULL;
  pthread_join(sleeper, &seen);
  return *(outcome *)seen;
}

static void do_nanosleep(outcome *seen) {
  struct timespec rest = {0};
  errno = 0;
  seen->error = nanosleep(&an_hour, &rest) == -1 ? errno : 0;
  seen->left = rest.tv_sec;
}

static void do_clock_nanosleep(outcome *seen) {
  struct timespec rest = {0};
  seen->error = clock_nanosleep(CLOCK_MONOTONIC, 0, &an_hour, &rest);
  seen->left = rest.tv_sec;
}

static void do_sleep(outcome *seen) {
  seen->left = sleep(3600);
  seen->error = EINTR;
}

static void do_usleep(outcome *seen) {
  errno = 0;
  seen->error = usleep(3600u * 1000000) == -1 ? errno : 0;
  seen->left = 3599;
}

/* Between nothing and everything is left; how much depends on the machine. */
static void check_interrupted(void (*body)(outcome *)) {
  outcome seen = interrupt(body);
  EXPECT_CODE(seen.error, EINTR);
  EXPECT(seen.left > 0 && seen.left <= 3600, true);
}

static void interrupted_nanosleep(void) { check_interrupted(do_nanosleep); }
static void interrupted_clock_nanosleep(void) { check_interrupted(do_clock_nanosleep); }
static void interrupted_sleep(void) { check_interrupted(do_sleep); }
static void interrupted_usleep(void) { check_interrupted(do_usleep); }

const conformance_case sleep_cases[] = {
    {"sleep.complete", complete},
    {"sleep.one-second", one_second},
    {"sleep.absolute", absolute},
    {"sleep.invalid-times", invalid_times},
    {"sleep.interrupted-nanosleep", interrupted_nanosleep},
    {"sleep.interrupted-clock-nanosleep", interrupted_clock_nanosleep},
    {"sleep.interrupted-sleep", interrupted_sleep},
    {"sleep.interrupted-usleep", interrupted_usleep},
    {NULL},
};
