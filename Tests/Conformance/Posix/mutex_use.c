/* Mutexes in use: many at once, any order, jumps, dying threads, memory that goes away. */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>

enum { HELD_AT_ONCE = 200, THREADS = 4, ROUNDS = 10000, HAND_OVERS = 300, LIVING = 10000 };

static pthread_mutex_t many[HELD_AT_ONCE];

static int busy_count(void *unused) {
  (void)unused;
  int busy = 0;
  for (int index = 0; index < HELD_AT_ONCE; index++) busy += probe(&many[index]) == EBUSY;
  return busy;
}

/* Locks all, then unlocks in the order `stride` makes; the stride is coprime with the count. */
static void hold_many(int stride) {
  int failures = 0;
  for (int index = 0; index < HELD_AT_ONCE; index++) {
    pthread_mutex_init(&many[index], NULL);
    failures += pthread_mutex_lock(&many[index]) != 0;
  }
  EXPECT(conformance_elsewhere(busy_count, NULL), HELD_AT_ONCE);
  for (int step = 0; step < HELD_AT_ONCE; step++) {
    int index = (step * stride + HELD_AT_ONCE - 1) % HELD_AT_ONCE;
    failures += pthread_mutex_unlock(&many[index]) != 0;
    if (step == HELD_AT_ONCE / 2 - 1) {
      EXPECT(conformance_elsewhere(busy_count, NULL), HELD_AT_ONCE / 2);
    }
  }
  EXPECT(failures, 0);
  EXPECT(conformance_elsewhere(busy_count, NULL), 0);
}

static void many_in_reverse(void) { hold_many(HELD_AT_ONCE - 1); }
static void many_in_order(void) { hold_many(1); }
static void many_shuffled(void) { hold_many(77); }

static void out_of_order(void) {
  pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  EXPECT_OK(pthread_mutex_unlock(&first));
  EXPECT_CODE(conformance_elsewhere(probe, &first), 0);
  EXPECT_CODE(conformance_elsewhere(probe, &second), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&second));
  EXPECT_CODE(conformance_elsewhere(probe, &second), 0);
}

static void jump_out(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static jmp_buf outside;
  if (setjmp(outside) == 0) {
    pthread_mutex_lock(&mutex);
    longjmp(outside, 1);
  }
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), EBUSY);
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
}

static void held_by_the_dead(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  EXPECT_CODE(conformance_elsewhere(lock, &mutex), 0);
  EXPECT_CODE(pthread_mutex_trylock(&mutex), EBUSY);
  struct timespec soon = conformance_from_now(CLOCK_REALTIME, 5);
  EXPECT_CODE(pthread_mutex_timedlock(&mutex, &soon), ETIMEDOUT);
}

/* POSIX leaves this undefined; glibc releases the lock, and programs live on it. */
static void unlocked_elsewhere(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  EXPECT_CODE(conformance_elsewhere(unlock, &mutex), 0);
  EXPECT_OK(pthread_mutex_trylock(&mutex));
  EXPECT_OK(pthread_mutex_unlock(&mutex));
  EXPECT_CODE(conformance_elsewhere(probe, &mutex), 0);
}

static pthread_mutex_t counter_mutex = PTHREAD_MUTEX_INITIALIZER;
static long counter;

static void *count_up(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    pthread_mutex_lock(&counter_mutex);
    counter++;
    pthread_mutex_unlock(&counter_mutex);
  }
  return unused;
}

static void contended(void) {
  pthread_t threads[THREADS];
  for (int index = 0; index < THREADS; index++) threads[index] = conformance_start(count_up, NULL);
  for (int index = 0; index < THREADS; index++) pthread_join(threads[index], NULL);
  EXPECT(counter, THREADS * ROUNDS);
}

/* The same memory serves as a mutex of another kind each time; no memory of its past may stay. */
static void reused_address(void) {
  pthread_mutex_t mutex;
  int wrong = 0;
  for (int round = 0; round < 1000; round++) {
    bool recursive = round % 2 == 0;
    init_kind(&mutex, recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_lock(&mutex);
    wrong += pthread_mutex_lock(&mutex) != (recursive ? 0 : EDEADLK);
    if (recursive) pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    wrong += pthread_mutex_destroy(&mutex) != 0;
  }
  EXPECT(wrong, 0);
}

static void many_living(void) {
  pthread_mutex_t *mutexes = calloc(LIVING, sizeof *mutexes);
  int failures = 0;
  for (int index = 0; index < LIVING; index++) {
    failures += pthread_mutex_init(&mutexes[index], NULL) != 0;
    failures += pthread_mutex_lock(&mutexes[index]) != 0;
    failures += pthread_mutex_unlock(&mutexes[index]) != 0;
  }
  for (int index = 0; index < LIVING; index++) {
    failures += pthread_mutex_destroy(&mutexes[index]) != 0;
  }
  EXPECT(failures, 0);
  free(mutexes);
}

typedef struct {
  pthread_mutex_t mutex;
  int owners;
} counted;

/* Whoever lets go last unmaps the page, mutex and all: nobody may look at it after the unlock. */
static void *let_go(void *argument) {
  counted *object = argument;
  pthread_mutex_lock(&object->mutex);
  bool last = --object->owners == 0;
  pthread_mutex_unlock(&object->mutex);
  if (last) conformance_unmap(object);
  return NULL;
}

static void unmapped_after_unlock(void) {
  for (int round = 0; round < HAND_OVERS; round++) {
    counted *object = conformance_map();
    pthread_mutex_init(&object->mutex, NULL);
    object->owners = 2;
    pthread_t other = conformance_start(let_go, object);
    let_go(object);
    pthread_join(other, NULL);
  }
  EXPECT_CODE(conformance_elsewhere(probe, &counter_mutex), 0);
}

const conformance_case mutex_use_cases[] = {
    {"mutex.200-held-reverse", many_in_reverse},
    {"mutex.200-held-in-order", many_in_order},
    {"mutex.200-held-shuffled", many_shuffled},
    {"mutex.out-of-order", out_of_order},
    {"mutex.longjmp-out", jump_out},
    {"mutex.held-by-the-dead", held_by_the_dead},
    {"mutex.unlocked-elsewhere", unlocked_elsewhere},
    {"mutex.contended", contended},
    {"mutex.reused-address", reused_address},
    {"mutex.10000-living", many_living},
    {"mutex.unmapped-after-unlock", unmapped_after_unlock},
    {NULL},
};
