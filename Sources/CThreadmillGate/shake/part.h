/* The jitter's part of a thread's state: how long the thread was delayed under one plan. */
#ifndef TM_SHAKE_PART_H
#define TM_SHAKE_PART_H
#include "ground/limits.h"

typedef struct tm_shake_part {
  uint32_t generation;     /* the plan's number */
  uint64_t began, delayed; /* nanoseconds */
} tm_shake_part;
#endif
