/* Spin locks, barriers and pthread_once. */
#include "conformance_posix.h"

#include <errno.h>
#include <limits.h>

enum { THREADS = 4, ROUNDS = 2000 };

static int probe_spin(void *spin) {
  int code = pthread_spin_trylock(spin);
  if (code == 0) pthread_spin_unlock(spin);
  return code;
}

static void spin_lifecycle(void) {
  pthread_spinlock_t spin;
  EXPECT_OK(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE));
  EXPECT_OK(pthread_spin_lock(&spin));
  EXPECT_CODE(pthread_spin_trylock(&spin), EBUSY);
  EXPECT_CODE(conformance_elsewhere(probe_spin, (void *)&spin), EBUSY);
  EXPECT_OK(pthread_spin_unlock(&spin));
  EXPECT_OK(pthread_spin_trylock(&spin));
  EXPECT_OK(pthread_spin_unlock(&spin));
  EXPECT_OK(pthread_spin_destroy(&spin));
}

static pthread_spinlock_t counter_spin;
static long counter;

static void *count_up(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    pthread_spin_lock(&counter_spin);
    counter++;
    pthread_spin_unlock(&counter_spin);
  }
  return unused;
}

static void spin_contended(void) {
  pthread_spin_init(&counter_spin, PTHREAD_PROCESS_PRIVATE);
  pthread_t other = conformance_start(count_up, NULL);
  count_up(NULL);
  pthread_join(other, NULL);
  EXPECT(counter, 2 * ROUNDS);
}

static void find_spin_busy(void *spin) { EXPECT_CODE(pthread_spin_trylock(spin), EBUSY); }

static void spin_shared(void) {
  pthread_spinlock_t *spin = conformance_map();
  EXPECT_OK(pthread_spin_init(spin, PTHREAD_PROCESS_SHARED));
  EXPECT_OK(pthread_spin_lock(spin));
  EXPECT(conformance_child(find_spin_busy, (void *)spin), 0);
  EXPECT_OK(pthread_spin_unlock(spin));
}

static void barrier_lifecycle(void) {
  pthread_barrier_t barrier;
  EXPECT_CODE(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
  EXPECT_CODE(pthread_barrier_init(&barrier, NULL, 1), 0);
  EXPECT(pthread_barrier_wait(&barrier), PTHREAD_BARRIER_SERIAL_THREAD);
  EXPECT(pthread_barrier_wait(&barrier), PTHREAD_BARRIER_SERIAL_THREAD);
  EXPECT_CODE(pthread_barrier_destroy(&barrier), 0);
}

static pthread_barrier_t barrier;
static atomic_int serial, plain, misplaced, phase[ROUNDS];

/* Nobody is past a barrier before everybody has arrived at it. */
static void *cross(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    atomic_fetch_add(&phase[round], 1);
    int code = pthread_barrier_wait(&barrier);
    if (atomic_load(&phase[round]) != THREADS) atomic_fetch_add(&misplaced, 1);
    if (code == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&serial, 1);
    if (code == 0) atomic_fetch_add(&plain, 1);
  }
  return unused;
}

static void barrier_rounds(void) {
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (int index = 0; index < THREADS; index++) threads[index] = conformance_start(cross, NULL);
  for (int index = 0; index < THREADS; index++) pthread_join(threads[index], NULL);
  EXPECT(serial, ROUNDS);
  EXPECT(plain, (THREADS - 1) * ROUNDS);
  EXPECT(misplaced, 0);
}

static void cross_as_child(void *shared) {
  int code = pthread_barrier_wait(shared);
  EXPECT(code == 0 || code == PTHREAD_BARRIER_SERIAL_THREAD, true);
}

static void *fork_crosser(void *shared) {
  return (void *)(long)conformance_child(cross_as_child, shared);
}

static void barrier_shared(void) {
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_t *shared = conformance_map();
  EXPECT_CODE(pthread_barrier_init(shared, &attributes, 2), 0);
  pthread_t forker = conformance_start(fork_crosser, shared);
  int code = pthread_barrier_wait(shared);
  EXPECT(code == 0 || code == PTHREAD_BARRIER_SERIAL_THREAD, true);
  void *ending = NULL;
  pthread_join(forker, &ending);
  EXPECT((long)ending, 0);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int initialised, unready;

static void initialise(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  atomic_fetch_add(&initialised, 1);
  pthread_mutex_unlock(&mutex);
}

static void *use_once(void *unused) {
  pthread_once(&once, initialise);
  if (atomic_load(&initialised) != 1) atomic_fetch_add(&unready, 1);
  return unused;
}

static void once_for_all(void) {
  pthread_t threads[THREADS];
  for (int index = 0; index < THREADS; index++) threads[index] = conformance_start(use_once, NULL);
  for (int index = 0; index < THREADS; index++) pthread_join(threads[index], NULL);
  EXPECT(initialised, 1);
  EXPECT(unready, 0);
  EXPECT_CODE(pthread_once(&once, initialise), 0);
  EXPECT(initialised, 1);
}

const conformance_case small_lock_cases[] = {
    {"spin.lifecycle", spin_lifecycle}, {"spin.contended", spin_contended},
    {"spin.shared", spin_shared},       {"barrier.lifecycle", barrier_lifecycle},
    {"barrier.rounds", barrier_rounds}, {"barrier.shared", barrier_shared},
    {"once.for-all", once_for_all},     {NULL},
};
