#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "control/model.h"
#include "control/world.h"
#include "ground/now.h"
#include "ground/thread.h"
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* If no flow can go on, the Scheduler lets virtual time pass, or waits in real time for another
 * process, a device or a thread outside the exploration. */

static bool stands(tm_flow *f, void *found) {
  if (tm_flow_can(f) == TM_NO) return true;
  *(tm_flow **)found = f;
  return false;
}

/* Returns whether a flow can go on now, and marks it as helped from outside. */
static bool any_can(void) {
  tm_flow *f = NULL;
  tm_flows_each(stands, &f);
  return f && (f->outside = true);
}

/* Waits for a thread outside the exploration to let a flow go on, and returns whether one did.
 * Waits up to a second if such a thread has helped before, or if this schedule made a call that is
 * not under control, or a thread that is not. Else waits up to a tenth of a second, and that only
 * the first time in an exploration that `doubts`. Does not wait if no flow has begun. */
static bool wait_for_others(void) {
  enum { LOOKS = 1000, FIRST_LOOKS = 100 };
  if (!tm_flows_unfinished()) return false;
  bool known = tm_world_now.helped || tm_world_now.released ||
               tm_control_passed_count() != tm_world_now.passed;
  int looks = known ? LOOKS : tm_world_now.stood_still ? 0 : FIRST_LOOKS;
  tm_world_now.stood_still = true;
  for (int i = 0; i < looks; i++) {
    if (any_can()) return tm_world_now.helped = true;
    struct timespec rest = {0, TM_MILLISECOND};
    syscall(SYS_nanosleep, &rest, NULL);
  }
  return false;
}

/* Waits for other processes and devices. */

typedef struct far {
  tm_flow *flow;
  tm_reach reach;
} far;

static bool compare(tm_flow *f, void *context) {
  far *farthest = context;
  if (f->state != TM_FLOW_HERE || !f->reach) return true;
  tm_reach one = f->reach(f);
  if (!farthest->flow || one > farthest->reach) *farthest = (far){f, one};
  return true;
}

/* Returns the flow that can be helped from farthest away; NULL if no flow waits for a file. */
static tm_flow *farthest(tm_reach *reach) {
  far found = {NULL, TM_REACH_INSIDE};
  tm_flows_each(compare, &found);
  *reach = found.reach;
  return found.flow;
}

/* Looks for up to `limit` nanoseconds of real time whether a flow can go on. Virtual time goes on
 * meanwhile. */
static bool look_for(uint64_t limit) {
  uint64_t began = tm_now(), spent = 0;
  while (!any_can()) {
    struct timespec rest = {0, spent < 1000000 ? 50000 : 1000000};
    syscall(SYS_nanosleep, &rest, NULL);
    tm_world_now.steps++; /* what waits here is not stuck */
    spent = tm_now() - began;
    if (spent >= limit) return false;
  }
  tm_world_now.now += spent;
  return true;
}

/* Waits in real time for what another process, a device or a clock does. Virtual time passes with
 * it, up to the next moment at which something is due. Returns false, and ends the schedule, if
 * nothing came for a minute. */
static bool wait_outside(const tm_flow *f) {
  enum { MINUTE = 60 };
  uint64_t most = MINUTE * 1000000000ull, next = tm_time_next();
  uint64_t due = next > tm_world_now.now ? next - tm_world_now.now : 0;
  if (look_for(next && due < most ? due : most) || tm_time_pass(UINT64_MAX)) return true;
  tm_world_now.result.end = TM_SCHEDULE_OUTSIDE;
  tm_world_now.result.stuck = f->number;
  uintptr_t stack[TM_STACK];
  uint32_t count = tm_stack_of_waiting(f->seat->thread, (void *)f->frame, stack, TM_STACK);
  tm_world_now.result.stuck_at = tm_stack_keep(stack, count);
  return false;
}

/* Waits while data is on its way between two sockets of this process. A connection whose reader
 * takes nothing keeps some for ever. */
static bool settle(void) {
  enum { LOOKS = 20 };
  for (int i = 0; i < LOOKS && tm_network_is_busy(); i++)
    if (look_for(TM_MILLISECOND)) return true;
  return any_can();
}

static bool waits(tm_flow *f, void *found) {
  if (f->state != TM_FLOW_HERE || f->aside) return true;
  *(tm_flow **)found = f;
  return false;
}

static tm_flow *any_waiting(void) {
  tm_flow *found = NULL;
  tm_flows_each(waits, &found);
  return found;
}

bool tm_may_be_helped(void) {
  tm_reach reach;
  farthest(&reach);
  return reach != TM_REACH_INSIDE || tm_has_children();
}

static bool time_passes(void) { return !tm_world_now.stands_still && tm_time_pass(UINT64_MAX); }

/* While the process has children, a library's own thread may wait for one, and then wake a flow. */
bool tm_standstill_ends(void) {
  if (tm_control_is_body_over()) return time_passes() || wait_for_others();
  tm_reach reach;
  const tm_flow *f = farthest(&reach);
  if (reach != TM_REACH_OUTSIDE && tm_has_children()) f = any_waiting();
  else if (reach == TM_REACH_LATE && settle()) return true;
  else if (reach != TM_REACH_OUTSIDE) f = NULL;
  return f ? wait_outside(f) : time_passes() || wait_for_others();
}

TM_GATE_CODE_END
#endif
