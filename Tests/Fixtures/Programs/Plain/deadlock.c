/* Two threads take two mutexes in opposite orders and meet in the middle: it never ends. */
#include "meeting.h"
#include <pthread.h>

static pthread_mutex_t red = PTHREAD_MUTEX_INITIALIZER, blue = PTHREAD_MUTEX_INITIALIZER;
static atomic_int met;

static void *first(void *unused) {
  pthread_mutex_lock(&red);
  arrive(&met);
  await(&met, 2);
  pthread_mutex_lock(&blue);
  return unused;
}

static void *second(void *unused) {
  pthread_mutex_lock(&blue);
  arrive(&met);
  await(&met, 2);
  pthread_mutex_lock(&red);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
