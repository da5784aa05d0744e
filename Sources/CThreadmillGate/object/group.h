/* The gate's record of a dispatch group. */
#ifndef TM_GROUP_H
#define TM_GROUP_H
#include "ground/storage.h"
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/edge.h"
#include "strand/fibre.h"
#include "strand/steps.h"
#include "threadmill_decisions.h"
#include "threadmill_views.h"

struct tm_hop;

typedef struct tm_early {
  tm_early_chapter chapter;
  uint32_t thread;
  uint64_t strand;
  uintptr_t frame, caller;    /* the frame and return address of the function that asked */
  uint32_t notified, entered; /* kept stacks */
} tm_early;

/* A plain block that is not over. */
typedef struct tm_outstanding {
  tm_step from;             /* thread 0: free */
  const struct tm_hop *hop; /* exists as long as the place is taken */
} tm_outstanding;

/* Counted references: the table of instances has one, and so has every block that was submitted to
 * the group or that starts at its end. The group may be gone, and its address in use again, before
 * one of these blocks runs. */
typedef struct tm_group {
  atomic_uint references;
  tm_spin lock; /* protects the fields below; inside it only the memory pool's lock is taken */
  tm_clock *clock;
  /* For TSan, from each leave. The order at the group's own address (tm_order_add) ends with the
   * group, and libdispatch may free a group before it runs a notification. */
  tm_edge left;
  int32_t entered; /* enters that were not left yet; blocks do not count */
  int32_t blocks;  /* submitted as plain blocks and not over yet */
  tm_steps enters, leaves;
  tm_outstanding running[TM_STEPS]; /* some of those blocks */
  tm_early early;
} tm_group;

/* The record of the group at this address, with a reference, made if there is none. NULL: it is no
 * group, or memory is out. */
tm_group *tm_group_of(const void *group);
void tm_group_drop(tm_group *);

/* Happens-before through a group, whether it still exists or not. */
void tm_group_leave_stamp(tm_thread *, tm_group *);
/* Leaves a moment that was taken before; the stamp stays the caller's. */
void tm_group_leave_at(tm_group *, tm_stamp);
void tm_group_take_stamp(tm_thread *, tm_group *);
/* Adds what was left. */
void tm_group_know(tm_group *, tm_known *);

/* Notes a plain block that is about to be submitted to the group. Returns its place, for
 * `tm_group_block_over`, which is called before the hop is freed. */
uint32_t tm_group_block(tm_thread *, tm_group *, const struct tm_hop *,
                        const uintptr_t site[TM_SITE]);
void tm_group_block_over(tm_group *, uint32_t place);

/* The outstanding work of a group that a thread waits for. For reports: no lock of the gate may be
 * held. */
typedef struct tm_group_state {
  int64_t count;    /* libdispatch's own: enters and blocks that are not over; -1: unknown */
  uint32_t entered; /* enters without a leave, as the gate counted them */
  uint32_t blocks;  /* submitted and not over */
  /* The places of the outstanding enters and submissions, newest first. Enters and leaves are
   * matched by order: the newest enters are taken to be the open ones. */
  tm_step enters[TM_STEPS], submissions[TM_STEPS], leaves[TM_STEPS];
  uint32_t enter_count, submission_count, leave_count;
} tm_group_state;

/* Returns false if the gate does not know the group. The group has to exist, as it does while a
 * thread waits for it. */
bool tm_group_ask(const void *group, tm_group_state *);
#endif
