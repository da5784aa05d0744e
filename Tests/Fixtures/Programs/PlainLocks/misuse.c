/* Locks that are used against their rules, and uses that only look so. */
#define _GNU_SOURCE
#include "plain_locks.h"
#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;

static void *lock_and_end(void *unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}

static void *unlock_mutex(void *unused) {
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *unlock_rwlock(void *unused) {
  pthread_rwlock_unlock(&rwlock);
  return unused;
}

static void *give_back(void *unused) {
  until_main_sleeps();
  pthread_mutex_unlock(&mutex);
  return unused;
}

/* After another thread has released the mutex once, the next one may do so, too. */
static void taken_twice_as_a_turn(void) {
  pthread_mutex_lock(&mutex);
  elsewhere(unlock_mutex, NULL);
  pthread_mutex_lock(&mutex);
  pthread_t giver = start(give_back, NULL);
  pthread_mutex_lock(&mutex);
  pthread_join(giver, NULL);
  pthread_mutex_unlock(&mutex);
}

static void unlocked_unheld(void) { pthread_mutex_unlock(&mutex); }

static void unlocked_twice(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void read_write_unlocked_unheld(void) { pthread_rwlock_unlock(&rwlock); }

static void unlocked_elsewhere(void) {
  pthread_mutex_lock(&mutex);
  elsewhere(unlock_mutex, NULL);
}

static void write_lock_unlocked_elsewhere(void) {
  pthread_rwlock_wrlock(&rwlock);
  elsewhere(unlock_rwlock, NULL);
}

static void destroyed_held(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_destroy(&mutex);
}

static void read_lock_destroyed_held(void) {
  pthread_rwlock_wrlock(&rwlock);
  pthread_rwlock_destroy(&rwlock);
}

static void used_destroyed(void) {
  make_mutex(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
  pthread_mutex_destroy(&mutex);
  if (pthread_mutex_lock(&mutex) != EINVAL) abort();
}

static void wait_a_little(void) {
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec = (soon.tv_nsec + 1000000) % 1000000000;
  pthread_cond_timedwait(&condition, &mutex, &soon);
}

static void awaited_without(void) { wait_a_little(); }

static pthread_mutex_t other_mutex = PTHREAD_MUTEX_INITIALIZER;
static int said;

static void *wait_with_first(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!said) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void say(void) {
  pthread_mutex_lock(&mutex);
  said = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
}

static void wait_with_other(void) {
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  pthread_mutex_lock(&other_mutex);
  pthread_cond_timedwait(&condition, &other_mutex, &soon);
  pthread_mutex_unlock(&other_mutex);
}

static void *wait_with_other_when_awaited(void *unused) {
  until_main_sleeps();
  wait_with_other();
  say();
  return unused;
}

static void awaited_with_two(void) {
  pthread_t other = start(wait_with_other_when_awaited, NULL);
  wait_with_first(NULL);
  pthread_join(other, NULL);
}

/* Correct: the main thread waits no longer once it is signalled, although it does not go on before
 * it has the mutex. */
static void *wait_with_other_when_signalled(void *unused) {
  until_main_sleeps();
  pthread_mutex_lock(&mutex);
  said = 1;
  pthread_cond_signal(&condition);
  wait_with_other();
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void awaited_in_turn(void) {
  pthread_t other = start(wait_with_other_when_signalled, NULL);
  wait_with_first(NULL);
  pthread_join(other, NULL);
  wait_with_other();
}

static void *destroy_when_awaited(void *unused) {
  until_main_sleeps();
  sem_destroy(&semaphore);
  sem_post(&semaphore);
  return unused;
}

static void awaited_destroyed(void) {
  sem_init(&semaphore, 0, 0);
  start(destroy_when_awaited, NULL);
  sem_wait(&semaphore);
}

static void ended_with(void) { elsewhere(lock_and_end, NULL); }

/* Correct: the mutex answers with an error. */
static void answered_by_an_error(void) {
  make_mutex(&mutex, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  if (pthread_mutex_unlock(&mutex) != EPERM) abort();
  pthread_mutex_lock(&mutex);
  if (pthread_mutex_lock(&mutex) != EDEADLK) abort();
  elsewhere(unlock_mutex, NULL);
  pthread_mutex_unlock(&mutex);
  make_mutex(&mutex, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
  if (pthread_mutex_unlock(&mutex) != EPERM) abort();
}

static void *read_and_unlock(void *unused) {
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  return unused;
}

static void *take_and_give_back(void *unused) {
  for (int i = 0; i < 1000; i++) {
    if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    if (pthread_rwlock_trywrlock(&rwlock) == 0) pthread_rwlock_unlock(&rwlock);
    read_and_unlock(unused);
  }
  return unused;
}

static void contended(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) threads[i] = start(take_and_give_back, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  pthread_rwlock_rdlock(&rwlock);
  elsewhere(read_and_unlock, NULL);
  pthread_rwlock_unlock(&rwlock);
  pthread_mutex_destroy(&mutex);
  pthread_rwlock_destroy(&rwlock);
}

static void made_again(void) {
  for (int i = 0; i < 3; i++) {
    make_mutex(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    pthread_mutex_lock(&mutex);
    wait_a_little();
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
  }
}

static void *post(void *unused) {
  sem_post(&semaphore);
  return unused;
}

static void destroyed_after_the_wait(void) {
  for (int i = 0; i < 100; i++) {
    sem_init(&semaphore, 0, 0);
    pthread_t poster = start(post, NULL);
    sem_wait(&semaphore);
    pthread_join(poster, NULL);
    sem_destroy(&semaphore);
  }
}

const lock_case misuse_cases[] = {
    {"unlocked-unheld", unlocked_unheld},
    {"unlocked-twice", unlocked_twice},
    {"read-write-unlocked-unheld", read_write_unlocked_unheld},
    {"unlocked-elsewhere", unlocked_elsewhere},
    {"write-lock-unlocked-elsewhere", write_lock_unlocked_elsewhere},
    {"destroyed-held", destroyed_held},
    {"read-write-destroyed-held", read_lock_destroyed_held},
    {"used-destroyed", used_destroyed},
    {"awaited-without", awaited_without},
    {"awaited-with-two", awaited_with_two},
    {"awaited-in-turn", awaited_in_turn},
    {"awaited-destroyed", awaited_destroyed},
    {"ended-with", ended_with},
    {"answered-by-an-error", answered_by_an_error},
    {"contended", contended},
    {"made-again", made_again},
    {"taken-twice-as-a-turn", taken_twice_as_a_turn},
    {"destroyed-after-the-wait", destroyed_after_the_wait},
    {NULL, NULL},
};
