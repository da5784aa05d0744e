/* Correct: four threads take two mutexes, all in one order. */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *unused) {
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    sum++;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return sum == 4000 ? 0 : 9;
}
