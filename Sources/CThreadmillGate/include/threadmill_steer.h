/* Steering: what Swift tells the gate of one lock-order cycle that is to become a deadlock. */
#ifndef THREADMILL_STEER_H
#define THREADMILL_STEER_H

#include <stdbool.h>
#include <stdint.h>

/* As long as the longest cycle that is looked for; of a stack, the innermost frames. */
enum { TM_STEER_EDGES = 8, TM_STEER_FRAMES = 8 };

/* One thread's way into the cycle: return addresses, innermost first, without repeats. */
typedef struct tm_steer_edge {
  uintptr_t outer[TM_STEER_FRAMES]; /* where it took what it holds */
  uint32_t outer_count;             /* 0: nowhere, as the main thread its queue */
  uintptr_t inner[TM_STEER_FRAMES]; /* where it takes the next one */
  uint32_t inner_count;
  uint32_t skipped; /* so many threads pass first */
} tm_steer_edge;

/* Each thread waits for what the thread of the next edge holds, the last for the first. */
typedef struct tm_steer_plan {
  tm_steer_edge edges[TM_STEER_EDGES];
  uint32_t edge_count;
  uint32_t milliseconds; /* that a thread is held at most */
} tm_steer_plan;

/* Steers this process from now on. Called once, before `tm_activate`. The process ends with its
 * parent. */
void tm_steer_begin(const tm_steer_plan *);

#endif
