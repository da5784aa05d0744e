#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/dispatch.h"
#include "ground/layout.h"
#include "ground/real.h"
#include "ground/tsan.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

/* Groups. The real group counts enters and leaves; the flows that follow its end are submitted
 * here. */

tm_answer tm_group_is_empty(const tm_flow *f) {
  return tm_group_count(f->object) <= 0 ? TM_YES : TM_NO;
}

/* Returns whether the flow can begin. It joins its queue's line when the group is empty, and stays
 * there. */
static tm_answer may_follow(const tm_flow *f) {
  if (tm_group_count(f->follows) > 0) return TM_NO;
  tm_flow *it = (tm_flow *)f;
  it->can = NULL;
  tm_lane_join(&it->ticket, it->ticket.queue, it->ticket.barrier);
  return tm_lane_admits(&it->ticket) ? TM_YES : TM_NO;
}

static bool look_at_follower(tm_flow *f, void *group) {
  if (f->can == may_follow && f->follows == group) may_follow(f);
  return true;
}

static void keep(const void *group) {
  void (*retain)(const void *) = TM_HELPER(void (*)(const void *), dispatch_retain);
  retain(group);
}

static void give(const void *group) { TM_TRUE(dispatch_release)((void *)group); }

/* Retains the group meanwhile, because the last leave may release the last reference to it. */
static void left(void *group) {
  keep(group);
  TM_TRUE(dispatch_group_leave)(group);
  if (tm_group_count(group) <= 0) tm_flows_each(look_at_follower, group);
  give(group);
}

void tm_flow_follows(tm_flow *f) {
  if (!f->follows) return;
  tm_tsan_acquire(f->follows);
  give(f->follows);
}

void tm_flow_leaves(tm_flow *f) {
  if (f->leaves) left(f->leaves);
}

void tm_flow_follow(tm_flow *f, const void *group) {
  if (!f) return;
  keep(group);
  f->can = may_follow, f->follows = group;
  may_follow(f);
}

static void belong(tm_flow *f, void *group) {
  if (!f) return;
  TM_TRUE(dispatch_group_enter)(group);
  f->leaves = group;
  tm_lane_join(&f->ticket, f->ticket.queue, f->ticket.barrier);
}

#define TM_GROUPED(name, does)                                                                  \
  static void control_##name(dispatch_group_t group, dispatch_queue_t queue,                    \
                             dispatch_block_t block) {                                          \
    tm_seat *s = tm_seat_here();                                                                \
    if (!s) return TM_TRUE(name)(group, queue, block);                                          \
    tm_control_point(s, TM_STEP_SUBMIT, queue);                                                 \
    does(tm_submit_block(queue, block, false), group);                                          \
  }                                                                                             \
  static void control_##name##_f(dispatch_group_t group, dispatch_queue_t queue, void *context, \
                                 dispatch_function_t work) {                                    \
    tm_seat *s = tm_seat_here();                                                                \
    if (!s) return TM_TRUE(name##_f)(group, queue, context, work);                              \
    tm_control_point(s, TM_STEP_SUBMIT, queue);                                                 \
    does(tm_submit(queue, context, work, false), group);                                        \
  }

TM_GROUPED(dispatch_group_async, belong)
TM_GROUPED(dispatch_group_notify, tm_flow_follow)

static void control_dispatch_group_enter(dispatch_group_t group) {
  tm_seat *s = tm_seat_here();
  if (s) tm_control_point(s, TM_STEP_ENTER, group);
  TM_TRUE(dispatch_group_enter)(group);
}

static void control_dispatch_group_leave(dispatch_group_t group) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(dispatch_group_leave)(group);
  tm_control_point(s, TM_STEP_LEAVE, group);
  left(group);
}

static intptr_t control_dispatch_group_wait(dispatch_group_t group, dispatch_time_t until) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(dispatch_group_wait)(group, until);
  if (until == DISPATCH_TIME_NOW) tm_control_point(s, TM_STEP_TRY, group);
  else tm_control_step(s, TM_STEP_WAIT, group, tm_group_is_empty, NULL, tm_control_due(until));
  return TM_TRUE(dispatch_group_wait)(group, DISPATCH_TIME_NOW);
}

void tm_control_take_groups(struct tm_real *r){
#define TAKE(name) r->name = (void *)control_##name;
    TAKE(dispatch_group_async) TAKE(dispatch_group_async_f) TAKE(dispatch_group_notify)
        TAKE(dispatch_group_notify_f) TAKE(dispatch_group_enter) TAKE(dispatch_group_leave)
            TAKE(dispatch_group_wait)}

TM_GATE_CODE_END
#endif
