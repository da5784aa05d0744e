#ifdef __linux__
#include "base.h"
#include "pool.h"
#include "state.h"
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum { CLASSES = 9, SMALLEST = 32, CHUNK = 64 * 1024 }; /* 32 B … 8 KiB */

typedef struct block {
  struct block *next;
} block;
typedef struct size_class {
  tm_spin lock;
  block *free;
  char *fresh, *end;
  char *_Atomic chunks; /* all chunks, each beginning with the address of the next, where kept */
} size_class;
static size_class classes[CLASSES];

/* The thread counts as inside while it has one: a signal handler that posts a semaphore must not
 * come back for it. */
void tm_spin_lock(tm_spin *lock) {
  if (tm_self) tm_self->inside++;
  atomic_signal_fence(memory_order_seq_cst);
  for (unsigned spins = 0; atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire); spins++)
    if (spins >= 100) syscall(SYS_sched_yield);
}

bool tm_spin_lock_within(tm_spin *lock, unsigned milliseconds) {
  struct timespec pause = {0, 1000000};
  for (unsigned waited = 0; waited < milliseconds; waited++) {
    if (!atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire)) {
      if (tm_self) tm_self->inside++;
      return true;
    }
    syscall(SYS_nanosleep, &pause, NULL);
  }
  return false;
}

void tm_spin_unlock(tm_spin *lock) {
  atomic_store_explicit(&lock->taken, 0, memory_order_release);
  atomic_signal_fence(memory_order_seq_cst);
  if (tm_self) tm_self->inside--;
}

void *tm_map(size_t size) {
  void *map =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return map == MAP_FAILED ? NULL : map;
}

void tm_unmap(void *map, size_t size) { munmap(map, size); }

static int class_of(size_t size) {
  int index = 0;
  for (size_t bytes = SMALLEST; bytes < size; bytes *= 2) index++;
  return index;
}

/* The first block of a chunk leads to the chunk before. */
static void add_chunk(size_class *c, size_t bytes) {
  char *chunk = tm_map(CHUNK);
  c->fresh = chunk;
  c->end = chunk ? chunk + CHUNK : NULL;
  if (!chunk || bytes > TM_POOL_VISITABLE) return;
  *(char **)chunk = atomic_load(&c->chunks);
  atomic_store(&c->chunks, chunk);
  c->fresh += bytes;
}

void *tm_pool_take(size_t size) {
  int index = class_of(size);
  if (index >= CLASSES) return tm_map(size);
  size_class *c = &classes[index];
  size_t bytes = (size_t)SMALLEST << index;
  tm_spin_lock(&c->lock);
  block *taken = c->free;
  if (taken) {
    c->free = taken->next;
  } else {
    if (c->fresh == c->end) add_chunk(c, bytes);
    if (c->fresh) {
      taken = (block *)c->fresh;
      c->fresh += bytes;
    }
  }
  tm_spin_unlock(&c->lock);
  if (taken) tm_clear(taken, size);
  return taken;
}

void tm_pool_give(void *given, size_t size) {
  int index = class_of(size);
  if (index >= CLASSES) {
    tm_unmap(given, size);
    return;
  }
  block *b = given;
  tm_spin_lock(&classes[index].lock);
  b->next = classes[index].free;
  classes[index].free = b;
  tm_spin_unlock(&classes[index].lock);
}

void tm_pool_each(size_t size, void (*visit)(void *block, void *context), void *context) {
  size_class *c = &classes[class_of(size)];
  size_t bytes = (size_t)SMALLEST << class_of(size);
  for (char *chunk = atomic_load(&c->chunks); chunk; chunk = *(char **)chunk)
    for (size_t at = bytes; at < CHUNK; at += bytes) visit(chunk + at, context);
}

TM_GATE_CODE_END
#endif
