/* Steering: what Swift tells the gate of one lock-order cycle that is to become a deadlock. */
#ifndef THREADMILL_STEER_H
#define THREADMILL_STEER_H

#include <stdbool.h>
#include <stdint.h>

/* The length of the longest cycle; the number of innermost frames kept of a stack. */
enum { TM_STEER_EDGES = 8, TM_STEER_FRAMES = 8 };

/* One thread's way into the cycle: return addresses, innermost first, without repeats. */
typedef struct tm_steer_edge {
  uintptr_t outer[TM_STEER_FRAMES]; /* where it took the lock that it holds */
  uint32_t outer_count;             /* 0: at no call, as the main thread has its queue */
  uintptr_t inner[TM_STEER_FRAMES]; /* where it takes the next lock */
  uint32_t inner_count;
  uint32_t skipped; /* the number of threads that pass first */
} tm_steer_edge;

/* Each thread waits for what the thread of the next edge holds, the last for the first. */
typedef struct tm_steer_plan {
  tm_steer_edge edges[TM_STEER_EDGES];
  uint32_t edge_count;
  uint32_t milliseconds; /* the longest time that a thread is held */
} tm_steer_plan;

/* Steers this process from now on. Called once, before `tm_activate`. The process ends with its
 * parent. */
void tm_steer_begin(const tm_steer_plan *);

#endif
