/* A section: work that runs while its caller waits, holding a queue and what the queue leads to. */
#ifndef TM_SECTION_H
#define TM_SECTION_H
#include "ground/dispatch.h"
#include "ground/thread.h"
#include "object/queue.h"
#include "strand/clock.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "threadmill_views.h"

typedef struct tm_section {
  tm_thread *thread; /* who waits */
  tm_operation op;
  tm_link links[TM_CHAIN];
  uint32_t count;
  dispatch_function_t work;
  void *context;
  tm_stamp from; /* for work that runs on another thread: the caller's moment, and the work's end */
  tm_clock *end;
  uint32_t scope;
  tm_origin origin; /* the caller's */
} tm_section;

/* Publishes the wait and looks for what cannot succeed. False: do not wait, run the work
 * (continue=true). */
bool tm_section_wait(tm_thread *, tm_section *);
/* Says what the work is, for a work item: that knows it when it begins. */
void tm_section_does(tm_section *, dispatch_function_t work, void *context);
/* Runs the section's work inside its queues; `context` is the section. */
void tm_section_run(void *context);

void tm_links_enter(tm_thread *, const tm_link *, uint32_t count, const uintptr_t site[TM_SITE]);
void tm_links_leave(tm_thread *, const tm_link *, uint32_t count);
#endif
