#ifdef __linux__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "threadmill_annotations.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

/* Not NULL if the gate is linked. */
extern const tm_annotations threadmill_annotations_1 __attribute__((weak));

/* The answer of the dynamic linker, which is asked once. Relaxed: it is the address of constants,
 * and under Thread Sanitizer it must add no order between the program's threads. */
static const tm_annotations nobody;
static _Atomic(const tm_annotations *) preloaded;

const tm_annotations *tm_annotations_find(void) {
  if (&threadmill_annotations_1) return &threadmill_annotations_1;
  const tm_annotations *found = atomic_load_explicit(&preloaded, memory_order_relaxed);
  if (!found) {
    found = dlsym(RTLD_DEFAULT, "threadmill_annotations_1");
    if (!found) found = &nobody;
    atomic_store_explicit(&preloaded, found, memory_order_relaxed);
  }
  return found == &nobody ? NULL : found;
}
#else
#include "threadmill_annotations.h"
#include <stddef.h>

const tm_annotations *tm_annotations_find(void) { return NULL; }
#endif
