/* The kinds of mutex: recursive, error-checking, adaptive, priority-inheriting. */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <limits.h>

enum { DEEP = 100000 };

static void recursion_counts(void) {
  pthread_mutex_t mutex;
  init_kind(&mutex, PTHREAD_MUTEX_RECURSIVE);
  struct timespec past = conformance_from_now(CLOCK_REALTIME, -1000);
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_OK(pthread_mutex_trylock(&mutex));
  EXPECT_OK(pthread_mutex_timedlock(&mutex, &past));
  EXPECT_OK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past));
  for (int held = 5; held > 0; held--) {
    EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
    EXPECT_OK(pthread_mutex_unlock(&mutex));
  }
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
  EXPECT_CODE(pthread_mutex_unlock(&mutex), EPERM);
  EXPECT_OK(pthread_mutex_destroy(&mutex));
}

static void recursion_owner_only(void) {
  pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_mutex_lock(&mutex);
  EXPECT_CODE(conformance_elsewhere(unlock, &mutex), EPERM);
  EXPECT_CODE(conformance_elsewhere(try_lock, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
}

static void recursion_deep(void) {
  pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  int failures = 0;
  for (int depth = 0; depth < DEEP; depth++) failures += pthread_mutex_lock(&mutex) != 0;
  for (int depth = 1; depth < DEEP; depth++) failures += pthread_mutex_unlock(&mutex) != 0;
  EXPECT(failures, 0);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
}

/* Four thousand million real locks would take a minute: the count is set where glibc keeps it. */
static void recursion_overflow(void) {
  pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_mutex_lock(&mutex);
  mutex.__data.__count = UINT_MAX;
  EXPECT_CODE(pthread_mutex_lock(&mutex), EAGAIN);
  EXPECT_CODE(pthread_mutex_trylock(&mutex), EAGAIN);
  mutex.__data.__count = 1;
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
}

static void error_checking(void) {
  pthread_mutex_t mutex;
  init_kind(&mutex, PTHREAD_MUTEX_ERRORCHECK);
  struct timespec late = conformance_from_now(CLOCK_REALTIME, 1000000);
  EXPECT_CODE(pthread_mutex_unlock(&mutex), EPERM);
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_CODE(pthread_mutex_lock(&mutex), EDEADLK);
  EXPECT_CODE(pthread_mutex_trylock(&mutex), EBUSY);
  EXPECT_CODE(pthread_mutex_timedlock(&mutex, &late), EDEADLK);
  EXPECT_CODE(pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &late), EDEADLK);
  EXPECT_CODE(conformance_elsewhere(unlock, &mutex), EPERM);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(pthread_mutex_unlock(&mutex), EPERM);
  EXPECT_OK(pthread_mutex_destroy(&mutex));
}

static void static_initialisers(void) {
  pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  EXPECT_OK(pthread_mutex_lock(&recursive));
  EXPECT_OK(pthread_mutex_lock(&recursive));
  EXPECT_OK(pthread_mutex_unlock(&recursive));
  EXPECT_OK(pthread_mutex_unlock(&recursive));
  pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  EXPECT_OK(pthread_mutex_lock(&checking));
  EXPECT_CODE(pthread_mutex_lock(&checking), EDEADLK);
  EXPECT_OK(pthread_mutex_unlock(&checking));
}

static void adaptive(void) {
  pthread_mutex_t mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_CODE(pthread_mutex_trylock(&mutex), EBUSY);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
  EXPECT_OK(pthread_mutex_destroy(&mutex));
}

static void init_inheriting(pthread_mutex_t *mutex, int kind) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  EXPECT_CODE(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT), 0);
  EXPECT_OK(pthread_mutex_init(mutex, &attributes));
  pthread_mutexattr_destroy(&attributes);
}

static void priority_inheriting(void) {
  pthread_mutex_t mutex;
  init_inheriting(&mutex, PTHREAD_MUTEX_NORMAL);
  conformance_holder holder = {lock, unlock, &mutex};
  conformance_hold(&holder);
  struct timespec soon = conformance_from_now(CLOCK_REALTIME, 20);
  EXPECT_CODE(pthread_mutex_trylock(&mutex), EBUSY);
  EXPECT_CODE(pthread_mutex_timedlock(&mutex, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_REALTIME, soon), true);
  conformance_let_go(&holder);
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_OK(pthread_mutex_destroy(&mutex));
}

static void priority_inheriting_checks(void) {
  pthread_mutex_t mutex;
  init_inheriting(&mutex, PTHREAD_MUTEX_ERRORCHECK);
  EXPECT_CODE(pthread_mutex_unlock(&mutex), EPERM);
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_CODE(pthread_mutex_lock(&mutex), EDEADLK);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  pthread_mutex_destroy(&mutex);
  init_inheriting(&mutex, PTHREAD_MUTEX_RECURSIVE);
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
}

const conformance_case mutex_kind_cases[] = {
    {"mutex.recursion-counts", recursion_counts},
    {"mutex.recursion-owner-only", recursion_owner_only},
    {"mutex.recursion-deep", recursion_deep, 0, "its trace overflows"},
    {"mutex.recursion-overflow", recursion_overflow},
    {"mutex.error-checking", error_checking},
    {"mutex.static-initialisers", static_initialisers},
    {"mutex.adaptive", adaptive},
    {"mutex.priority-inheriting", priority_inheriting},
    {"mutex.priority-inheriting-checks", priority_inheriting_checks},
    {NULL},
};
