/* pthread_cond_*: returns, timeouts, the mutex on return. pthread_cond_timedwait(3p). */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <stdlib.h>

static void lifecycle(void) {
  pthread_cond_t condition;
  EXPECT_OK(pthread_cond_init(&condition, NULL));
  EXPECT_OK(pthread_cond_signal(&condition));
  EXPECT_OK(pthread_cond_broadcast(&condition));
  EXPECT_OK(pthread_cond_destroy(&condition));
}

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  bool ready;
} monitor;

static void *announce(void *argument) {
  monitor *shared = argument;
  pthread_mutex_lock(&shared->mutex);
  shared->ready = true;
  pthread_cond_signal(&shared->condition);
  pthread_mutex_unlock(&shared->mutex);
  return NULL;
}

/* The mutex is free during the wait, or the other thread could never announce. */
static void wait_for_announcement(monitor *shared) {
  EXPECT_OK(pthread_mutex_lock(&shared->mutex));
  pthread_t other = conformance_start(announce, shared);
  int code = 0;
  while (!shared->ready && code == 0) {
    code = pthread_cond_wait(&shared->condition, &shared->mutex);
  }
  EXPECT_CODE(code, 0);
  EXPECT(shared->ready, true);
  EXPECT_CODE(conformance_elsewhere(probe, &shared->mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&shared->mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &shared->mutex), 0);
  pthread_join(other, NULL);
}

static void wait_static(void) {
  static monitor shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
  wait_for_announcement(&shared);
}

static void wait_zeroed(void) {
  monitor *shared = calloc(1, sizeof *shared);
  wait_for_announcement(shared);
  free(shared);
}

static void wait_error_checking(void) {
  monitor shared = {.condition = PTHREAD_COND_INITIALIZER};
  init_kind(&shared.mutex, PTHREAD_MUTEX_ERRORCHECK);
  EXPECT_CODE(pthread_cond_wait(&shared.condition, &shared.mutex), EPERM);
  wait_for_announcement(&shared);
  EXPECT_CODE(pthread_mutex_unlock(&shared.mutex), EPERM);
}

static void wait_recursive(void) {
  monitor shared = {.condition = PTHREAD_COND_INITIALIZER};
  init_kind(&shared.mutex, PTHREAD_MUTEX_RECURSIVE);
  wait_for_announcement(&shared);
  EXPECT_CODE(pthread_mutex_unlock(&shared.mutex), EPERM);
}

static void wait_inheriting(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  monitor shared = {.condition = PTHREAD_COND_INITIALIZER};
  EXPECT_OK(pthread_mutex_init(&shared.mutex, &attributes));
  wait_for_announcement(&shared);
}

/* Waits until the deadline passes; early returns without a signal are allowed, and waited out. */
static int timedwait_out(monitor *shared, const struct timespec *deadline) {
  int code;
  do code = pthread_cond_timedwait(&shared->condition, &shared->mutex, deadline);
  while (code == 0);
  return code;
}

static int clockwait_out(monitor *shared, clockid_t clock, const struct timespec *deadline) {
  int code;
  do code = pthread_cond_clockwait(&shared->condition, &shared->mutex, clock, deadline);
  while (code == 0);
  return code;
}

static void timedwait_timeout(void) {
  monitor shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
  EXPECT_OK(pthread_mutex_lock(&shared.mutex));
  struct timespec past = conformance_from_now(CLOCK_REALTIME, -1000);
  EXPECT_CODE(timedwait_out(&shared, &past), ETIMEDOUT);
  EXPECT_CODE(conformance_elsewhere(probe, &shared.mutex), EBUSY);
  struct timespec soon = conformance_from_now(CLOCK_REALTIME, 20);
  EXPECT_CODE(timedwait_out(&shared, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_REALTIME, soon), true);
  EXPECT_CODE(conformance_elsewhere(probe, &shared.mutex), EBUSY);
  struct timespec invalid = {.tv_sec = soon.tv_sec, .tv_nsec = 1000000000};
  EXPECT_CODE(timedwait_out(&shared, &invalid), EINVAL);
  EXPECT_CODE(conformance_elsewhere(probe, &shared.mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&shared.mutex));
}

static void clockwait_timeout(void) {
  monitor shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
  EXPECT_OK(pthread_mutex_lock(&shared.mutex));
  struct timespec soon = conformance_from_now(CLOCK_MONOTONIC, 20);
  EXPECT_CODE(clockwait_out(&shared, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_MONOTONIC, soon), true);
  struct timespec real = conformance_from_now(CLOCK_REALTIME, 5);
  EXPECT_CODE(clockwait_out(&shared, CLOCK_REALTIME, &real), ETIMEDOUT);
  EXPECT_CODE(clockwait_out(&shared, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
  EXPECT_CODE(conformance_elsewhere(probe, &shared.mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&shared.mutex));
}

static void monotonic_attribute(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  EXPECT_CODE(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC), 0);
  monitor shared = {.mutex = PTHREAD_MUTEX_INITIALIZER};
  EXPECT_OK(pthread_cond_init(&shared.condition, &attributes));
  pthread_mutex_lock(&shared.mutex);
  struct timespec soon = conformance_from_now(CLOCK_MONOTONIC, 20);
  EXPECT_CODE(timedwait_out(&shared, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_MONOTONIC, soon), true);
  EXPECT_OK(pthread_mutex_unlock(&shared.mutex));
  EXPECT_OK(pthread_cond_destroy(&shared.condition));
}

static void timedwait_in_time(void) {
  monitor shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
  struct timespec late = conformance_from_now(CLOCK_REALTIME, 1000000);
  pthread_mutex_lock(&shared.mutex);
  pthread_t other = conformance_start(announce, &shared);
  int code = 0;
  while (!shared.ready && code == 0) {
    code = pthread_cond_timedwait(&shared.condition, &shared.mutex, &late);
  }
  EXPECT_CODE(code, 0);
  EXPECT_CODE(conformance_elsewhere(probe, &shared.mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&shared.mutex));
  pthread_join(other, NULL);
}

/* A wait gives up one level of a recursive mutex: held twice, it stays closed to others. */
static void recursive_twice(void) {
  monitor shared = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_COND_INITIALIZER};
  pthread_mutex_lock(&shared.mutex);
  pthread_mutex_lock(&shared.mutex);
  struct timespec soon = conformance_from_now(CLOCK_REALTIME, 5);
  EXPECT_CODE(timedwait_out(&shared, &soon), ETIMEDOUT);
  EXPECT_OK(pthread_mutex_unlock(&shared.mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &shared.mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&shared.mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &shared.mutex), 0);
}

const conformance_case condition_cases[] = {
    {"condition.lifecycle", lifecycle},
    {"condition.wait", wait_static},
    {"condition.wait-zeroed", wait_zeroed},
    {"condition.wait-error-checking", wait_error_checking},
    {"condition.wait-recursive", wait_recursive},
    {"condition.wait-inheriting", wait_inheriting},
    {"condition.timedwait-timeout", timedwait_timeout},
    {"condition.clockwait-timeout", clockwait_timeout},
    {"condition.monotonic-attribute", monotonic_attribute},
    {"condition.timedwait-in-time", timedwait_in_time},
    {"condition.recursive-twice", recursive_twice},
    {NULL},
};
