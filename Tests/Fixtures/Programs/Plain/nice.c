/* An urgent thread waits for a mutex that a thread of lower priority holds for long. Under Linux
 * each thread has a nice value of its own, and everybody may raise it. */
#define _GNU_SOURCE
#include "meeting.h"
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
static atomic_int held;

static void *slow(void *unused) {
  setpriority(PRIO_PROCESS, gettid(), 10);
  pthread_mutex_lock(&cache);
  arrive(&held);
  struct timespec while_waited_for = {0, 50000000};
  nanosleep(&while_waited_for, NULL);
  pthread_mutex_unlock(&cache);
  return unused;
}

static void *urgent(void *unused) {
  await(&held, 1);
  pthread_mutex_lock(&cache);
  pthread_mutex_unlock(&cache);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, slow, NULL);
  pthread_create(&threads[1], NULL, urgent, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
