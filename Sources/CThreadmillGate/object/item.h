/* Work items: blocks with an identity, made by dispatch_block_create. */
#ifndef TM_BLOCK_H
#define TM_BLOCK_H
#include "ground/base.h"
#include "ground/dispatch.h"
#include "ground/storage.h"
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/edge.h"
#include "threadmill_views.h"

/* Notes that an item of a higher quality than its queue's was submitted behind other work. It is
 * told when the item begins. */
typedef struct tm_raise {
  uint64_t since; /* 0: it raises nothing */
  uint32_t backlog, thread;
  uint8_t quality;
} tm_raise;

/* The gate's record of a work item. Two holders count as references: the item's own block, and
 * notifications that wait for the item. */
typedef struct tm_item {
  atomic_uint references;
  void *user;        /* the block inside; owned */
  const void *outer; /* the block that the user has */
  tm_spin lock;
  bool submitted;
  uint8_t quality; /* of service, chosen for the item itself; 0: none */
  bool enforces;   /* its quality counts also on a queue that has one */
  bool barrier;
  const void *source;   /* of a source's handler */
  const void *woken_by; /* where TSan's edge to that handler begins */
  const void *operations; /* the OperationQueue whose operation it runs, or NULL */
  tm_edge sent, ended;  /* begin at each submission, and at each end */
  tm_stamp from;        /* its last submission */
  uint32_t scope;
  uint64_t submitter;
  uint64_t path; /* of its last submission; see `tm_course` */
  atomic_uint runs;
  tm_raise raise;
  uintptr_t site[TM_SITE];
  void *task;
  const void *leaves, *notifies; /* the group it belongs to; the group that it waits for */
  struct tm_group *group;        /* the record of either */
  struct tm_item *after;         /* the work item that it waits for */
  tm_clock *end;                 /* all its ends so far */
} tm_item;

/* The gate's block inside an item, in the place of the user's block. */
typedef struct tm_wrapper {
  tm_block block;
  tm_item *item;
} tm_wrapper;

void tm_blocks_prepare(void);
extern void (*tm_item_invoke)(void *);
TM_INLINE bool tm_block_is_item(const void *block) {
  return tm_item_invoke && ((const tm_block *)block)->invoke == tm_item_invoke;
}
/* The record of a work item, with a reference, or NULL. */
tm_item *tm_item_of(const void *outer);
void tm_item_drop(tm_item *);
void tm_item_learn(tm_thread *, tm_item *);
/* Leaves one more end of the item; the stamp stays the caller's. */
void tm_item_leave_at(tm_item *, tm_stamp);
/* For TSan, the strand comes after the item's end. A cancelled item ends without running; then its
 * submission is what comes before. */
TM_INLINE void tm_item_order(tm_item *item) {
  tm_edge_end(&item->sent);
  tm_edge_end(&item->ended);
}
/* Enters the record in the table of instances, under the item's outer block. */
void tm_item_remember(tm_item *, void *outer);
#endif
