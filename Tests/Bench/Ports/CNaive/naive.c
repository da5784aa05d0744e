#define _GNU_SOURCE
#include "bench_naive.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { LONGEST = 200000 }; /* nanoseconds */

static atomic_bool begun;
static uint64_t seed;
static atomic_ullong count;

void bench_naive_begin(uint64_t number) {
  seed = number;
  atomic_store(&begun, true);
}

/* Returns whether the program makes the call, or Foundation for it (`NSLock`). */
static bool is_own(void *caller) {
  Dl_info program, info;
  if (!atomic_load(&begun) || !dladdr((void *)bench_naive_begin, &program)) return false;
  if (!dladdr(caller, &info)) return true;
  const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
  return info.dli_fbase == program.dli_fbase || strncmp(name, "libFoundation", 13) == 0;
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
