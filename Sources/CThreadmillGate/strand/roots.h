/* Roots: the words of a thread's own that may lead to memory of the heap. */
#ifndef TM_ROOTS_H
#define TM_ROOTS_H
#include "ground/base.h"

enum { TM_ROOTS = 256 };
typedef struct tm_roots {
  uint32_t count;
  bool more; /* there were words without room */
  uintptr_t words[TM_ROOTS];
} tm_roots;

/* Notes the calling thread's roots. */
void tm_roots_take(tm_roots *);
/* Returns whether these are all that the calling thread has. Asks for keys that `tm_roots_take`
 * leaves out, so it costs some microseconds. */
bool tm_roots_are_all(const tm_roots *);

/* Returns whether the word can be the address of a block of the heap: such addresses are aligned,
 * and lie neither on the first page nor where only the kernel's do. */
TM_INLINE bool tm_may_be_block(uintptr_t word) {
  enum { ALIGNMENT = 15, FIRST_PAGE = 4096, ADDRESS_BITS = 47 };
  return word >= FIRST_PAGE && !(word & ALIGNMENT) && (uint64_t)word >> ADDRESS_BITS == 0;
}
#endif
