/* sem_*: values, EAGAIN, EOVERFLOW, timeouts, names, other processes. sem_wait(3), sem_open(3). */
#include "conformance_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { ROUNDS = 1000, HAND_OVERS = 300 };

static int value_of(sem_t *semaphore) {
  int value = -1;
  EXPECT_OK(sem_getvalue(semaphore, &value));
  return value;
}

static void lifecycle(void) {
  sem_t semaphore;
  EXPECT_OK(sem_init(&semaphore, 0, 2));
  EXPECT(value_of(&semaphore), 2);
  EXPECT_OK(sem_wait(&semaphore));
  EXPECT_OK(sem_trywait(&semaphore));
  EXPECT(value_of(&semaphore), 0);
  EXPECT_ERRNO(sem_trywait(&semaphore), EAGAIN);
  EXPECT_OK(sem_post(&semaphore));
  EXPECT(value_of(&semaphore), 1);
  EXPECT_OK(sem_trywait(&semaphore));
  EXPECT_OK(sem_destroy(&semaphore));
}

static void limits(void) {
  sem_t semaphore;
  EXPECT_ERRNO(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
  EXPECT_OK(sem_init(&semaphore, 0, SEM_VALUE_MAX));
  EXPECT_ERRNO(sem_post(&semaphore), EOVERFLOW);
  EXPECT(value_of(&semaphore), SEM_VALUE_MAX);
}

static void timed(void) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  struct timespec past = conformance_from_now(CLOCK_REALTIME, -1000);
  EXPECT_ERRNO(sem_timedwait(&semaphore, &past), ETIMEDOUT);
  struct timespec soon = conformance_from_now(CLOCK_REALTIME, 20);
  EXPECT_ERRNO(sem_timedwait(&semaphore, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_REALTIME, soon), true);
  struct timespec invalid = {.tv_sec = soon.tv_sec, .tv_nsec = 1000000000};
  EXPECT_ERRNO(sem_timedwait(&semaphore, &invalid), EINVAL);
  sem_post(&semaphore);
  EXPECT_OK(sem_timedwait(&semaphore, &past));
  EXPECT(value_of(&semaphore), 0);
}

static void clocked(void) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  struct timespec soon = conformance_from_now(CLOCK_MONOTONIC, 20);
  EXPECT_ERRNO(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  EXPECT(conformance_reached(CLOCK_MONOTONIC, soon), true);
  EXPECT_ERRNO(sem_clockwait(&semaphore, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
  sem_post(&semaphore);
  EXPECT_OK(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &soon));
  EXPECT(value_of(&semaphore), 0);
}

typedef struct {
  sem_t ping, pong;
  int hits;
} table;

static void *answer(void *argument) {
  table *shared = argument;
  for (int round = 0; round < ROUNDS; round++) {
    sem_wait(&shared->ping);
    shared->hits++;
    sem_post(&shared->pong);
  }
  return NULL;
}

static void ping_pong(void) {
  table shared = {.hits = 0};
  sem_init(&shared.ping, 0, 0);
  sem_init(&shared.pong, 0, 0);
  pthread_t other = conformance_start(answer, &shared);
  for (int round = 0; round < ROUNDS; round++) {
    sem_post(&shared.ping);
    sem_wait(&shared.pong);
  }
  pthread_join(other, NULL);
  EXPECT(shared.hits, ROUNDS);
}

static sem_t gate;
static long counter;

static void *count_up(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    sem_wait(&gate);
    counter++;
    sem_post(&gate);
  }
  return unused;
}

static void as_lock(void) {
  sem_init(&gate, 0, 1);
  pthread_t other = conformance_start(count_up, NULL);
  count_up(NULL);
  pthread_join(other, NULL);
  EXPECT(counter, 2 * ROUNDS);
  EXPECT(value_of(&gate), 1);
}

static void post_as_child(void *semaphore) {
  EXPECT_OK(sem_post(semaphore));
  EXPECT_OK(sem_wait((sem_t *)semaphore + 1));
}

static void shared_over_fork(void) {
  sem_t *semaphores = conformance_map();
  EXPECT_OK(sem_init(&semaphores[0], 1, 0));
  EXPECT_OK(sem_init(&semaphores[1], 1, 1));
  EXPECT(conformance_child(post_as_child, semaphores), 0);
  EXPECT_OK(sem_trywait(&semaphores[0]));
  EXPECT_ERRNO(sem_trywait(&semaphores[1]), EAGAIN);
}

static void named(void) {
  char name[64];
  snprintf(name, sizeof name, "/threadmill-conformance-%d", (int)getpid());
  sem_t *first = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
  EXPECT(first != SEM_FAILED, true);
  EXPECT(sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST, true);
  sem_t *second = sem_open(name, 0);
  EXPECT(second == first, true);
  EXPECT_OK(sem_wait(first));
  EXPECT_ERRNO(sem_trywait(second), EAGAIN);
  EXPECT_OK(sem_post(second));
  EXPECT_OK(sem_trywait(first));
  EXPECT_OK(sem_unlink(name));
  EXPECT(sem_open(name, 0) == SEM_FAILED && errno == ENOENT, true);
  EXPECT_OK(sem_close(first));
  EXPECT_OK(sem_close(second));
}

static void *post_once(void *semaphore) {
  sem_post(semaphore);
  return NULL;
}

/* The waiter unmaps the semaphore at once: nobody may look at it after the post. */
static void unmapped_after_wait(void) {
  int failures = 0;
  for (int round = 0; round < HAND_OVERS; round++) {
    sem_t *semaphore = conformance_map();
    sem_init(semaphore, 0, 0);
    pthread_t poster = conformance_start(post_once, semaphore);
    failures += sem_wait(semaphore) != 0;
    conformance_unmap(semaphore);
    pthread_join(poster, NULL);
  }
  EXPECT(failures, 0);
}

const conformance_case semaphore_cases[] = {
    {"semaphore.lifecycle", lifecycle},
    {"semaphore.limits", limits},
    {"semaphore.timed", timed},
    {"semaphore.clocked", clocked},
    {"semaphore.ping-pong", ping_pong},
    {"semaphore.as-lock", as_lock},
    {"semaphore.shared-over-fork", shared_over_fork},
    {"semaphore.named", named},
    {"semaphore.unmapped-after-wait", unmapped_after_wait},
    {NULL},
};
