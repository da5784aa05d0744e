#include "bench_probe.h"

#include <pthread.h>

enum { ring_size = 64 };

static pthread_mutex_t ring[ring_size];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_ring(void) {
  for (int i = 0; i < ring_size; i++) pthread_mutex_init(&ring[i], NULL);
}

static void nest(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner);
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}

void bench_mutex(uint64_t rounds) {
  pthread_once(&once, make_ring);
  for (uint64_t i = 0; i < rounds; i++) {
    pthread_mutex_lock(&ring[0]);
    pthread_mutex_unlock(&ring[0]);
  }
}

void bench_nested_pair(uint64_t rounds) {
  pthread_once(&once, make_ring);
  for (uint64_t i = 0; i < rounds; i++) nest(&ring[0], &ring[1]);
}

void bench_rotating_pairs(uint64_t rounds) {
  pthread_once(&once, make_ring);
  for (uint64_t i = 0; i < rounds; i++) {
    unsigned at = i % 15;
    nest(&ring[at], &ring[at + 1]);
  }
}

static void nest_all_pairs(unsigned locks, uint64_t rounds) {
  pthread_once(&once, make_ring);
  for (unsigned outer = 0, inner = 1; rounds > 0; rounds--) {
    nest(&ring[outer], &ring[inner]);
    if (++inner < locks) continue;
    if (++outer == locks - 1) outer = 0;
    inner = outer + 1;
  }
}

void bench_all_pairs_of_16(uint64_t rounds) { nest_all_pairs(16, rounds); }
void bench_all_pairs_of_64(uint64_t rounds) { nest_all_pairs(64, rounds); }

void bench_mutex_lifetime(uint64_t rounds) {
  for (uint64_t i = 0; i < rounds; i++) {
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_destroy(&lock);
  }
}
