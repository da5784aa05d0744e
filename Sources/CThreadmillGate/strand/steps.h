/* The last few things that were done to an object, for reports: where, and by which thread. */
#ifndef TM_STEPS_H
#define TM_STEPS_H
#include "ground/base.h"
#include "code/stack.h"
#include "ground/thread.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

enum { TM_STEPS = 4 };

typedef struct tm_step {
  uintptr_t site[TM_SITE]; /* the innermost return addresses, as far as frame pointers lead */
  uint32_t thread;
} tm_step;

typedef struct tm_steps {
  uint32_t count; /* of all that were ever noted; only the last TM_STEPS are kept */
  tm_step kept[TM_STEPS];
} tm_steps;

TM_INLINE void tm_step_set(tm_step *step, const tm_thread *t, const uintptr_t site[TM_SITE]) {
  tm_site_copy(step->site, site);
  step->thread = t->who.number;
}

TM_INLINE void tm_steps_note(tm_steps *steps, const tm_thread *t, const uintptr_t site[TM_SITE]) {
  tm_step_set(&steps->kept[steps->count++ % TM_STEPS], t, site);
}

/* Copies the last `wanted` of them, newest first; returns how many there are. */
uint32_t tm_steps_last(const tm_steps *, int64_t wanted, tm_step out[TM_STEPS]);
/* Adds the steps to places of an event, as far as there is room. The steps must stay until the
 * event is told. */
void tm_steps_show(const tm_step steps[], uint32_t count, tm_places *);
#endif
