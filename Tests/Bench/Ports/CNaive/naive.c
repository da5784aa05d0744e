#define _GNU_SOURCE
#include "bench_naive.h"
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LONGEST = 200000 }; /* nanoseconds */

static atomic_bool begun;
static uint64_t seed;
static atomic_ullong count;

/* The code of the program, and that of Foundation; written before `begun`. */
static struct {
  uintptr_t from, to;
} own[8];
static int images;

static bool is_own_image(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return !*name || strncmp(name, "libFoundation", 13) == 0;
}

static int add(struct dl_phdr_info *image, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int i = 0; is_own_image(image->dlpi_name) && i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    if (images == sizeof own / sizeof *own) abort();
    uintptr_t from = image->dlpi_addr + part->p_vaddr;
    own[images].from = from, own[images++].to = from + part->p_memsz;
  }
  return 0;
}

void bench_naive_begin(uint64_t number) {
  seed = number;
  dl_iterate_phdr(add, NULL);
  atomic_store(&begun, true);
}

/* Returns whether the program makes the call, or Foundation for it (`NSLock`). This takes
 * nanoseconds. `dladdr` takes tens of microseconds, which would delay the program by itself. */
static bool is_own(const void *caller) {
  if (!atomic_load(&begun)) return false;
  for (int i = 0; i < images; i++)
    if ((uintptr_t)caller >= own[i].from && (uintptr_t)caller < own[i].to) return true;
  return false;
}

static uint64_t scramble(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static void disturb(void) {
  uint64_t drawn = scramble(seed * 0x9E3779B97F4A7C15u + atomic_fetch_add(&count, 1));
  struct timespec time = {0, (long)((drawn >> 1) % (LONGEST + 1))};
  if (drawn & 1) sched_yield();
  else nanosleep(&time, NULL);
}

#define DISTURBED(name, parameters, arguments)                             \
  int name parameters {                                                    \
    static int(*_Atomic real) parameters;                                  \
    if (!real) real = (int(*) parameters)dlsym(RTLD_NEXT, #name);          \
    bool own = is_own(__builtin_return_address(0));                        \
    if (own) disturb();                                                    \
    int result = real arguments;                                           \
    if (own) disturb();                                                    \
    return result;                                                         \
  }

/* The calls of the programs. `RTLD_NEXT` finds the newest `pthread_cond_wait` from glibc 2.36 on.
 */
DISTURBED(pthread_mutex_lock, (pthread_mutex_t * m), (m))
DISTURBED(pthread_mutex_unlock, (pthread_mutex_t * m), (m))
DISTURBED(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m))
DISTURBED(pthread_cond_signal, (pthread_cond_t * c), (c))
DISTURBED(pthread_join, (pthread_t thread, void **result_of_it), (thread, result_of_it))
DISTURBED(pthread_create,
          (pthread_t * thread, const pthread_attr_t *a, void *(*body)(void *), void *argument),
          (thread, a, body, argument))
