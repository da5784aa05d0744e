/* A section: work that runs while its caller waits and holds a queue with the queue's targets. */
#ifndef TM_SECTION_H
#define TM_SECTION_H
#include "ground/dispatch.h"
#include "ground/thread.h"
#include "object/queue.h"
#include "strand/clock.h"
#include "strand/edge.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "threadmill_views.h"

typedef struct tm_section {
  tm_thread *thread; /* the thread that waits */
  tm_operation op;
  tm_link links[TM_CHAIN];
  uint32_t count;
  dispatch_function_t work;
  void *context;
  tm_edge sent;  /* TSan's edge from the caller to work on another thread */
  tm_stamp from; /* for that work: the caller's moment; `end`: the work's end */
  tm_clock *end;
  uint32_t scope;
  tm_origin origin; /* the caller's */
} tm_section;

/* Fills the members that are read without having been written; zeroes would cost as much as the
 * rest of an uncontended `sync`. */
TM_INLINE void tm_section_prepare(tm_section *s, tm_thread *t, void *frame,
                                  dispatch_function_t work, void *context) {
  s->thread = t;
  s->op = (tm_operation){.action = TM_ACQUIRE, .frame = frame};
  s->work = work;
  s->context = context;
  s->from = (tm_stamp){0};
  s->end = NULL;
  s->scope = 0;
  s->origin = (tm_origin){0};
}

/* Publishes the wait, and reports one that cannot succeed. Returns false if the caller has to run
 * the work without waiting (continue=true). */
bool tm_section_wait(tm_thread *, tm_section *);
/* Sets the section's work when a work item begins: before that, only the item knows its block. */
void tm_section_does(tm_section *, dispatch_function_t work, void *context);
/* Runs the section's work inside its queues; `context` is the section. */
void tm_section_run(void *context);

void tm_links_enter(tm_thread *, const tm_link *, uint32_t count, const uintptr_t site[TM_SITE]);
void tm_links_leave(tm_thread *, const tm_link *, uint32_t count);
/* Draws for TSan what the queues order, before or after the work: on the addresses that TSan's own
 * interceptors of `sync` use. Work that has a queue to itself comes after all earlier work, shared
 * work only after that which had it to itself. */
void tm_links_order(const tm_link *, uint32_t count, bool before);
#endif
