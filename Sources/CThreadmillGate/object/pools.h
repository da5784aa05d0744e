/* The pools of threads that blocks and jobs share, and whether one of them is starved: all its
 * threads are blocked, and there is work for one more. */
#ifndef TM_WORKERS_H
#define TM_WORKERS_H
#include "ground/thread.h"

/* One pool. On Linux the runtime's jobs of one priority go to one queue that lets a fixed number of
 * them run at once; all other work shares the threads of a root queue, which gets one more thread
 * each second while none of them runs. */
typedef struct tm_workers {
  const void *_Atomic queue; /* the runtime's, or a root queue; NULL: free place */
  bool cooperative;
  /* The fields from here on belong to the watchdog. */
  uint64_t mark;
  uint32_t still;
  bool told; /* its starvation is told; reset when no work waits */
} tm_workers;

/* Notes a queue that the runtime sets up for its jobs. */
void tm_workers_prepare(const void *queue);
/* Returns the pool that runs this queue's work; NULL if there is none, or if the table of pools is
 * full. */
tm_workers *tm_workers_of(const void *queue);

/* Adds to the count of work of a kind. Every thread keeps its own count, else all threads would
 * write to one place with each block. A NULL thread is one that is not watched. */
typedef enum tm_work {
  TM_WORK_WAITS,   /* submitted, could run, and not begun */
  TM_WORK_BARRIER, /* a barrier that has not ended: others wait for it, not for a thread */
} tm_work;
void tm_workers_count(tm_thread *, const tm_workers *, tm_work, int change);

/* Returns the number of cores that this process may use. */
uint32_t tm_cores(void);
/* Notes that a queue was suspended: its work does not wait for a thread. */
void tm_workers_suspended(void);
bool tm_is_any_suspended(void);

/* The pools by number, up to the first free place, and how much work of a kind one has. */
tm_workers *tm_workers_at(int number);
int tm_workers_number(const tm_workers *);
int tm_work_of(const tm_workers *, tm_work);

#endif
