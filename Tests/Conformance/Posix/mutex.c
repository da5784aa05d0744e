/* pthread_mutex_*: success, EBUSY, timeouts. pthread_mutex_lock(3p), pthread_mutex_timedlock(3p) */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void lifecycle(void) {
  pthread_mutex_t mutex;
  EXPECT_OK(pthread_mutex_init(&mutex, NULL));
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_OK(pthread_mutex_trylock(&mutex));
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_OK(pthread_mutex_destroy(&mutex));
}

static pthread_mutex_t static_mutex = PTHREAD_MUTEX_INITIALIZER;

static void static_initialiser(void) {
  EXPECT_OK(pthread_mutex_lock(&static_mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &static_mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&static_mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &static_mutex), 0);
}

/* Not promised by POSIX, but true on Linux, and relied on. */
static void zeroed_memory(void) {
  pthread_mutex_t *mutex = calloc(1, sizeof *mutex);
  EXPECT_OK(pthread_mutex_lock(mutex));
  EXPECT_CODE(conformance_elsewhere(probe, mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(mutex));
  EXPECT_OK(pthread_mutex_destroy(mutex));
  free(mutex);
}

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;

static void nest(pthread_mutex_t *inner) {
  EXPECT_OK(pthread_mutex_lock(&outer));
  EXPECT_OK(pthread_mutex_lock(inner));
  EXPECT_CODE(conformance_elsewhere(probe, inner), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(inner));
  EXPECT_OK(pthread_mutex_unlock(&outer));
}

/* POSIX forbids to use a copy; many programs move the memory of a free mutex. */
static void moved(void) {
  pthread_mutex_t here, there;
  EXPECT_OK(pthread_mutex_init(&here, NULL));
  nest(&here);
  memcpy(&there, &here, sizeof there);
  nest(&there);
  nest(&here);
  EXPECT_OK(pthread_mutex_destroy(&there));
  EXPECT_OK(pthread_mutex_destroy(&here));
}

/* A mutex that is never destroyed, and whose memory serves for others. */
static void made_anew(void) {
  pthread_mutex_t mutex, initial = PTHREAD_MUTEX_INITIALIZER;
  EXPECT_OK(pthread_mutex_init(&mutex, NULL));
  nest(&mutex);
  mutex = initial;
  nest(&mutex);
  EXPECT_OK(pthread_mutex_init(&mutex, NULL));
  nest(&mutex);
  memset(&mutex, 0, sizeof mutex);
  nest(&mutex);
  EXPECT_OK(pthread_mutex_destroy(&mutex));
}

static void trylock_busy(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  conformance_holder holder = {lock, unlock, &mutex};
  conformance_hold(&holder);
  errno = ENOTEMPTY;
  EXPECT_CODE(pthread_mutex_trylock(&mutex), EBUSY);
  EXPECT_CODE(errno, ENOTEMPTY);
  conformance_let_go(&holder);
  EXPECT_OK(pthread_mutex_trylock(&mutex));
  EXPECT_CODE(pthread_mutex_trylock(&mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
}

static void destroy_busy(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  EXPECT_CODE(pthread_mutex_destroy(&mutex), EBUSY);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_OK(pthread_mutex_destroy(&mutex));
}

static void timedlock_timeout(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  conformance_holder holder = {lock, unlock, &mutex};
  conformance_hold(&holder);
  struct timespec past = conformance_from_now(CLOCK_REALTIME, -1000);
  EXPECT_CODE(pthread_mutex_timedlock(&mutex, &past), ETIMEDOUT);
  struct timespec soon = conformance_from_now(CLOCK_REALTIME, 20);
  EXPECT_CODE(pthread_mutex_timedlock(&mutex, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_REALTIME, soon), true);
  struct timespec invalid = {.tv_sec = soon.tv_sec, .tv_nsec = 1000000000};
  EXPECT_CODE(pthread_mutex_timedlock(&mutex, &invalid), EINVAL);
  conformance_let_go(&holder);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
}

static void timedlock_free(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  struct timespec past = conformance_from_now(CLOCK_REALTIME, -1000);
  EXPECT_OK(pthread_mutex_timedlock(&mutex, &past));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_OK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
}

static void clocklock_timeout(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  conformance_holder holder = {lock, unlock, &mutex};
  conformance_hold(&holder);
  struct timespec soon = conformance_from_now(CLOCK_MONOTONIC, 20);
  EXPECT_CODE(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_MONOTONIC, soon), true);
  struct timespec real = conformance_from_now(CLOCK_REALTIME, 5);
  EXPECT_CODE(pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &real), ETIMEDOUT);
  EXPECT_CODE(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
  conformance_let_go(&holder);
}

/* The lock comes free long before the deadline: no timeout. */
static int lock_in_time(void *mutex) {
  struct timespec late = conformance_from_now(CLOCK_REALTIME, 1000000);
  int code = pthread_mutex_timedlock(mutex, &late);
  if (code == 0) code = pthread_mutex_unlock(mutex);
  return code;
}

static int clocklock_in_time(void *mutex) {
  struct timespec late = conformance_from_now(CLOCK_MONOTONIC, 1000000);
  int code = pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &late);
  if (code == 0) code = pthread_mutex_unlock(mutex);
  return code;
}

static void *hand_over(void *mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return NULL;
}

static void timedlock_in_time(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_t other = conformance_start(hand_over, &mutex);
  EXPECT_CODE(lock_in_time(&mutex), 0);
  EXPECT_CODE(conformance_elsewhere(lock_in_time, &mutex), 0);
  EXPECT_CODE(conformance_elsewhere(clocklock_in_time, &mutex), 0);
  pthread_join(other, NULL);
}

const conformance_case mutex_cases[] = {
    {"mutex.lifecycle", lifecycle},
    {"mutex.static-initialiser", static_initialiser},
    {"mutex.zeroed-memory", zeroed_memory},
    {"mutex.moved", moved},
    {"mutex.made-anew", made_anew},
    {"mutex.trylock-busy", trylock_busy},
    {"mutex.destroy-busy", destroy_busy},
    {"mutex.timedlock-timeout", timedlock_timeout},
    {"mutex.timedlock-free", timedlock_free},
    {"mutex.clocklock-timeout", clocklock_timeout},
    {"mutex.timedlock-in-time", timedlock_in_time},
    {NULL},
};
