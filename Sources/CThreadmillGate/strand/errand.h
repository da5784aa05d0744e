/* Errands: the kinds of work that strands with fibres do, by the place of submission. A race names
 * them, because a report of Thread Sanitizer names only the fibre, which other work uses later. */
#ifndef TM_ERRAND_H
#define TM_ERRAND_H
#include "ground/base.h"
#include "threadmill_race.h"
#include "threadmill_views.h"

typedef struct tm_errand {
  tm_race_work kind;
  uint32_t label;          /* a kept text: that of its queue; 0: none */
  uintptr_t site[TM_SITE]; /* where it was submitted; of a job, where its task was started */
} tm_errand;

enum { TM_ERRANDS = 1 << 12 };
/* Returns a number for such work, the same for equal work; 0 if there is no room for more. `queue`
 * may be NULL. */
uint32_t tm_errand_number(tm_race_work, const void *queue, const uintptr_t site[TM_SITE]);
/* Returns the work with this number. */
const tm_errand *tm_errand_of(uint32_t number);
#endif
