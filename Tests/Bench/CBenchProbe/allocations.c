#include "bench_probe.h"

/* The executable's own malloc comes before the C library's for everybody in the process, so a
 * counter in front of the real one sees every allocation. glibc keeps the real ones callable.
 * Thread Sanitizer brings its own malloc, and other C libraries have no second name for theirs. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BENCH_CANNOT_COUNT 1
#endif
#endif

#include <stdlib.h>

#if defined(__GLIBC__) && !defined(BENCH_CANNOT_COUNT)
#include <errno.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Thread_local int64_t allocations;

int64_t bench_allocations(void) { return allocations; }

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  allocations++;
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}
#else
int64_t bench_allocations(void) { return -1; }
#endif
