/* Initialisers that run once: those of pthread_once, and those of static variables inside of
 * functions of C++. Both calls go on to the real one; only an exploration does something else. */
#ifdef __linux__
#include "ground/base.h"
#include "ground/real.h"
#include <pthread.h>

TM_GATE_CODE_BEGIN

TM_EXPORT int pthread_once(pthread_once_t *token, void (*work)(void)) {
  return TM_REAL(pthread_once)(token, work);
}

/* Weak: a program with the standard library of C++ linked into it has this function already. */
TM_EXPORT __attribute__((weak)) int __cxa_guard_acquire(uint64_t *guard) {
  return TM_REAL(__cxa_guard_acquire)(guard);
}

TM_GATE_CODE_END
#endif
