/* Work items: blocks with an identity, made by dispatch_block_create. */
#ifndef TM_BLOCK_H
#define TM_BLOCK_H
#include "base.h"
#include "dispatch.h"
#include "inversion.h"
#include "state.h"

/* What the gate remembers of a work item. Counted references: the item's own block, and
 * notifications that wait for it. */
typedef struct tm_item {
  atomic_uint references;
  void *user;        /* the block inside; owned */
  const void *outer; /* the block that the user has */
  tm_spin lock;
  bool submitted;
  uint8_t quality; /* of service, chosen for the item itself; 0: none */
  bool enforces;   /* that quality, also on a queue that has one */
  bool barrier;
  const void *woken_by; /* for TSan, of a source's handler: what has caused it to run */
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

/* The block that stands in the place of the user's. */
typedef struct tm_wrapper {
  tm_block block;
  tm_item *item;
} tm_wrapper;

/* A wrapper, not copied yet, which takes the fresh record over and keeps a copy of the block. */
tm_wrapper tm_item_wrap(tm_item *, void *block);

void tm_blocks_prepare(void);
extern void (*tm_item_invoke)(void *);
TM_INLINE bool tm_block_is_item(const void *block) {
  return tm_item_invoke && ((const tm_block *)block)->invoke == tm_item_invoke;
}
/* What the block runs: the function of a Swift closure where its layout is that of one, else the
 * block's own. */
const void *tm_block_function(const void *block);
/* A work item of the gate's own around a plain block, owned by the caller; NULL: out of memory. */
dispatch_block_t tm_item_around(dispatch_block_t block);
/* The record of a work item, with a reference, or NULL. */
tm_item *tm_item_of(const void *outer);
void tm_item_drop(tm_item *);
void tm_item_learn(tm_thread *, tm_item *);
/* Notes a submission by this thread, from the interposed function that has this frame; `queue` is
 * NULL where the item does not go to the end of one at once. */
void tm_item_submit(tm_thread *, void *frame, const void *outer, const void *leaves,
                    const void *notifies, tm_item *after, const void *queue);
#endif
