#include "bench_probe.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void use(pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
}

void bench_locks_in_turn(size_t count) {
  for (size_t i = 0; i < count; i++) {
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    use(&lock);
    pthread_mutex_destroy(&lock);
  }
}

void bench_locks_in_turn_nested(size_t count) {
  static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
  for (size_t i = 0; i < count; i++) {
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_lock(&outer);
    use(&lock);
    pthread_mutex_unlock(&outer);
    pthread_mutex_destroy(&lock);
  }
}

/* Memory straight from the kernel: it is gone for certain when it is given back. */
static void *map(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static pthread_mutex_t *make_locks(size_t count) {
  pthread_mutex_t *locks = map(count * sizeof *locks);
  for (size_t i = 0; i < count; i++) pthread_mutex_init(&locks[i], NULL);
  return locks;
}

static void destroy_locks(pthread_mutex_t *locks, size_t count) {
  for (size_t i = 0; i < count; i++) pthread_mutex_destroy(&locks[i]);
  munmap(locks, count * sizeof *locks);
}

void bench_locks_at_once(size_t count) {
  pthread_mutex_t *locks = make_locks(count);
  for (size_t i = 0; i < count; i++) use(&locks[i]);
  destroy_locks(locks, count);
}

/* SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

struct pair {
  uint32_t outer, inner;
};

/* Fills `chosen` with different pairs of numbers below `locks`; the outer one is the lower. */
static void choose_pairs(struct pair *chosen, size_t pairs, size_t locks, uint64_t *state) {
  size_t bytes = (locks * locks + 7) / 8;
  uint8_t *seen = map(bytes);
  for (size_t found = 0; found < pairs;) {
    uint32_t a = (uint32_t)(next_random(state) % locks);
    uint32_t b = (uint32_t)(next_random(state) % locks);
    struct pair pair = {a < b ? a : b, a < b ? b : a};
    size_t bit = (size_t)pair.outer * locks + pair.inner;
    if (a == b || (seen[bit / 8] >> (bit % 8) & 1)) continue;
    seen[bit / 8] |= (uint8_t)(1u << (bit % 8));
    chosen[found++] = pair;
  }
  munmap(seen, bytes);
}

/* Renames the locks, so that the order of the pairs is no longer the order of creation. */
static void rename_locks(struct pair *chosen, size_t pairs, size_t locks, uint64_t *state) {
  uint32_t *name = map(locks * sizeof *name);
  for (size_t i = 0; i < locks; i++) name[i] = (uint32_t)i;
  for (size_t i = locks - 1; i > 0; i--) {
    size_t other = next_random(state) % (i + 1);
    uint32_t kept = name[i];
    name[i] = name[other];
    name[other] = kept;
  }
  for (size_t i = 0; i < pairs; i++) {
    chosen[i] = (struct pair){name[chosen[i].outer], name[chosen[i].inner]};
  }
  munmap(name, locks * sizeof *name);
}

static double nest_all(pthread_mutex_t *locks, const struct pair *chosen, size_t pairs) {
  uint64_t start = bench_processor_time();
  for (size_t i = 0; i < pairs; i++) {
    pthread_mutex_lock(&locks[chosen[i].outer]);
    use(&locks[chosen[i].inner]);
    pthread_mutex_unlock(&locks[chosen[i].outer]);
  }
  return (double)(bench_processor_time() - start);
}

struct bench_halves bench_distinct_pairs(
    size_t locks, size_t pairs, bool shuffled, uint64_t seed) {
  struct pair *chosen = map(pairs * sizeof *chosen);
  choose_pairs(chosen, pairs, locks, &seed);
  if (shuffled) rename_locks(chosen, pairs, locks, &seed);

  pthread_mutex_t *all = make_locks(locks);
  struct bench_halves halves;
  halves.first = nest_all(all, chosen, pairs / 2);
  halves.second = nest_all(all, chosen + pairs / 2, pairs - pairs / 2);

  destroy_locks(all, locks);
  munmap(chosen, pairs * sizeof *chosen);
  return halves;
}

/* The pairs and orders are random, so that nearly every nesting is new. */
static void nest_at_random(pthread_mutex_t *locks, size_t count, size_t times, uint64_t *state) {
  for (size_t i = 0; i < times; i++) {
    size_t outer = next_random(state) % count, inner = next_random(state) % count;
    if (outer == inner) continue;
    pthread_mutex_lock(&locks[outer]);
    use(&locks[inner]);
    pthread_mutex_unlock(&locks[outer]);
  }
}

void bench_fresh_nesting(uint64_t count) {
  uint64_t state = 42;
  pthread_mutex_t *locks = make_locks(count);
  nest_at_random(locks, count, count, &state);
  destroy_locks(locks, count);
}
