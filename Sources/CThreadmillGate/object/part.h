/* The object floor's parts of a thread's state: numbers for new objects, and counts of work for
 * thread pools. */
#ifndef TM_OBJECT_PART_H
#define TM_OBJECT_PART_H
#include "ground/limits.h"

struct tm_workers;

/* The numbers that the thread took for objects to come. */
typedef struct tm_objects_part {
  uint64_t next_id;
  uint32_t ids_left;
  uint32_t ids_taken; /* goes round, which costs some calls */
} tm_objects_part;

typedef struct tm_pools_part {
  struct tm_workers *_Atomic workers; /* the pool that the thread runs something for, or NULL */
  /* The work that the thread added to each pool, less the work that it took: only the sum over all
   * threads has a meaning. */
  atomic_int work[TM_POOLS][TM_WORKS];
} tm_pools_part;
#endif
