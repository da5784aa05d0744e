#include "endings.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t brush = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t ladder = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool painted;

__attribute__((noinline)) static void paint(void) {
  pthread_mutex_lock(&brush);
  pthread_mutex_lock(&ladder);
  pthread_mutex_unlock(&ladder);
  pthread_mutex_unlock(&brush);
}

__attribute__((noinline)) static void wash(void) {
  pthread_mutex_lock(&ladder);
  pthread_mutex_lock(&brush);
  pthread_mutex_unlock(&brush);
  pthread_mutex_unlock(&ladder);
}

static void *painter(void *unused) {
  paint();
  atomic_store(&painted, true);
  return unused;
}

static void *washer(void *unused) {
  while (!atomic_load(&painted)) sched_yield();
  wash();
  return unused;
}

static void quarrel_with(void *(*other)(void *)) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, painter, NULL);
  pthread_create(&threads[1], NULL, other, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

void quarrel(void) { quarrel_with(washer); }

static atomic_bool washed;

static void *cancelled_washer(void *unused) {
  while (!atomic_load(&painted)) sched_yield();
  pthread_cancel(pthread_self());
  wash();
  atomic_store(&washed, true);
  pthread_testcancel();
  return unused;
}

int quarrels_when_cancelled(void) {
  quarrel_with(cancelled_washer);
  puts(atomic_load(&washed) ? "washed" : "cancelled in a lock");
  return 0;
}
