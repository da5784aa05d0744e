/* pthread_join and its variants. pthread_join(3), pthread_tryjoin_np(3), pthread_detach(3). */
#include "conformance_posix.h"

#include <errno.h>
#include <sched.h>

static atomic_int go;

static void *wait_for_go(void *argument) {
  conformance_await(&go, 1);
  return argument;
}

static void join_self(void) { EXPECT_CODE(pthread_join(pthread_self(), NULL), EDEADLK); }

static int join_own_thread(void *unused) {
  (void)unused;
  return pthread_join(pthread_self(), NULL);
}

static void join_self_in_thread(void) {
  EXPECT_CODE(conformance_elsewhere(join_own_thread, NULL), EDEADLK);
}

static void tryjoin(void) {
  pthread_t thread = conformance_start(wait_for_go, (void *)7);
  void *value = NULL;
  EXPECT_CODE(pthread_tryjoin_np(thread, &value), EBUSY);
  atomic_store(&go, 1);
  int code;
  while ((code = pthread_tryjoin_np(thread, &value)) == EBUSY) sched_yield();
  EXPECT_CODE(code, 0);
  EXPECT((long)value, 7);
}

static void timedjoin(void) {
  pthread_t thread = conformance_start(wait_for_go, (void *)8);
  void *value = NULL;
  struct timespec past = conformance_from_now(CLOCK_REALTIME, -1000);
  EXPECT_CODE(pthread_timedjoin_np(thread, &value, &past), ETIMEDOUT);
  struct timespec soon = conformance_from_now(CLOCK_REALTIME, 20);
  EXPECT_CODE(pthread_timedjoin_np(thread, &value, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_REALTIME, soon), true);
  struct timespec late = conformance_from_now(CLOCK_REALTIME, 1000000);
  atomic_store(&go, 1);
  EXPECT_OK(pthread_timedjoin_np(thread, &value, &late));
  EXPECT((long)value, 8);
}

static void clockjoin(void) {
  pthread_t thread = conformance_start(wait_for_go, (void *)9);
  void *value = NULL;
  struct timespec soon = conformance_from_now(CLOCK_MONOTONIC, 20);
  EXPECT_CODE(pthread_clockjoin_np(thread, &value, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
  EXPECT_CODE(pthread_clockjoin_np(thread, &value, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_MONOTONIC, soon), true);
  struct timespec late = conformance_from_now(CLOCK_MONOTONIC, 1000000);
  atomic_store(&go, 1);
  EXPECT_OK(pthread_clockjoin_np(thread, &value, CLOCK_MONOTONIC, &late));
  EXPECT((long)value, 9);
}

static void *wait_for_go_forever(void *argument) {
  conformance_await(&go, 2);
  return argument;
}

/* The thread is still there, so that the handle stays valid and the answers are defined. */
static void detached(void) {
  pthread_t thread = conformance_start(wait_for_go_forever, NULL);
  EXPECT_OK(pthread_detach(thread));
  EXPECT_CODE(pthread_detach(thread), EINVAL);
  EXPECT_CODE(pthread_join(thread, NULL), EINVAL);
  EXPECT_CODE(pthread_tryjoin_np(thread, NULL), EBUSY);
}

static void *join_main(void *main_thread) {
  pthread_join(*(pthread_t *)main_thread, NULL);
  return NULL;
}

/* Whether a library notices that two threads join each other differs; a deadline ends it anyway. */
static void join_each_other(void) {
  pthread_t main_thread = pthread_self();
  pthread_t thread = conformance_start(join_main, &main_thread);
  struct timespec soon = conformance_from_now(CLOCK_REALTIME, 20);
  int code = pthread_timedjoin_np(thread, NULL, &soon);
  EXPECT(code == ETIMEDOUT || code == EDEADLK, true);
  pthread_cancel(thread);
  void *value = NULL;
  while ((code = pthread_tryjoin_np(thread, &value)) == EBUSY) sched_yield();
  EXPECT_CODE(code, 0);
  EXPECT(value == PTHREAD_CANCELED, true);
}

static const char NO_FAILING_JOIN[] = "it takes a join that fails for impossible";

const conformance_case thread_join_cases[] = {
    {"join.self", join_self, 0, NO_FAILING_JOIN},
    {"join.self-in-thread", join_self_in_thread, 0, NO_FAILING_JOIN},
    {"join.tryjoin", tryjoin},
    {"join.timedjoin", timedjoin},
    {"join.clockjoin", clockjoin},
    {"join.detached", detached, 0, NO_FAILING_JOIN},
    {"join.each-other", join_each_other, 0, NO_FAILING_JOIN},
    {NULL},
};
