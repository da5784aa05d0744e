/* Reads a queue: its kind and its target. All is read from the queue object itself, at offsets
 * measured at start-up: there is no table to keep, and no layout is compiled in. */
#ifndef TM_QUEUE_H
#define TM_QUEUE_H
#include "ground/thread.h"
#include "strand/clock.h"
#include "strand/fibre.h"
#include "threadmill_views.h"

enum { TM_CHAIN = 8 };

/* One queue on the way to the root: work must have it to itself (exclusive), or shares it with
 * other work (shared). */
typedef struct tm_link {
  const void *queue;
  tm_kind kind;
  tm_mode mode;
} tm_link;

void tm_queues_prepare(void);
/* The queue and its targets, innermost first, root queues left out. `barrier` concerns the first.
 */
uint32_t tm_queue_chain(const void *queue, bool barrier, tm_link links[TM_CHAIN]);
/* Returns the same links for a queue that may be gone: it and its targets are read in a way that
 * survives a freed queue. The work counts as no barrier. `end`: the root queue, or NULL if the way
 * does not lead to a known one. */
uint32_t tm_queue_way(const void *queue, tm_link links[TM_CHAIN], const void **end);
/* The quality of service of one of libdispatch's own root queues; 0: it is none. */
uint8_t tm_root_quality(const void *root);
/* Returns the number of blocks that may run at once, as libdispatch keeps it. */
uint16_t tm_queue_width(const void *queue);
/* Returns the queue's target; NULL for a root queue, or if the target is not known. */
const void *tm_queue_target(const void *queue);
bool tm_queue_is_root(const void *queue);
/* Returns whether the thread has the serial queue to itself now, however deep in calls of `sync`.
 * `tm_queue_owner_known` returns whether the owner's place in a queue was found. */
bool tm_queue_is_owned(const void *queue, int tid);
bool tm_queue_owner_known(void);
/* Returns whether nothing runs or waits on the serial queue now; false if that is not known. The
 * queue has to be alive. */
bool tm_queue_looks_free(const void *queue);
/* Returns the queue whose work runs on this thread, as libdispatch says; NULL: none. */
const void *tm_current_queue(void);
const char *tm_queue_label(const void *queue);
/* Returns the quality chosen for the queue, or for the nearest of its targets that has one; 0 if
 * there is none. */
uint8_t tm_queue_quality(const void *queue);

/* Counts the blocks that wait in a serial queue with a quality below the highest. Work items do not
 * count: a cancelled one never begins. `tm_backlog_add` returns whether the block was counted. */
bool tm_backlog_add(const void *queue, uint8_t quality);
void tm_backlog_remove(const void *queue);
uint32_t tm_backlog_of(const void *queue);

/* Happens-before by submission order: the strand learns the ends of the queue's blocks that were
 * submitted before it. */
void tm_history_take(tm_thread *, const tm_link *);
/* Adds the newest end that whatever begins on the queue now comes after. */
void tm_history_end(const tm_link *, tm_known *);
/* A block submitted at (slot, time) ended at the moment `end`, which its clock knows. */
void tm_history_leave(const tm_link *, uint32_t slot, uint32_t time, tm_stamp end);
#endif
