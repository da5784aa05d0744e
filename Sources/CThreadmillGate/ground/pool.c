#ifdef __linux__
#include "ground/base.h"
#include "ground/pool.h"
#include "ground/lock.h"
#include "ground/storage.h"
#include "ground/thread.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum { CLASSES = 9, SMALLEST = 32, CHUNK = 64 * 1024 }; /* 32 B … 8 KiB */

/* Blocks that were given back, listed in one of them. So a thread reads only one block that another
 * processor wrote last, for many blocks. */
typedef struct batch {
  struct batch *next;
  uintptr_t count;
  void *others[];
} batch;
typedef struct size_class {
  _Alignas(64) tm_spin lock; /* a cache line each, so that no two classes share one */
  batch *free;
  char *fresh, *end;
  char *_Atomic chunks; /* visitable chunks, each beginning with the address of the next */
} size_class;
static size_class classes[CLASSES];

/* The holder is done within some instructions, unless it has lost its core: a waiter with a higher
 * real-time priority must then sleep, or the holder never gets the core back. */
TM_SLOW void tm_spin_wait(tm_spin *lock) {
  static const struct timespec pause = {0, 50000};
  int saved = errno;
  for (unsigned spins = 0; atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire); spins++)
    if (spins >= 200) syscall(SYS_nanosleep, &pause, NULL);
    else if (spins >= 100) syscall(SYS_sched_yield);
  errno = saved;
}

/* By raw system calls: TSan's own `mmap` counts as a write to the memory, which is then part of a
 * race with the gate's next use of it. */
static void *map_with(size_t size, int flags) {
  flags |= MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  long map = syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0l);
  return map == -1 ? NULL : (void *)map;
}

void *tm_map(size_t size) { return map_with(size, 0); }
void *tm_map_whole(size_t size) { return map_with(size, MAP_POPULATE); }
void tm_unmap(void *map, size_t size) { syscall(SYS_munmap, map, size); }

static int class_of(size_t size) {
  enum { SMALLEST_BITS = 5, LONG_BITS = 64 };
  _Static_assert(SMALLEST == 1 << SMALLEST_BITS, "");
  return size <= SMALLEST ? 0 : LONG_BITS - SMALLEST_BITS - __builtin_clzl(size - 1);
}

/* The first block of a chunk leads to the chunk before. */
static void add_chunk(size_class *c, size_t bytes) {
  char *chunk = tm_map_whole(CHUNK);
  c->fresh = chunk;
  c->end = chunk ? chunk + CHUNK : NULL;
  if (!chunk || bytes > TM_POOL_VISITABLE) return;
  *(char **)chunk = atomic_load(&c->chunks);
  atomic_store(&c->chunks, chunk);
  c->fresh += bytes;
}

static void *take_fresh(size_class *c, size_t bytes) {
  if (c->fresh == c->end) add_chunk(c, bytes);
  void *taken = c->fresh;
  if (taken) c->fresh += bytes;
  return taken;
}

/* Returns one block; `magazine` gets the other blocks of its batch. */
static void *take_shared(int index, tm_magazine *magazine) {
  size_class *c = &classes[index];
  tm_spin_lock(&c->lock);
  batch *taken = c->free;
  bool whole = taken && (magazine || taken->count == 0);
  if (whole) c->free = taken->next;
  void *one = whole   ? taken
              : taken ? taken->others[--taken->count]
                      : take_fresh(c, (size_t)SMALLEST << index);
  tm_spin_unlock(&c->lock);
  if (whole && magazine) {
    tm_copy(magazine->blocks, taken->others, taken->count * sizeof(void *));
    magazine->count = (uint32_t)taken->count;
  }
  return one;
}

static void give_shared(int index, void *first, void *const *others, uint32_t count) {
  batch *given = first;
  given->count = count;
  tm_copy(given->others, others, count * sizeof(void *));
  tm_spin_lock(&classes[index].lock);
  given->next = classes[index].free;
  classes[index].free = given;
  tm_spin_unlock(&classes[index].lock);
}

/* Returns the number of blocks that fit into the list of a batch, at most half a magazine. */
static uint32_t batch_of(int index) {
  size_t fit = (((size_t)SMALLEST << index) - sizeof(batch)) / sizeof(void *);
  return fit < TM_MAGAZINE / 2 ? (uint32_t)fit : TM_MAGAZINE / 2;
}

static tm_magazine *magazine_of(tm_thread *t, int index) {
  return t && index < TM_MAGAZINES ? &t->pool.magazines[index] : NULL;
}

void *tm_pool_take_as_is(size_t size) {
  int index = class_of(size);
  if (index >= CLASSES) return tm_map(size);
  tm_thread *t = tm_self;
  tm_magazine *magazine = magazine_of(t, index);
  if (t) t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  void *taken = magazine && magazine->count ? magazine->blocks[--magazine->count]
                                            : take_shared(index, magazine);
  atomic_signal_fence(memory_order_seq_cst);
  if (t) t->ground.inside--;
  return taken;
}

void *tm_pool_take(size_t size) {
  void *taken = tm_pool_take_as_is(size);
  if (taken) tm_clear(taken, size);
  return taken;
}

void tm_pool_give(void *given, size_t size) {
  int index = class_of(size);
  if (index >= CLASSES) {
    tm_unmap(given, size);
    return;
  }
  tm_thread *t = tm_self;
  tm_magazine *magazine = magazine_of(t, index);
  if (!magazine) return give_shared(index, given, NULL, 0);
  t->ground.inside++;
  atomic_signal_fence(memory_order_seq_cst);
  if (magazine->count == TM_MAGAZINE) {
    magazine->count -= batch_of(index);
    give_shared(index, given, magazine->blocks + magazine->count, batch_of(index));
  } else {
    magazine->blocks[magazine->count++] = given;
  }
  atomic_signal_fence(memory_order_seq_cst);
  t->ground.inside--;
}

void tm_pool_each(size_t size, void (*visit)(void *block, void *context), void *context) {
  size_class *c = &classes[class_of(size)];
  size_t bytes = (size_t)SMALLEST << class_of(size);
  for (char *chunk = atomic_load(&c->chunks); chunk; chunk = *(char **)chunk)
    for (size_t at = bytes; at < CHUNK; at += bytes) visit(chunk + at, context);
}

TM_GATE_CODE_END
#endif
