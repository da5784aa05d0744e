/* A program with an allocator of its own, which takes two locks, one inside the other, in each
 * call. Threads take two further mutexes in opposite orders, one after the other by a flag only,
 * and allocate under them. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 16, WORKERS = 3, ROUNDS = 2000 };
static const size_t heap_size = (size_t)1 << 34;
static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER, books = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t first, next;
static long blocks;

static void count(long more) {
  pthread_mutex_lock(&books);
  blocks += more;
  pthread_mutex_unlock(&books);
}

static void fail(const char *why) {
  write(2, why, strlen(why));
  _exit(9);
}

/* The size lies before a block, and is another one when the block was freed. Any other block ends
 * the program. */
static const size_t freed = (size_t)-1;
static size_t *size_of(void *block) {
  size_t *size = (size_t *)block - 1;
  if ((uintptr_t)block - first >= heap_size || *size == freed)
    fail("not a block of this allocator\n");
  return size;
}

/* A thread that comes back while it is in here ends the program. */
static _Thread_local bool is_busy;
static void enter(void) {
  if (is_busy) fail("called by itself\n");
  is_busy = true;
  pthread_mutex_lock(&heap);
}

static void leave(void) {
  pthread_mutex_unlock(&heap);
  is_busy = false;
}

void *memalign(size_t alignment, size_t size) {
  if (alignment < ALIGNMENT) alignment = ALIGNMENT;
  enter();
  if (!next)
    first = next = (uintptr_t)mmap(NULL, heap_size, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void *block = (void *)((next + ALIGNMENT + alignment - 1) & -alignment);
  next = (uintptr_t)block + size;
  ((size_t *)block)[-1] = size;
  count(1);
  leave();
  return block;
}

void *malloc(size_t size) { return memalign(ALIGNMENT, size); }

void free(void *block) {
  if (!block) return;
  enter();
  *size_of(block) = freed;
  count(-1);
  leave();
}

size_t malloc_usable_size(void *block) { return block ? *size_of(block) : 0; }

void *calloc(size_t number, size_t size) {
  void *block = malloc(number * size);
  return memset(block, 0, number * size);
}

void *realloc(void *old, size_t size) {
  void *block = malloc(size);
  if (old) memcpy(block, old, *size_of(old) < size ? *size_of(old) : size);
  free(old);
  return block;
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return 0;
}

static pthread_mutex_t brush = PTHREAD_MUTEX_INITIALIZER, ladder = PTHREAD_MUTEX_INITIALIZER;
static atomic_int painted;

__attribute__((noinline)) static void paint(void) {
  pthread_mutex_lock(&brush);
  free(malloc(100));
  pthread_mutex_lock(&ladder); /* paint waits here */
  free(malloc(10000));
  pthread_mutex_unlock(&ladder);
  pthread_mutex_unlock(&brush);
}

__attribute__((noinline)) static void wash(void) {
  pthread_mutex_lock(&ladder);
  pthread_mutex_lock(&brush); /* wash waits here */
  free(malloc(10));
  pthread_mutex_unlock(&brush);
  pthread_mutex_unlock(&ladder);
}

static void *painter(void *unused) {
  for (int i = 0; i < ROUNDS; i++) paint();
  atomic_fetch_add(&painted, 1);
  return unused;
}

static void *washer(void *unused) {
  while (atomic_load(&painted) < WORKERS) sched_yield();
  wash();
  return unused;
}

int main(void) {
  pthread_t threads[WORKERS + 1];
  for (int i = 0; i <= WORKERS; i++)
    pthread_create(&threads[i], NULL, i < WORKERS ? painter : washer, NULL);
  for (int i = 0; i <= WORKERS; i++) pthread_join(threads[i], NULL);
  puts(blocks > 0 ? "done" : "too few blocks");
  return 7;
}
