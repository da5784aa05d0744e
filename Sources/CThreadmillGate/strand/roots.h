/* Roots: the words of a thread's own that lead to memory of the heap. */
#ifndef TM_ROOTS_H
#define TM_ROOTS_H
#include "ground/base.h"

enum { TM_ROOTS = 64 };
typedef struct tm_roots {
  uint32_t count;
  uintptr_t words[TM_ROOTS];
} tm_roots;

/* Notes the calling thread's roots, as far as there is room. */
void tm_roots_take(tm_roots *);
#endif
