/* Small, and with what debug information has words for: calls put in place in each other, a static
 * function, a thread's function, two files. */
#include "adding.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(int by) {
  pthread_mutex_lock(&lock);
  total += twice(by);
  pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
  for (int i = 0; i < 100; i++) add(i % 7 ? i : (int)(long)argument);
  return NULL;
}

int main(int count, char **arguments) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%d\n", total);
  return count > 5 ? atoi(arguments[1]) : 0;
}
