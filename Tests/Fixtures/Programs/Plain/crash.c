/* Two locks in opposite orders, one after the other; then the program dies of a null pointer. */
#include "meeting.h"
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t hat = PTHREAD_MUTEX_INITIALIZER, coat = PTHREAD_MUTEX_INITIALIZER;

static void *dress(void *unused) {
  pthread_mutex_lock(&hat);
  pthread_mutex_lock(&coat);
  pthread_mutex_unlock(&coat);
  pthread_mutex_unlock(&hat);
  return unused;
}

static atomic_int dressed;

static void *undress(void *unused) {
  await(&dressed, 1);
  pthread_mutex_lock(&coat);
  pthread_mutex_lock(&hat);
  pthread_mutex_unlock(&hat);
  pthread_mutex_unlock(&coat);
  return unused;
}

__attribute__((noinline)) static int stumble(const int *volatile shoe) { return *shoe; }

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[1], NULL, undress, NULL);
  pthread_create(&threads[0], NULL, dress, NULL);
  pthread_join(threads[0], NULL);
  arrive(&dressed);
  pthread_join(threads[1], NULL);
  return stumble(NULL);
}
