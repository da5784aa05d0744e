/* Robust mutexes and mutexes shared between processes. pthread_mutexattr_setrobust(3). */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <unistd.h>

enum { ROUNDS = 10000 };

static void init_robust(pthread_mutex_t *mutex, int kind, int shared) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  pthread_mutexattr_setpshared(&attributes, shared);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  EXPECT_OK(pthread_mutex_init(mutex, &attributes));
  pthread_mutexattr_destroy(&attributes);
}

static void owner_dead(void) {
  pthread_mutex_t mutex;
  init_robust(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PROCESS_PRIVATE);
  EXPECT_CODE(conformance_elsewhere(lock, &mutex), 0);
  EXPECT_CODE(pthread_mutex_lock(&mutex), EOWNERDEAD);
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_CODE(pthread_mutex_consistent(&mutex), 0);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(pthread_mutex_consistent(&mutex), EINVAL);
  EXPECT_OK(pthread_mutex_destroy(&mutex));
}

static void owner_dead_by_all_ways(void) {
  pthread_mutex_t mutex;
  init_robust(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PROCESS_PRIVATE);
  struct timespec late = conformance_from_now(CLOCK_REALTIME, 1000000);
  conformance_elsewhere(lock, &mutex);
  EXPECT_CODE(pthread_mutex_trylock(&mutex), EOWNERDEAD);
  pthread_mutex_consistent(&mutex);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  conformance_elsewhere(lock, &mutex);
  EXPECT_CODE(pthread_mutex_timedlock(&mutex, &late), EOWNERDEAD);
  pthread_mutex_consistent(&mutex);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  conformance_elsewhere(lock, &mutex);
  EXPECT_CODE(pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &late), EOWNERDEAD);
  pthread_mutex_consistent(&mutex);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
}

static void not_recoverable(void) {
  pthread_mutex_t mutex;
  init_robust(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PROCESS_PRIVATE);
  struct timespec late = conformance_from_now(CLOCK_REALTIME, 1000000);
  conformance_elsewhere(lock, &mutex);
  EXPECT_CODE(pthread_mutex_lock(&mutex), EOWNERDEAD);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(pthread_mutex_lock(&mutex), ENOTRECOVERABLE);
  EXPECT_CODE(pthread_mutex_timedlock(&mutex, &late), ENOTRECOVERABLE);
  EXPECT_CODE(conformance_elsewhere(lock, &mutex), ENOTRECOVERABLE);
  /* Last, because glibc 2.36 leaves the mutex locked when this fails. */
  EXPECT_CODE(pthread_mutex_trylock(&mutex), ENOTRECOVERABLE);
  EXPECT_OK(pthread_mutex_destroy(&mutex));
  EXPECT_OK(pthread_mutex_init(&mutex, NULL));
  EXPECT_OK(pthread_mutex_lock(&mutex));
}

static void kinds(void) {
  pthread_mutex_t mutex;
  init_robust(&mutex, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PROCESS_PRIVATE);
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_CODE(pthread_mutex_lock(&mutex), EDEADLK);
  EXPECT_CODE(conformance_elsewhere(unlock, &mutex), EPERM);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(pthread_mutex_unlock(&mutex), EPERM);
  init_robust(&mutex, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PROCESS_PRIVATE);
  conformance_elsewhere(lock, &mutex);
  EXPECT_CODE(pthread_mutex_lock(&mutex), EOWNERDEAD);
  EXPECT_CODE(pthread_mutex_consistent(&mutex), 0);
  EXPECT_OK(pthread_mutex_lock(&mutex));
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
}

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  bool signalled;
} monitor;

static int signal_and_die(void *argument) {
  monitor *shared = argument;
  pthread_mutex_lock(&shared->mutex);
  shared->signalled = true;
  return pthread_cond_signal(&shared->condition);
}

static void *signaller(void *argument) {
  signal_and_die(argument);
  return NULL;
}

/* The thread that signals dies with the mutex in its hands: the wait itself says so. */
static void owner_dead_in_wait(void) {
  monitor shared = {.condition = PTHREAD_COND_INITIALIZER};
  init_robust(&shared.mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PROCESS_PRIVATE);
  pthread_mutex_lock(&shared.mutex);
  pthread_t other = conformance_start(signaller, &shared);
  int code = 0;
  while (!shared.signalled) code = pthread_cond_wait(&shared.condition, &shared.mutex);
  EXPECT_CODE(code, EOWNERDEAD);
  EXPECT_CODE(pthread_mutex_consistent(&shared.mutex), 0);
  EXPECT_OK(pthread_mutex_unlock(&shared.mutex));
  pthread_join(other, NULL);
}

static void die_holding(void *mutex) { EXPECT_OK(pthread_mutex_lock(mutex)); }

static void owner_process_dead(void) {
  pthread_mutex_t *mutex = conformance_map();
  init_robust(mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PROCESS_SHARED);
  EXPECT(conformance_child(die_holding, mutex), 0);
  EXPECT_CODE(pthread_mutex_lock(mutex), EOWNERDEAD);
  EXPECT_CODE(pthread_mutex_consistent(mutex), 0);
  EXPECT_OK(pthread_mutex_unlock(mutex));
  EXPECT_CODE(conformance_elsewhere(probe, mutex), 0);
}

typedef struct {
  pthread_mutex_t mutex;
  long count;
} tally;

static void find_busy(void *mutex) { EXPECT_CODE(pthread_mutex_trylock(mutex), EBUSY); }

static void shared_busy(void) {
  pthread_mutex_t *mutex = conformance_map();
  init_shared(mutex);
  pthread_mutex_lock(mutex);
  EXPECT(conformance_child(find_busy, mutex), 0);
  EXPECT_OK(pthread_mutex_unlock(mutex));
  EXPECT_OK(pthread_mutex_destroy(mutex));
}

static void count_up(tally *shared) {
  for (int round = 0; round < ROUNDS; round++) {
    pthread_mutex_lock(&shared->mutex);
    shared->count++;
    pthread_mutex_unlock(&shared->mutex);
  }
}

static void count_in_child(void *shared) { count_up(shared); }

static void *wait_for_child(void *shared) {
  return (void *)(long)conformance_child(count_in_child, shared);
}

/* A child, forked by a second thread, counts while this thread counts. */
static void shared_contended(void) {
  tally *shared = conformance_map();
  init_shared(&shared->mutex);
  pthread_t forker = conformance_start(wait_for_child, shared);
  count_up(shared);
  void *ending;
  pthread_join(forker, &ending);
  EXPECT((long)ending, 0);
  EXPECT(shared->count, 2 * ROUNDS);
}

/* Gives back the turn that the parent has taken, once the parent waits for it. */
static void give_back(void *mutex) {
  conformance_until_asleep(getppid());
  if (pthread_mutex_unlock(mutex) != 0) _exit(1);
}

static void *wait_for_giver(void *mutex) {
  return (void *)(long)conformance_child(give_back, mutex);
}

/* A mutex in shared memory as a turn: taken twice here, and given back by another process. */
static void shared_given_back(void) {
  pthread_mutex_t *mutex = conformance_map();
  init_shared(mutex);
  pthread_mutex_lock(mutex);
  pthread_t forker = conformance_start(wait_for_giver, mutex);
  EXPECT_OK(pthread_mutex_lock(mutex));
  EXPECT_OK(pthread_mutex_unlock(mutex));
  void *ending;
  pthread_join(forker, &ending);
  EXPECT((long)ending, 0);
}

const conformance_case robust_cases[] = {
    {"robust.owner-dead", owner_dead},
    {"robust.owner-dead-by-all-ways", owner_dead_by_all_ways},
    {"robust.not-recoverable", not_recoverable},
    {"robust.kinds", kinds},
    {"robust.owner-dead-in-wait", owner_dead_in_wait},
    {"robust.owner-process-dead", owner_process_dead},
    {"shared.busy", shared_busy},
    {"shared.contended", shared_contended},
    {"shared.given-back", shared_given_back, 0, "it takes the mutex for locked twice"},
    {NULL},
};
