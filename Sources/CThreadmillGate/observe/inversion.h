/* Priority inversion: a strand of a higher quality of service waits for one of a lower.
 *
 * The gate compares the qualities that were chosen for queues, work items and jobs; a strand
 * without a chosen quality counts only if the threads have different ranks (rank.h). It examines a
 * wait only if the strand is above background, and another thread is seen to have the object, or
 * the object has no owner. */
#ifndef TM_INVERSION_H
#define TM_INVERSION_H
#include "ground/base.h"
#include "ground/thread.h"
#include "object/item.h"
#include "observe/part.h"
#include "strand/operation.h"
#include "strand/quality.h"
#include "strand/rank.h"
#include "threadmill_views.h"

enum { TM_BETWEEN = 4 };

/* The part that the other side had in the wait. */
typedef enum tm_part_in_wait {
  TM_HELD,      /* had it when the wait began */
  TM_SIGNALLED, /* ended the wait: the signal, the last leave, the end of the work item */
} tm_part_in_wait;

typedef struct tm_inversion {
  uint64_t since, until; /* nanoseconds; `until` 0: it lasts */
  tm_part_in_wait part;
  bool limited; /* the wait has a time limit */
  uint8_t rank; /* of the waiter, if ranks and not qualities were compared; else 0 */
  tm_side other;
  tm_runs_view other_runs;     /* copied then, because the queue may be gone when this is told */
  tm_side between[TM_BETWEEN]; /* strands that ran meanwhile at a quality between the two */
  uint32_t between_count;
} tm_inversion;

/* The wait that `op` publishes begins; gets its object; is over and, if it was inverted, told. Each
 * end belongs to one begin. The begin makes a record in `op` only if there is something to look
 * at. */
void tm_inversion_begin(tm_thread *, tm_operation *);
void tm_inversion_pass(const tm_thread *, const tm_operation *);
void tm_inversion_end(tm_thread *, tm_operation *);
/* The wait was cancelled. */
void tm_inversion_drop(tm_thread *, tm_operation *);

/* Returns whether a wait of this thread can be an inversion: not if the strand has no quality or is
 * background, because no quality is lower. If the program ranks its threads, each wait can. */
TM_INLINE bool tm_can_be_inverted(const tm_thread *t) {
  return t->strand.origin.quality > TM_BACKGROUND || TM_UNLIKELY(tm_is_ranked());
}

/* The number of threads that wait for an ownerless object, and need to know which thread ends the
 * wait. */
extern atomic_uint tm_expecting;
void tm_let_go_seen(tm_thread *, const void *object, void *frame);
/* Notes that this thread signals, leaves or ends an object that other threads may wait for, in the
 * function that has this frame (NULL: at the end of its work). */
TM_INLINE void tm_let_go(tm_thread *t, const void *object, void *frame) {
  if (TM_UNLIKELY(atomic_load_explicit(&tm_expecting, memory_order_relaxed) != 0))
    tm_let_go_seen(t, object, frame);
}

void tm_raise_note(tm_thread *, const void *queue, uint8_t quality, tm_raise *);
void tm_raise_tell(tm_thread *, const void *queue, const tm_raise *, const uintptr_t site[TM_SITE]);
#endif
