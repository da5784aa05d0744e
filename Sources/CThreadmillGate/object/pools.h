/* The pools of threads that blocks and jobs share, and whether one of them is starved: all its
 * threads are blocked, and there is work for one more. */
#ifndef TM_WORKERS_H
#define TM_WORKERS_H
#include "ground/thread.h"

/* One pool. On Linux the runtime's jobs of one priority go to one queue that lets a fixed number of
 * them run at once; everything else shares the threads of a root queue, which get one more each
 * second while none of them runs. */
typedef struct tm_workers {
  const void *_Atomic queue; /* the runtime's, or a root queue; NULL: free place */
  bool cooperative;
  /* The watchdog's own. */
  uint64_t mark;
  uint32_t still;
  bool told; /* since there was no work waiting */
} tm_workers;

/* The runtime sets up a queue for its jobs. */
void tm_workers_prepare(const void *queue);
/* The pool that work on this queue runs in; NULL if it is in none, or has no place here. */
tm_workers *tm_workers_of(const void *queue);

/* More or less work of a kind is there. Every thread keeps its own count, or all would write to one
 * place with each block. `NULL`: one that is not watched. */
typedef enum tm_work {
  TM_WORK_WAITS,   /* submitted, could run, and not begun */
  TM_WORK_BARRIER, /* a barrier that has not ended: others wait for it, not for a thread */
} tm_work;
void tm_workers_count(tm_thread *, const tm_workers *, tm_work, int change);

/* Returns the number of cores that this process may use. */
uint32_t tm_cores(void);
/* A queue was suspended: what waits on it does not wait for a thread. */
void tm_workers_suspended(void);
bool tm_is_any_suspended(void);

/* The pools by number, up to the first free place, and how much work of a kind one has. */
tm_workers *tm_workers_at(int number);
int tm_workers_number(const tm_workers *);
int tm_work_of(const tm_workers *, tm_work);

#endif
