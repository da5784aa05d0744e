#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "control/world.h"
#include "ground/real.h"
#include "object/hop.h"
#include "strand/job.h"
#include "strand/swift_task.h"

TM_GATE_CODE_BEGIN

/* Yields. A flow that gives its turn up again and again waits for another flow, or for virtual time
 * to pass. So a row of yields advances virtual time, but not to a time limit while another flow has
 * a step to make, and never by more than a minute at once.
 *
 * A task that calls `Task.yield` submits a job, and its own job returns. The new job makes the
 * runtime submit the task again. To the Scheduler these are three flows. The first one yields, and
 * the second one (`is_yield`) is part of that yield. */

enum {
  EACH = 200, /* yields for each flow that can go on, while one of them can do more than yield */
  FIRST = 200, /* yields of tasks alone, before time passes for the first time */
  PASSED_BY = 200, /* yields of tasks that came before flows that can do more than that */
  COMING_BACK = 16, /* steps after a task's yield that may belong to a loop */
};
static const uint64_t MINUTE = 60000000000ull;

static struct {
  uint32_t row;       /* yields in a row */
  uint32_t first;     /* yields of tasks before time passes, the next time */
  uint32_t passed_by; /* see `PASSED_BY` */
} now;

void tm_yields_forget(void) {
  now.row = now.passed_by = 0;
  now.first = FIRST;
}

/* Returns whether all that the flow can do is to yield, or to come back from a yield. */
bool tm_flow_yields(const tm_flow *f) {
  return f->kind == TM_STEP_YIELD || f->is_yield || f->back > 0;
}

/* A strategy may prefer each new job of a task that yields to a flow that makes steps, and so never
 * come to these. After many yields, such a job therefore shows itself as one that yields. */
tm_step_kind tm_flow_step(const tm_flow *f) {
  return f->is_yield && now.passed_by > PASSED_BY ? TM_STEP_YIELD : f->kind;
}

/* Returns the number of yields in a row after which time passes. */
static uint32_t limit(const tm_yielders *who) {
  if (who->busy) return EACH * who->count;
  uint32_t least = 2 * who->count;
  return who->tasks && now.first > least ? now.first : least;
}

void tm_yields_note(tm_flow *f, const tm_yielders *who) {
  bool yields = f->kind == TM_STEP_YIELD || f->is_yield;
  if (!yields) {
    if (!f->back) now.row = 0;
    else if (++f->back > COMING_BACK) f->back = 0;
    return;
  }
  if (f->is_yield && who->busy) now.passed_by++;
  if (++now.row <= limit(who)) return;
  now.row = 0;
  if (!who->busy) now.first /= 2;
  tm_time_pass(MINUTE);
}

/* Submissions. */

bool tm_yields_here(dispatch_function_t work, const void *context) {
  const tm_hop *hop = tm_hop_in(work, context);
  void *task = hop && hop->job ? tm_swift_task() : NULL;
  return task && tm_job_is_yield_of(hop->context, task);
}

void tm_yields_submitted(const tm_flow *by, tm_flow *f, bool yields) {
  if (!f) return;
  f->is_yield = yields;
  f->back = yields || by->is_yield;
}

TM_GATE_CODE_END
#endif
