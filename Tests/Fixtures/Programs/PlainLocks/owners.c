/* Locks whose owners end. */
#define _GNU_SOURCE
#include "plain_locks.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *lock_and_end(void *m) {
  pthread_mutex_lock(m);
  return NULL;
}

static void owner_ended(void) {
  elsewhere(lock_and_end, &mutex);
  pthread_mutex_lock(&mutex);
}

static void *lock_named_and_end(void *m) {
  pthread_setname_np(pthread_self(), "keeper");
  return lock_and_end(m);
}

static void recursive_owner_ended(void) {
  make_mutex(&mutex, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
  elsewhere(lock_named_and_end, &mutex);
  pthread_mutex_lock(&mutex);
}

static atomic_bool is_taken;

static void *end_while_awaited(void *unused) {
  pthread_mutex_lock(&mutex);
  atomic_store(&is_taken, true);
  until_main_sleeps();
  return unused;
}

static void owner_ends_while_awaited(void) {
  start(end_while_awaited, NULL);
  while (!atomic_load(&is_taken)) {
  }
  pthread_mutex_lock(&mutex);
}

static void *write_and_end(void *unused) {
  pthread_rwlock_wrlock(&rwlock);
  return unused;
}

static void writer_ended(void) {
  elsewhere(write_and_end, NULL);
  pthread_rwlock_rdlock(&rwlock);
}

/* Correct: the next owner of a robust mutex is told that the last one has ended. */
static void robust_owner_ended(void) {
  make_mutex(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  elsewhere(lock_and_end, &mutex);
  if (pthread_mutex_lock(&mutex) != EOWNERDEAD) abort();
  pthread_mutex_consistent(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void *unlock_for_another(void *m) {
  pthread_mutex_unlock(m);
  return NULL;
}

static void unlocked_for_the_ended(void) {
  elsewhere(lock_and_end, &mutex);
  elsewhere(unlock_for_another, &mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void made_again_after_the_end(void) {
  elsewhere(lock_and_end, &mutex);
  make_mutex(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

/* Correct, but it never ends: the process goes on without its main thread. */
static void *wait_for_ever(void *unused) {
  (void)unused;
  for (;;) pause();
}

static void main_has_ended(void) {
  start(wait_for_ever, NULL);
  pthread_exit(NULL);
}

/* Long enough for several looks of the watchdog. */
static void waited_with_a_limit(void) {
  struct timespec soon;
  elsewhere(lock_and_end, &mutex);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 1;
  if (pthread_mutex_timedlock(&mutex, &soon) != ETIMEDOUT) abort();
}

static void *read_and_end(void *unused) {
  pthread_rwlock_rdlock(&rwlock);
  return unused;
}

static void reader_ended(void) {
  elsewhere(read_and_end, NULL);
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
}

const lock_case owner_cases[] = {
    {"owner-ended", owner_ended},
    {"recursive-owner-ended", recursive_owner_ended},
    {"owner-ends-while-awaited", owner_ends_while_awaited},
    {"writer-ended", writer_ended},
    {"robust-owner-ended", robust_owner_ended},
    {"unlocked-for-the-ended", unlocked_for_the_ended},
    {"made-again-after-the-end", made_again_after_the_end},
    {"waited-with-a-limit", waited_with_a_limit},
    {"reader-ended", reader_ended},
    {"main-has-ended", main_has_ended},
    {NULL, NULL},
};
