/* The part of a thread's state that counts work of thread pools. */
#ifndef TM_OBJECT_PART_H
#define TM_OBJECT_PART_H
#include "ground/limits.h"

struct tm_workers;

typedef struct tm_pools_part {
  struct tm_workers *_Atomic workers; /* the pool that the thread runs something for, or NULL */
  /* The work that the thread added to each pool, less the work that it took: only the sum over all
   * threads has a meaning. */
  atomic_int work[TM_POOLS][TM_WORKS];
} tm_pools_part;
#endif
