/* A program of somebody who has never heard of Threadmill, compiled by whatever compiler there is.
 * Two threads take two mutexes in opposite orders, one after the other by a flag only. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t brush = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t ladder = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool painted;

__attribute__((noinline)) static void paint(void) {
  pthread_mutex_lock(&brush);
  pthread_mutex_lock(&ladder); /* paint waits here */
  pthread_mutex_unlock(&ladder);
  pthread_mutex_unlock(&brush);
}

__attribute__((noinline)) static void wash(void) {
  pthread_mutex_lock(&ladder);
  pthread_mutex_lock(&brush); /* wash waits here */
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

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, painter, NULL);
  pthread_create(&threads[1], NULL, washer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
