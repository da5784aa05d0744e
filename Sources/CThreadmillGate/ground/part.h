/* The ground's parts of a thread's state. */
#ifndef TM_GROUND_PART_H
#define TM_GROUND_PART_H
#include "ground/storage.h"

/* The gate reads this part first on every call. */
typedef struct tm_ground_part {
  /* 0 means the plain case. `inside` counts how deep the thread is in the gate or in the harness.
   * `attention` is a set of TM_ATTENDS_*; another thread may write it. */
  union {
    struct {
      uint16_t inside, attention;
    };
    uint32_t special;
  };
  int tid;                         /* the thread's number in the kernel */
  bool keeps_going;                /* cancellation is already disabled for this thread */
  bool runs_program;               /* a thread of the gate's, on which exit handlers run now */
  bool explored;                   /* the thread is a seat of an exploration; see control/part.h */
  char *handler_stack;             /* the gate's stack for signal handlers, or NULL */
  uintptr_t stack_low, stack_high; /* the bounds of its stack; 0: not asked for yet */
} tm_ground_part;

/* Freed blocks that this thread takes again without asking the shared pool. */
typedef struct tm_pool_part {
  tm_magazine magazines[TM_MAGAZINES];
} tm_pool_part;
#endif
