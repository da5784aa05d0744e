/* A reader takes the same lock for writing, and waits for itself: it never ends. glibc would say
 * EDEADLK only to a thread that wrote. Two readers do it, each of which keeps the other out. */
#include "meeting.h"
#include <pthread.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int read;

static void *look_and_change(void *unused) {
  pthread_rwlock_rdlock(&table);
  arrive(&read);
  await(&read, 2);
  pthread_rwlock_wrlock(&table);
  pthread_rwlock_unlock(&table);
  pthread_rwlock_unlock(&table);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, look_and_change, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
