/* A library whose constructor waits for a lock of the program that loads it. The program says in a
 * variable where the two are: a flag that the constructor has begun, and the lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct meeting {
  atomic_bool begun;
  pthread_mutex_t *lock;
};

__attribute__((constructor)) static void begin(void) {
  struct meeting *m = (struct meeting *)strtoul(getenv("MEETING"), NULL, 0);
  atomic_store(&m->begun, 1);
  pthread_mutex_lock(m->lock);
  pthread_mutex_unlock(m->lock);
}
