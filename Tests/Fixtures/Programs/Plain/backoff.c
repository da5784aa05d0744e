/* Correct: opposite orders, where the second lock is only tried, and the first let go of if it is
 * taken. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int meals;

static void eat(pthread_mutex_t *one, pthread_mutex_t *other) {
  for (;;) {
    pthread_mutex_lock(one);
    if (pthread_mutex_trylock(other) == 0) break;
    pthread_mutex_unlock(one);
    sched_yield();
  }
  meals++;
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(one);
}

static void *plato(void *unused) {
  for (int i = 0; i < 500; i++) eat(&left, &right);
  return unused;
}

static void *kant(void *unused) {
  for (int i = 0; i < 500; i++) eat(&right, &left);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, plato, NULL);
  pthread_create(&threads[1], NULL, kant, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return meals == 1000 ? 0 : 9;
}
