/* The tell floor's part of a thread's state: nestings that the thread makes again and again. */
#ifndef TM_TELL_PART_H
#define TM_TELL_PART_H
#include "ground/limits.h"

/* A nesting of a mutex in a mutex that the thread kept (usual.h). It is known again by its places,
 * by what was around it, and by the moment, and needs no look-up then. */
typedef struct tm_usual {
  uint64_t strand; /* 0: there is none */
  uint32_t orders_epoch; /* of the orders of classes */
  uint32_t habit;
  const void *queue; /* that libdispatch said the thread ran on */
  uint32_t outer_created, inner_created;
  uintptr_t outer_site[2], inner_site[2];
} tm_usual;

enum { TM_USUAL = 8 };

typedef struct tm_tell_part {
  tm_usual usual[TM_USUAL];
} tm_tell_part;
#endif
