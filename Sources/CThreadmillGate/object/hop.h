/* A hop: work that goes on elsewhere, later. It carries where it came from, and leaves behind when
 * it ended. */
#ifndef TM_HOP_H
#define TM_HOP_H
#include "ground/dispatch.h"
#include "object/item.h"
#include "object/pools.h"
#include "strand/clock.h"
#include "threadmill_views.h"

typedef struct tm_hop {
  atomic_uint_fast64_t waiting; /* `TM_HOP_WAITS` from submission to landing */
  dispatch_function_t work;
  void *context;
  bool is_block; /* `context` is a block; a hop that was submitted owns it */
  bool barrier;
  bool queued;             /* goes to the end of the queue at once, not later */
  bool counted;            /* in the backlog of the queue */
  bool job;                /* `context` is a job of the Swift runtime */
  bool awaits_thread;      /* among those that wait for one of `workers` */
  bool aside;              /* its job has returned without being over, and lands once more */
  tm_workers *workers;     /* whose threads run it; NULL: unknown */
  const void *submitted;   /* the queue that it was given to */
  const void *queue;       /* NULL: none that anybody can hold */
  uintptr_t site[TM_SITE]; /* where it was submitted */
  uint8_t quality;         /* of service; 0: nobody chose */
  uint64_t submitter;      /* the strand that submitted it */
  uint64_t path;           /* see `tm_course` */
  const void *ends;        /* the work item whose end this is */
  tm_stamp from;
  uint32_t scope;
  void *
      task; /* the Swift task that submitted it: the end may resume it before it suspends, unseen */
  const void *leaves;     /* the group that it belongs to */
  const void *takes;      /* the group whose end it follows */
  struct tm_group *group; /* the record of either */
  uint32_t place;         /* among the blocks of the group */
  tm_item *after;         /* the work item whose end it follows */
} tm_hop;

/* By this a hop that is under way is known among everything of its size. */
static const uint64_t TM_HOP_WAITS = 0x7468726d686f7021;

/* The hop that a submitted function carries; NULL: it is none of ours. */
const tm_hop *tm_hop_in(dispatch_function_t work, const void *context);

/* Every hop that was submitted and has not begun. For a program that stands still: a hop that lands
 * meanwhile may be seen half. */
void tm_hops_each(void (*visit)(const tm_hop *, void *context), void *context);
#endif
