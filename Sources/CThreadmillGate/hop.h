/* A hop: work that goes on elsewhere, later. It carries where it came from, and leaves behind when
 * it ended. */
#ifndef TM_HOP_H
#define TM_HOP_H
#include "block.h"
#include "dispatch.h"
#include "queue.h"
#include "state.h"

typedef struct tm_hop {
  dispatch_function_t work;
  void *context;
  bool is_block; /* `context` is a block that the hop owns */
  bool barrier;
  bool queued;             /* goes to the end of the queue at once, not later */
  bool counted;            /* in the backlog of the queue */
  const void *queue;       /* NULL: none that anybody can hold */
  uintptr_t site[TM_SITE]; /* where it was submitted */
  uint8_t quality;         /* of service; 0: nobody chose */
  uint64_t submitter;      /* the strand that submitted it */
  const void *ends;        /* the work item whose end this is */
  tm_stamp from;
  uint32_t scope;
  void *
      task; /* the Swift task that submitted it: the end may resume it before it suspends, unseen */
  const void *leaves; /* the group that it belongs to */
  const void *takes;  /* the group whose end it follows */
  tm_item *after;     /* the work item whose end it follows */
} tm_hop;

/* Runs the hop's work on this thread as a strand of its own. The hop stays the caller's. */
void tm_hop_run_here(tm_thread *, const tm_hop *);
const void *tm_current_queue(void);
#endif
