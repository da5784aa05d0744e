/* The Observer's part of a thread's state. */
#ifndef TM_OBSERVE_PART_H
#define TM_OBSERVE_PART_H
#include "ground/limits.h"
#include "ground/storage.h"
#include "ground/runs.h"

struct tm_running;
struct tm_leaving;

/* A thread's part in another thread's wait, as it was when the wait began. */
typedef struct tm_side {
  uint32_t thread; /* 0: none */
  uint8_t quality;
  bool waits; /* it waits for something itself */
  uint64_t submitter;
  uintptr_t site[TM_SITE], submitted[TM_SITE];
  tm_runs runs;
} tm_side;

typedef struct tm_observe_part {
  /* The watchdog looks at the thread as one of a pool; see starvation.c. */
  bool watched;
  bool scope_blocks;      /* the thread works for a test, which may block */
  uint32_t watched_looks; /* looks that found the thread at the same place */
  unsigned watched_since;
  unsigned left_since; /* the sequence number at the last look of ended_owner.c */
  /* Foundation's operations; see dependencies.h. */
  struct tm_running *running;  /* the operations that the thread is inside of, innermost first */
  const void *_Atomic awaited; /* the operation that the thread waits for, or NULL */
  struct tm_leaving *leaving;  /* the operation that may leave its queue here; see leaving.h */
  const void *adding;          /* the queue that Foundation adds operations to, or NULL */
  /* The stack at the thread's last wait behind an owner, and the sequence number of that wait. */
  uintptr_t waiting_stack[TM_STACK];
  uint32_t waiting_count;
  unsigned waiting_since;
  /* The ownerless object (semaphore, group, condition) that the thread waits for, and the thread
   * that signalled it; see inversion.c. */
  tm_spin expecting_lock;
  const void *expects;
  tm_side ended_by;
  tm_runs_view ended_by_runs;
  /* The mutex with which the thread waits for a condition, and how many signals there had been for
   * the condition when the wait began; see lock_misuse.c. */
  const void *waits_with;
  uint32_t signals_before;
  /* The place of the thread's last sleep; written only while races are reported. */
  uintptr_t slept[TM_SITE];
  /* The recording: when the thread's current run and wait began, and the class of that wait. */
  uint64_t run_began, run_flow, wait_began;
  uint32_t wait_class;
} tm_observe_part;
#endif
