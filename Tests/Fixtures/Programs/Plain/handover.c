/* Correct: a buffer of one place, handed over by two conditions. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int place, sum;
enum { ITEMS = 1000 };

static void *produce(void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
    pthread_mutex_lock(&lock);
    while (place) pthread_cond_wait(&emptied, &lock);
    place = i;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *consume(void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
    pthread_mutex_lock(&lock);
    while (!place) pthread_cond_wait(&filled, &lock);
    sum += place;
    place = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, produce, NULL);
  pthread_create(&threads[1], NULL, consume, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return sum == ITEMS * (ITEMS + 1) / 2 ? 0 : 9;
}
