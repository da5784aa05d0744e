#include "bench_probe.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* Each contender counts on its own cache line. */
struct contender {
  _Alignas(64) uint64_t turns;
  unsigned core;
};

/* The lock and what it guards lie on one cache line, the signals on another: where the linker puts
 * them differs between the two programs, and would be measured instead of the gate. */
static struct {
  _Alignas(64) pthread_mutex_t lock;
  uint64_t guarded;
} fought_over = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct {
  _Alignas(64) _Atomic unsigned ready;
  _Atomic bool stop;
} signals;

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
  atomic_fetch_add(&signals.ready, 1);
  while (atomic_load(&signals.ready) < 2) continue;
  while (!atomic_load_explicit(&signals.stop, memory_order_relaxed)) {
    pthread_mutex_lock(&fought_over.lock);
    fought_over.guarded += state & 1;
    pthread_mutex_unlock(&fought_over.lock);
    state = think(state);
    self->turns++;
  }
  return NULL;
}

double bench_contended(uint64_t nanoseconds) {
  struct contender contenders[2] = {{.core = 0}, {.core = 1}};
  pthread_t threads[2];
  if (bench_cores() < 2) return 0;
  atomic_store(&signals.ready, 0);
  atomic_store(&signals.stop, false);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, contend, &contenders[i]);
  while (atomic_load(&signals.ready) < 2) continue;

  uint64_t start = bench_now();
  struct timespec pause = {.tv_sec = 0, .tv_nsec = (long)nanoseconds};
  nanosleep(&pause, NULL);
  atomic_store(&signals.stop, true);
  uint64_t elapsed = bench_now() - start;

  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return (double)elapsed / (double)(contenders[0].turns + contenders[1].turns);
}
