/* What kind of queue, and where it leads. Read from the queue object itself, at places that are
 * found by measuring at start-up: no table to keep, no layout compiled in. */
#ifndef TM_QUEUE_H
#define TM_QUEUE_H
#include "state.h"

enum { TM_CHAIN = 8 };

/* One queue that work must have to itself (exclusive) or share with its like, on the way to the
 * root. */
typedef struct tm_link {
  const void *queue;
  tm_kind kind;
  tm_mode mode;
} tm_link;

void tm_queues_prepare(void);
/* The queue and its targets, innermost first, root queues left out. `barrier` concerns the first.
 */
uint32_t tm_queue_chain(const void *queue, bool barrier, tm_link links[TM_CHAIN]);
const char *tm_queue_label(const void *queue);
/* Classes of quality of service as libdispatch numbers them, comparable. On Linux it makes
 * user-interactive queues user-initiated ones, so the two are one here. */
enum { TM_BACKGROUND = 0x09, TM_DEFAULT = 0x15, TM_USER_INITIATED = 0x19 };
TM_INLINE uint8_t tm_quality(unsigned qos) {
  return qos > TM_USER_INITIATED ? TM_USER_INITIATED : (uint8_t)qos;
}
/* What somebody chose for the queue or for the nearest of its targets that has a choice; 0: nobody
 * did. */
uint8_t tm_queue_quality(const void *queue);

/* Happens-before by submission order: what ended on the queue and was submitted before this is
 * picked up. */
void tm_history_take(tm_thread *, const tm_link *);
/* A block submitted at (slot, time) is ending now. */
void tm_history_leave(tm_thread *, const tm_link *, uint32_t slot, uint32_t time);
#endif
