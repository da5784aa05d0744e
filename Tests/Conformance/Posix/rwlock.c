/* pthread_rwlock_*: sharing, exclusion, every timed variant. pthread_rwlock_rdlock(3p). */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <stdlib.h>

enum { READERS = 50, ROUNDS = 5000 };

static int probe_read(void *rwlock) {
  int code = pthread_rwlock_tryrdlock(rwlock);
  if (code == 0) pthread_rwlock_unlock(rwlock);
  return code;
}

static int probe_write(void *rwlock) {
  int code = pthread_rwlock_trywrlock(rwlock);
  if (code == 0) pthread_rwlock_unlock(rwlock);
  return code;
}

static void lifecycle(void) {
  pthread_rwlock_t rwlock;
  EXPECT_OK(pthread_rwlock_init(&rwlock, NULL));
  EXPECT_OK(pthread_rwlock_rdlock(&rwlock));
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_OK(pthread_rwlock_wrlock(&rwlock));
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_OK(pthread_rwlock_tryrdlock(&rwlock));
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_OK(pthread_rwlock_trywrlock(&rwlock));
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_OK(pthread_rwlock_destroy(&rwlock));
}

static void static_or_zeroed(void) {
  static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  EXPECT_OK(pthread_rwlock_wrlock(&rwlock));
  EXPECT_CODE(conformance_elsewhere(probe_read, &rwlock), EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  pthread_rwlock_t *zeroed = calloc(1, sizeof *zeroed);
  EXPECT_OK(pthread_rwlock_rdlock(zeroed));
  EXPECT_CODE(conformance_elsewhere(probe_write, zeroed), EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(zeroed));
  free(zeroed);
}

static void readers_share(void) {
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  conformance_holder holder = {read_lock, rw_unlock, &rwlock};
  conformance_hold(&holder);
  EXPECT_OK(pthread_rwlock_rdlock(&rwlock));
  EXPECT_OK(pthread_rwlock_tryrdlock(&rwlock));
  EXPECT_CODE(pthread_rwlock_trywrlock(&rwlock), EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_CODE(pthread_rwlock_trywrlock(&rwlock), EBUSY);
  conformance_let_go(&holder);
  EXPECT_OK(pthread_rwlock_trywrlock(&rwlock));
  EXPECT_CODE(conformance_elsewhere(probe_read, &rwlock), EBUSY);
  EXPECT_CODE(conformance_elsewhere(probe_write, &rwlock), EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_CODE(conformance_elsewhere(probe_write, &rwlock), 0);
}

static void read_recursion(void) {
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  int failures = 0;
  for (int depth = 0; depth < READERS; depth++) failures += pthread_rwlock_rdlock(&rwlock) != 0;
  for (int depth = 1; depth < READERS; depth++) failures += pthread_rwlock_unlock(&rwlock) != 0;
  EXPECT(failures, 0);
  EXPECT_CODE(conformance_elsewhere(probe_write, &rwlock), EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_CODE(conformance_elsewhere(probe_write, &rwlock), 0);
}

static void own_write_deadlock(void) {
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  struct timespec late = conformance_from_now(CLOCK_REALTIME, 1000000);
  EXPECT_OK(pthread_rwlock_wrlock(&rwlock));
  EXPECT_CODE(pthread_rwlock_wrlock(&rwlock), EDEADLK);
  EXPECT_CODE(pthread_rwlock_rdlock(&rwlock), EDEADLK);
  EXPECT_CODE(pthread_rwlock_timedrdlock(&rwlock, &late), EDEADLK);
  EXPECT_CODE(pthread_rwlock_timedwrlock(&rwlock, &late), EDEADLK);
  EXPECT_CODE(pthread_rwlock_tryrdlock(&rwlock), EBUSY);
  EXPECT_CODE(pthread_rwlock_trywrlock(&rwlock), EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_CODE(conformance_elsewhere(probe_write, &rwlock), 0);
}

static void timed_out(void) {
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  conformance_holder holder = {write_lock, rw_unlock, &rwlock};
  conformance_hold(&holder);
  struct timespec soon = conformance_from_now(CLOCK_REALTIME, 10);
  EXPECT_CODE(pthread_rwlock_timedrdlock(&rwlock, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_REALTIME, soon), true);
  soon = conformance_from_now(CLOCK_REALTIME, 10);
  EXPECT_CODE(pthread_rwlock_timedwrlock(&rwlock, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_REALTIME, soon), true);
  soon = conformance_from_now(CLOCK_MONOTONIC, 10);
  EXPECT_CODE(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_MONOTONIC, soon), true);
  soon = conformance_from_now(CLOCK_MONOTONIC, 10);
  EXPECT_CODE(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_MONOTONIC, soon), true);
  conformance_let_go(&holder);
}

static void timed_invalid(void) {
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  conformance_holder holder = {write_lock, rw_unlock, &rwlock};
  conformance_hold(&holder);
  struct timespec soon = conformance_from_now(CLOCK_REALTIME, 10);
  struct timespec invalid = {.tv_sec = soon.tv_sec, .tv_nsec = -1};
  EXPECT_CODE(pthread_rwlock_timedrdlock(&rwlock, &invalid), EINVAL);
  EXPECT_CODE(pthread_rwlock_timedwrlock(&rwlock, &invalid), EINVAL);
  clockid_t unsupported = CLOCK_PROCESS_CPUTIME_ID;
  EXPECT_CODE(pthread_rwlock_clockrdlock(&rwlock, unsupported, &soon), EINVAL);
  EXPECT_CODE(pthread_rwlock_clockwrlock(&rwlock, unsupported, &soon), EINVAL);
  conformance_let_go(&holder);
}

static void timed_free(void) {
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  struct timespec past = conformance_from_now(CLOCK_REALTIME, -1000);
  EXPECT_OK(pthread_rwlock_timedrdlock(&rwlock, &past));
  EXPECT_OK(pthread_rwlock_clockrdlock(&rwlock, CLOCK_REALTIME, &past));
  EXPECT_CODE(conformance_elsewhere(probe_write, &rwlock), EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_OK(pthread_rwlock_timedwrlock(&rwlock, &past));
  EXPECT_CODE(conformance_elsewhere(probe_read, &rwlock), EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  EXPECT_OK(pthread_rwlock_clockwrlock(&rwlock, CLOCK_REALTIME, &past));
  EXPECT_CODE(conformance_elsewhere(probe_read, &rwlock), EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
}

static void *write_once(void *rwlock) {
  return (void *)(long)(pthread_rwlock_wrlock(rwlock) + pthread_rwlock_unlock(rwlock));
}

/* While a writer waits, a lock that prefers writers turns new readers away. */
static void writer_preferred(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_t rwlock;
  EXPECT_OK(pthread_rwlock_init(&rwlock, &attributes));
  EXPECT_OK(pthread_rwlock_rdlock(&rwlock));
  pthread_t writer = conformance_start(write_once, &rwlock);
  int code;
  while ((code = conformance_elsewhere(probe_read, &rwlock)) == 0) sched_yield();
  EXPECT_CODE(code, EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(&rwlock));
  void *result;
  pthread_join(writer, &result);
  EXPECT((long)result, 0);
}

typedef struct {
  pthread_rwlock_t rwlock;
  long first, second;
  atomic_int torn;
} pair;

static void *write_pairs(void *argument) {
  pair *shared = argument;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_rwlock_wrlock(&shared->rwlock);
    shared->first++;
    shared->second++;
    pthread_rwlock_unlock(&shared->rwlock);
  }
  return NULL;
}

static void *read_pairs(void *argument) {
  pair *shared = argument;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_rwlock_rdlock(&shared->rwlock);
    if (shared->first != shared->second) atomic_fetch_add(&shared->torn, 1);
    pthread_rwlock_unlock(&shared->rwlock);
  }
  return NULL;
}

static void contended(void) {
  pair shared = {.rwlock = PTHREAD_RWLOCK_INITIALIZER};
  pthread_t threads[] = {
      conformance_start(write_pairs, &shared),
      conformance_start(write_pairs, &shared),
      conformance_start(read_pairs, &shared),
      conformance_start(read_pairs, &shared),
  };
  for (int index = 0; index < 4; index++) pthread_join(threads[index], NULL);
  EXPECT(shared.torn, 0);
  EXPECT(shared.first, 2 * ROUNDS);
}

static void use_as_child(void *rwlock) {
  EXPECT_OK(pthread_rwlock_tryrdlock(rwlock));
  EXPECT_CODE(pthread_rwlock_trywrlock(rwlock), EBUSY);
  EXPECT_OK(pthread_rwlock_unlock(rwlock));
}

static void shared_over_fork(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_rwlock_t *rwlock = conformance_map();
  EXPECT_OK(pthread_rwlock_init(rwlock, &attributes));
  EXPECT_OK(pthread_rwlock_rdlock(rwlock));
  EXPECT(conformance_child(use_as_child, rwlock), 0);
  EXPECT_OK(pthread_rwlock_unlock(rwlock));
  EXPECT_OK(pthread_rwlock_trywrlock(rwlock));
}

const conformance_case rwlock_cases[] = {
    {"rwlock.lifecycle", lifecycle},
    {"rwlock.static-or-zeroed", static_or_zeroed},
    {"rwlock.readers-share", readers_share},
    {"rwlock.read-recursion", read_recursion},
    {"rwlock.own-write-deadlock", own_write_deadlock},
    {"rwlock.timed-out", timed_out},
    {"rwlock.timed-invalid", timed_invalid},
    {"rwlock.timed-free", timed_free},
    {"rwlock.writer-preferred", writer_preferred},
    {"rwlock.contended", contended},
    {"rwlock.shared-over-fork", shared_over_fork},
    {NULL},
};
