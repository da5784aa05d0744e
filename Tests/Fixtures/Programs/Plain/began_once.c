/* Threads that go through one initialiser, and end by pthread_exit. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t token = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int begun, counted;

static void begin(void) {
  pthread_mutex_lock(&lock);
  begun++;
  pthread_mutex_unlock(&lock);
}

static void *count(void *unused) {
  pthread_once(&token, begin);
  pthread_mutex_lock(&lock);
  counted++;
  pthread_mutex_unlock(&lock);
  pthread_exit(unused);
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(begun == 1 && counted == 2);
}
