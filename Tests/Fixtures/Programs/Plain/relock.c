/* A function takes a mutex that its caller has: it never ends. */
#include <pthread.h>

static pthread_mutex_t ledger = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void book(void) {
  pthread_mutex_lock(&ledger);
  pthread_mutex_unlock(&ledger);
}

int main(void) {
  pthread_mutex_lock(&ledger);
  book();
  pthread_mutex_unlock(&ledger);
  return 0;
}
