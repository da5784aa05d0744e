/* The gate's record of a semaphore, `dispatch_semaphore_t` or `sem_t`. */
#ifndef TM_SEMAPHORE_H
#define TM_SEMAPHORE_H
#include "strand/clock.h"
#include "strand/steps.h"

/* Lives in the table of instances, under the lock of its shard. */
typedef struct tm_semaphore {
  tm_clock *clock;
  tm_steps waits;   /* the waits that succeeded */
  tm_steps signals; /* without those of the semaphore's holder, whose path stays short */
} tm_semaphore;

struct tm_object;
/* Gives the semaphore's entry, which is locked, its record. */
tm_semaphore *tm_semaphore_record(struct tm_object *);

/* The state of a semaphore that a thread waits for. For reports: no lock of the gate may be
 * held. */
typedef struct tm_semaphore_state {
  bool known_value; /* `value`, `initial` and `waiters` are libdispatch's own; else they are 0 */
  int64_t value;    /* never below 0: `waiters` counts the waiting threads */
  int64_t initial;
  uint32_t waiters;
  tm_step signals[TM_STEPS], waits[TM_STEPS]; /* newest first */
  uint32_t signal_count, wait_count;
} tm_semaphore_state;

/* Returns false if the gate does not know the semaphore. The semaphore has to exist, as it does
 * while a thread waits for it. */
bool tm_semaphore_ask(const void *semaphore, tm_semaphore_state *);
#endif
