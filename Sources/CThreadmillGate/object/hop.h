/* A hop: submitted work on its way to a thread, until it has run. It carries the place and moment
 * of its submission, and leaves the moment of its end. */
#ifndef TM_HOP_H
#define TM_HOP_H
#include "ground/dispatch.h"
#include "object/item.h"
#include "object/pools.h"
#include "strand/clock.h"
#include "strand/edge.h"
#include "threadmill_views.h"

/* Two cache lines that every hop has, and more that only a `connected` hop has: another processor
 * reads them, and each line is a wait. */
typedef struct tm_hop {
  atomic_uint_fast64_t waiting; /* `TM_HOP_WAITS` from submission to landing */
  dispatch_function_t work;
  void *context;
  bool is_block; /* `context` is a block; a hop that was submitted owns it */
  bool barrier;
  bool queued;             /* goes to the end of the queue at once, not later */
  bool counted;            /* in the backlog of the queue */
  bool job;                /* `context` is a job of the Swift runtime */
  bool awaits_thread;      /* counted among the work that waits for a thread of `workers` */
  bool aside;              /* its job returned before its end, and lands once more */
  bool connected;          /* the fields behind `task` are there */
  uint8_t quality;         /* of service; 0: none was chosen */
  uint32_t scope;
  tm_workers *workers;     /* the pool whose threads run it; NULL: unknown */
  const void *submitted;   /* the queue that it was submitted to */
  const void *queue;       /* the queue, if a thread can hold it; else NULL */
  uintptr_t site[TM_SITE]; /* where it was submitted */
  uint64_t submitter;      /* the strand that submitted it */
  tm_stamp from;
  void *
      task; /* the Swift task that submitted it: the end may resume it before it suspends, unseen */
  uint64_t path;          /* see `tm_course` */
  const void *ends;       /* the work item that ends with it */
  tm_item *item;          /* the record of that */
  const void *leaves;     /* the group that it belongs to */
  const void *takes;      /* the group whose end it follows */
  struct tm_group *group; /* the record of either */
  uint32_t place;         /* among the blocks of the group */
  tm_item *after;         /* the work item whose end it follows */
  const void *source;     /* of a source's handler */
  const void *woken_by, *operations; /* see `tm_item` */
  tm_edge sent;           /* from its submission to its begin */
  tm_edge *edge, *ended;  /* that, or the item's; the item's second */
} tm_hop;

enum { TM_HOP_ALONE = offsetof(tm_hop, path) };
_Static_assert(sizeof(void *) < 8 || TM_HOP_ALONE == 128, "two cache lines");

/* The size of the memory that the hop has, or needs. */
TM_INLINE size_t tm_hop_size(const tm_hop *hop) {
  return hop->connected ? sizeof *hop : TM_HOP_ALONE;
}

/* Marks a hop that waits, among all memory blocks of its two sizes. */
static const uint64_t TM_HOP_WAITS = 0x7468726d686f7021;

/* Returns the hop that a submitted function carries; NULL if the work is no hop. */
const tm_hop *tm_hop_in(dispatch_function_t work, const void *context);

/* Visits every hop that was submitted and has not begun. For a program that stands still: a hop
 * that lands meanwhile may be seen half. */
void tm_hops_each(void (*visit)(const tm_hop *, void *context), void *context);
#endif
