#include "bench_probe.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* Each contender counts on its own cache line. */
struct contender {
  _Alignas(64) uint64_t turns;
  unsigned core;
};

static pthread_mutex_t fought_over = PTHREAD_MUTEX_INITIALIZER;
static uint64_t guarded;
static _Atomic unsigned ready;
static _Atomic bool stop;

/* Some work of its own between two turns, or one thread would keep the lock for itself. */
static uint64_t think(uint64_t state) {
  for (int i = 0; i < 16; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
  }
  return state;
}

static void *contend(void *argument) {
  struct contender *self = argument;
  uint64_t state = 88172645463325252u + self->core;
  bench_pin(self->core);
  atomic_fetch_add(&ready, 1);
  while (atomic_load(&ready) < 2) continue;
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    pthread_mutex_lock(&fought_over);
    guarded += state & 1;
    pthread_mutex_unlock(&fought_over);
    state = think(state);
    self->turns++;
  }
  return NULL;
}

double bench_contended(uint64_t nanoseconds) {
  struct contender contenders[2] = {{.core = 0}, {.core = 1}};
  pthread_t threads[2];
  if (bench_cores() < 2) return 0;
  atomic_store(&ready, 0);
  atomic_store(&stop, false);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, contend, &contenders[i]);
  while (atomic_load(&ready) < 2) continue;

  uint64_t start = bench_now();
  struct timespec pause = {.tv_sec = 0, .tv_nsec = (long)nanoseconds};
  nanosleep(&pause, NULL);
  atomic_store(&stop, true);
  uint64_t elapsed = bench_now() - start;

  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return (double)elapsed / (double)(contenders[0].turns + contenders[1].turns);
}
