/* Conditions in use: whom a signal and a broadcast wake, other processes, destruction. */
#include "conformance_posix.h"
#include "posix_locks.h"

#include <errno.h>

enum { WAITERS = 8, ROUNDS = 1000 };

/* Waiters take one ticket each; `served` counts those that got one. */
typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t issued, changed;
  int waiting, tickets, served;
} office;

static void *take_ticket(void *argument) {
  office *shared = argument;
  pthread_mutex_lock(&shared->mutex);
  shared->waiting++;
  pthread_cond_signal(&shared->changed);
  while (shared->tickets == 0) pthread_cond_wait(&shared->issued, &shared->mutex);
  shared->tickets--;
  shared->served++;
  pthread_cond_signal(&shared->changed);
  pthread_mutex_unlock(&shared->mutex);
  return NULL;
}

static void open_office(office *shared, pthread_t threads[WAITERS]) {
  for (int index = 0; index < WAITERS; index++) {
    threads[index] = conformance_start(take_ticket, shared);
  }
  pthread_mutex_lock(&shared->mutex);
  while (shared->waiting < WAITERS) pthread_cond_wait(&shared->changed, &shared->mutex);
}

static void signal_and_broadcast(void) {
  static office shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
                          PTHREAD_COND_INITIALIZER};
  pthread_t threads[WAITERS];
  open_office(&shared, threads);
  shared.tickets = 1;
  EXPECT_OK(pthread_cond_signal(&shared.issued));
  while (shared.served < 1) pthread_cond_wait(&shared.changed, &shared.mutex);
  EXPECT(shared.served, 1);
  EXPECT(shared.tickets, 0);
  shared.tickets = WAITERS - 1;
  EXPECT_OK(pthread_cond_broadcast(&shared.issued));
  while (shared.served < WAITERS) pthread_cond_wait(&shared.changed, &shared.mutex);
  EXPECT_OK(pthread_mutex_unlock(&shared.mutex));
  for (int index = 0; index < WAITERS; index++) pthread_join(threads[index], NULL);
  EXPECT(shared.served, WAITERS);
}

/* POSIX allows to destroy a condition as soon as all its waiters have been woken. */
static void destroyed_after_broadcast(void) {
  static office shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
                          PTHREAD_COND_INITIALIZER};
  pthread_t threads[WAITERS];
  open_office(&shared, threads);
  shared.tickets = WAITERS;
  EXPECT_OK(pthread_cond_broadcast(&shared.issued));
  EXPECT_OK(pthread_mutex_unlock(&shared.mutex));
  for (int index = 0; index < WAITERS; index++) pthread_join(threads[index], NULL);
  EXPECT_OK(pthread_cond_destroy(&shared.issued));
  EXPECT_OK(pthread_cond_init(&shared.issued, NULL));
  EXPECT_OK(pthread_cond_signal(&shared.issued));
}

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int turn;
} table;

static void play(table *shared, int side) {
  for (int round = 0; round < ROUNDS; round++) {
    pthread_mutex_lock(&shared->mutex);
    while (shared->turn % 2 != side) pthread_cond_wait(&shared->condition, &shared->mutex);
    shared->turn++;
    pthread_cond_signal(&shared->condition);
    pthread_mutex_unlock(&shared->mutex);
  }
}

static void *play_second(void *shared) {
  play(shared, 1);
  return NULL;
}

static void ping_pong(void) {
  table shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
  pthread_t other = conformance_start(play_second, &shared);
  play(&shared, 0);
  pthread_join(other, NULL);
  EXPECT(shared.turn, 2 * ROUNDS);
}

static void announce_as_child(void *argument) {
  table *shared = argument;
  EXPECT_OK(pthread_mutex_lock(&shared->mutex));
  shared->turn = 1;
  EXPECT_OK(pthread_cond_signal(&shared->condition));
  EXPECT_OK(pthread_mutex_unlock(&shared->mutex));
}

static void *fork_announcer(void *shared) {
  return (void *)(long)conformance_child(announce_as_child, shared);
}

static void shared_over_fork(void) {
  table *shared = conformance_map();
  init_shared(&shared->mutex);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  EXPECT_OK(pthread_cond_init(&shared->condition, &attributes));
  pthread_mutex_lock(&shared->mutex);
  pthread_t forker = conformance_start(fork_announcer, shared);
  while (shared->turn == 0) pthread_cond_wait(&shared->condition, &shared->mutex);
  pthread_mutex_unlock(&shared->mutex);
  void *ending;
  pthread_join(forker, &ending);
  EXPECT((long)ending, 0);
}

const conformance_case condition_use_cases[] = {
    {"condition.signal-and-broadcast", signal_and_broadcast},
    {"condition.destroyed-after-broadcast", destroyed_after_broadcast},
    {"condition.ping-pong", ping_pong},
    {"condition.shared-over-fork", shared_over_fork},
    {NULL},
};
