#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "control/model.h"
#include "ground/dispatch.h"
#include "ground/facts.h"
#include "ground/real.h"
#include "ground/swift_layout.h"
#include "ground/thread.h"
#include "object/hop.h"
#include "seam/run_hop.h"
#include "strand/job.h"
#include "strand/swift_task.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

/* The functions of the Swift runtime that start, switch and resume tasks without a call of
 * libdispatch. */

/* The runtime calls it where code of the main actor begins. Under control, a block of the main
 * queue runs on another thread than the main one, and the real function would trap. */
TM_EXPORT void dispatch_assert_queue(dispatch_queue_t queue) {
  if (TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)) &&
      tm_control_is_on(queue))
    return;
  TM_REAL(dispatch_assert_queue)(queue);
}

/* The runtime calls `swift_task_switch` when a task changes to another actor, or leaves one. If no
 * other task wants the new actor, the task goes on at once, on the same thread and without a new
 * job. */

#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))
TM_EXPORT SWIFT_ASYNC void swift_task_switch(CONTEXT void *at, void *goes_on, void *actor,
                                             void *witness);

/* Returns whether the task's job may return at the switch, as it may in the runtime, without a
 * visible effect: only code of the task is on the stack, and the thread holds no lock. The way back
 * must not wait, either: no other thread may have locked the task's status. */
static bool can_be_set_aside(const tm_seat *s) {
  const tm_flow *f = s->flow;
  if (!f->is_task || s->thread->holds.held_count || tm_settings_now.pool) return false;
  void *task = tm_swift_task();
  if (tm_hop_in(f->work, f->context)->context != task) return false;
  if (tm_layout_is_unknown(TM_LAYOUT_TASK)) tm_task_compare(task);
  bool readable = tm_layout_is_usable(TM_LAYOUT_STATUS) && tm_layout_is_known(TM_LAYOUT_JOB);
  return readable && tm_task_is_plain(task) && tm_layout_is_usable(TM_LAYOUT_TASK);
}

/* Jumps to the continuation of the task. The arguments after `at` have no values: they are here
 * because a tail call needs a callee of the same type. */
SWIFT_ASYNC static void go_on_there(CONTEXT void *at, void *a, void *b, void *c) {
  (void)a, (void)b, (void)c;
  const tm_flow *f = tm_self->control.seat->flow;
  __attribute__((musttail)) return TM_REAL(swift_task_switch)(
      at, f->task_switch.goes_on, f->task_switch.actor, f->task_switch.witness);
}

/* Lets the Scheduler choose at the switch. Returns true if another flow goes on: the task's job
 * must then return. */
static bool going_to(void *at, void *goes_on, void *actor, void *witness) {
  tm_seat *s = tm_seat_here();
  if (!s || s->flow->launched || tm_caller_of(s->thread, goes_on) != TM_CALLER_USER) return false;
  tm_seat_stops(s, (uintptr_t)goes_on);
  tm_departure departure = can_be_set_aside(s) ? tm_swift_task_departs(actor) : TM_STAYS;
  tm_flow *f = s->flow;
  if (departure == TM_STAYS) {
    tm_control_step(s, TM_STEP_HOP, actor, NULL, goes_on, 0);
    return false;
  }
  f->task_switch.goes_on = goes_on, f->task_switch.actor = actor, f->task_switch.witness = witness;
  if (!tm_control_step_aside(s, departure == TM_LEAVES_SOMEBODY)) return false;
  tm_hop_set_aside(s->thread, f->context);
  tm_swift_task_suspend((void *)go_on_there, at);
  return true;
}

SWIFT_ASYNC void swift_task_switch(CONTEXT void *at, void *goes_on, void *actor, void *witness) {
  bool unknown = tm_layout_is_unknown(TM_LAYOUT_ACTOR) || tm_layout_is_unknown(TM_LAYOUT_STATUS);
  if (TM_UNLIKELY(unknown) && tm_self && tm_is_active()) tm_swift_compare_here(tm_self);
  if (TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)) &&
      going_to(at, goes_on, actor, witness))
    return;
  __attribute__((musttail)) return TM_REAL(swift_task_switch)(at, goes_on, actor, witness);
}

TM_GATE_CODE_END
#endif
