#ifdef __linux__
#include "ground/base.h"
#include "object/pools.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/thread.h"
#include "object/queue.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

static tm_workers pools[TM_POOLS];
static atomic_int unwatched[TM_POOLS][TM_WORKS];
static atomic_bool suspended;

static tm_workers *find_or_add(const void *queue, bool cooperative) {
  for (int i = 0; i < TM_POOLS; i++) {
    const void *there = atomic_load_explicit(&pools[i].queue, memory_order_acquire);
    if (!there && atomic_compare_exchange_strong(&pools[i].queue, &there, queue)) {
      pools[i].cooperative = cooperative;
      return &pools[i];
    }
    if (there == queue) return &pools[i];
  }
  tm_count_one(TM_POOL_WORK_UNWATCHED);
  return NULL;
}

void tm_workers_prepare(const void *queue) { find_or_add(queue, true); }

/* The pools have the first places. */
static tm_workers *find(const void *queue) {
  for (int i = 0; i < TM_POOLS; i++) {
    const void *there = atomic_load_explicit(&pools[i].queue, memory_order_relaxed);
    if (there == queue) return &pools[i];
    if (!there) return NULL;
  }
  return NULL;
}

tm_workers *tm_workers_of(const void *queue) {
  const void *root = queue;
  tm_workers *pool;
  for (int depth = 0; root && depth < TM_CHAIN; depth++) {
    const void *next = tm_queue_target(root);
    if (root == tm_main_queue) return NULL;
    if (depth == 0 && (pool = find(root))) return pool;
    if (!next) return tm_queue_is_root(root) ? find_or_add(root, false) : NULL;
    root = next;
  }
  return NULL;
}

void tm_workers_count(tm_thread *t, const tm_workers *w, tm_work work, int change) {
  long pool = w - pools;
  if (!t) {
    atomic_fetch_add(&unwatched[pool][work], change);
    return;
  }
  int before = atomic_load_explicit(&t->pools.work[pool][work], memory_order_relaxed);
  atomic_store_explicit(&t->pools.work[pool][work], before + change, memory_order_relaxed);
}

/* Counts outlive their threads, so that the sum stays right. */
int tm_work_of(const tm_workers *w, tm_work work) {
  long pool = w - pools;
  int sum = atomic_load(&unwatched[pool][work]);
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    sum += atomic_load_explicit(&u->pools.work[pool][work], memory_order_relaxed);
  return sum;
}

int tm_workers_number(const tm_workers *w) { return (int)(w - pools); }

tm_workers *tm_workers_at(int number) {
  return number < TM_POOLS && atomic_load(&pools[number].queue) ? &pools[number] : NULL;
}

void tm_workers_suspended(void) { atomic_store(&suspended, true); }
bool tm_is_any_suspended(void) { return atomic_load(&suspended); }

uint32_t tm_cores(void) {
  static uint32_t known;
  uint64_t set[16] = {0};
  if (known) return known;
  long bytes = syscall(SYS_sched_getaffinity, 0L, sizeof set, set);
  for (long i = 0; i < bytes / 8; i++) known += (uint32_t)__builtin_popcountll(set[i]);
  return known ? known : 1;
}

TM_GATE_CODE_END
#endif
