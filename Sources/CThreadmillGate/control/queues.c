#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/dispatch.h"
#include "ground/facts.h"
#include "ground/real.h"
#include "ground/tsan.h"
#include "object/hop.h"
#include "object/pools.h"
#include "strand/job.h"
#include "strand/swift_task.h"
#include "strand/thread.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

/* The Scheduler's functions for queues: `async`, `after`, `sync`, `suspend` and their variants.
 *
 * Work that a flow submits does not go to libdispatch: it becomes a flow, which waits in the line
 * of its queue (lanes.c). When the queue admits the flow, a seat runs the work inside a real `sync`
 * on the queue. The `sync` does not block, because the line admits a flow only when the queue is
 * free for it. By the `sync`, libdispatch too knows that the work is on its queue. Swift's jobs,
 * work without a queue, and blocks of a main queue that is bound to the main thread run without a
 * `sync`. */

/* Flows that run submitted work. */

/* Returns whether the queue is the one to which the Swift runtime submits its jobs. A job is not
 * run inside a real `sync`: libdispatch lets only few jobs of this queue run at once, and a job
 * whose flow can never go on would occupy one of these places for ever. */
static bool is_of_jobs(const void *queue) {
  const tm_workers *pool = tm_workers_of(queue);
  return pool && pool->cooperative && pool->queue == queue;
}

tm_flow *tm_submit(const void *queue, void *context, dispatch_function_t work, bool barrier) {
  tm_flow *f = tm_flow_make(TM_STEP_BEGIN, queue);
  if (!f) return NULL;
  f->work = work, f->context = context;
  f->ticket = (tm_ticket){.queue = queue, .barrier = barrier};
  f->pooled = is_of_jobs(queue);
  if (queue && !f->pooled) tm_ticket_hold(&f->ticket);
  tm_tsan_release(f);
  return f;
}

tm_flow *tm_submit_block(const void *queue, void *block, bool barrier) {
  void *(*copy)(const void *) = TM_HELPER(void *(*)(const void *), _Block_copy);
  tm_flow *f = tm_submit(queue, copy(block), NULL, barrier);
  if (f) f->is_block = true;
  return f;
}

/* Runs a block inside a real `sync` on its queue, and releases the block. */
static void run_block(tm_flow *f) {
  const void *queue = f->ticket.queue;
  if (f->ticket.barrier) TM_TRUE(dispatch_barrier_sync)((void *)queue, f->context);
  else TM_TRUE(dispatch_sync)((void *)queue, f->context);
  void (*give)(const void *) = TM_HELPER(void (*)(const void *), _Block_release);
  give(f->context);
}

/* Returns whether the queue is the main queue before `dispatch_main`. Until then libdispatch runs
 * its blocks on the main thread only, so a real `sync` from a seat would wait for that thread. */
static bool is_bound(const void *queue) { return queue == tm_main_queue && !tm_main_queue_is_free; }
static void invoke(void *block) { ((tm_block *)block)->invoke(block); }

bool tm_control_is_on(const void *queue) {
  tm_seat *s = tm_seat_here();
  return s && s->flow && is_bound(queue) && s->flow->ticket.queue == queue;
}

static void run_here(tm_flow *f) {
  if (f->is_block) invoke(f->context);
  else f->work(f->context);
}

void tm_flow_run(tm_flow *f) {
  const void *queue = f->ticket.queue;
  const tm_hop *hop = tm_hop_in(f->work, f->context);
  f->is_task = hop && hop->job && tm_job_is_task(hop->context);
  tm_tsan_acquire(f);
  tm_flow_follows(f);
  if (!queue || f->pooled) {
    run_here(f);
  } else if (is_bound(queue)) {
    /* The lane lets one block of the main queue run at a time, on any seat. TSan must see that
     * order: no real `sync` tells it. */
    tm_tsan_acquire(queue);
    run_here(f);
    tm_tsan_release(queue);
  } else if (f->is_block) {
    run_block(f);
  } else if (f->ticket.barrier) {
    TM_TRUE(dispatch_barrier_sync_f)((void *)queue, f->context, f->work);
  } else {
    TM_TRUE(dispatch_sync_f)((void *)queue, f->context, f->work);
  }
}

/* Submissions. */

/* Puts a submitted flow into its queue's line. Swift's jobs need no line, unless the settings limit
 * how many run at once. */
static void join(tm_flow *f) {
  bool admitted = f && f->pooled && !tm_settings_now.pool;
  if (f && !admitted) tm_lane_join(&f->ticket, f->ticket.queue, f->ticket.barrier);
}

/* Makes the submission a point, with one exception. When a task has ended or suspended, its job may
 * still submit the job of a task that goes on afterwards, as the job of a yield does. That
 * submission is no point: the job returns right after it, and there another flow is chosen
 * anyway. */
static void point_at_submission(tm_seat *s, const void *queue, bool yields) {
  if (s->flow->is_yield || (s->flow->is_task && !tm_swift_task())) s->point = false;
  if (yields) s->flow->back = 1;
  tm_control_point(s, yields ? TM_STEP_YIELD : TM_STEP_SUBMIT, yields ? NULL : queue);
}

static void submit_function(tm_seat *s, const void *queue, void *context, dispatch_function_t work,
                            bool barrier) {
  bool yields = tm_yields_here(work, context);
  point_at_submission(s, queue, yields);
  tm_flow *f = tm_submit(queue, context, work, barrier);
  tm_yields_submitted(s->flow, f, yields);
  join(f);
}

#define TM_ASYNC(name, its_barrier)                                            \
  static void control_##name(dispatch_queue_t queue, dispatch_block_t block) { \
    tm_seat *s = tm_seat_here();                                               \
    if (!s) return TM_TRUE(name)(queue, block);                                \
    tm_control_point(s, TM_STEP_SUBMIT, queue);                                \
    join(tm_submit_block(queue, block, its_barrier));                          \
  }                                                                            \
  static void control_##name##_f(dispatch_queue_t queue, void *context,        \
                                 dispatch_function_t work) {                   \
    tm_seat *s = tm_seat_here();                                               \
    if (!s) return TM_TRUE(name##_f)(queue, context, work);                    \
    submit_function(s, queue, context, work, its_barrier);                     \
  }

TM_ASYNC(dispatch_async, false)
TM_ASYNC(dispatch_barrier_async, true)

void tm_submit_again(const tm_flow *launched) {
  const void *queue = launched->ticket.queue;
  tm_flow *f = tm_flow_make(TM_STEP_BEGIN, queue);
  f->work = launched->work, f->context = launched->context, f->is_block = launched->is_block;
  f->pooled = launched->pooled;
  f->launched = true;
  f->ticket = (tm_ticket){
      .queue = queue, .barrier = launched->ticket.barrier, .holds = launched->ticket.holds};
  tm_tsan_release(f);
  join(f);
}

void tm_flow_discard(tm_flow *f) {
  run_here(f);
  tm_ticket_let_go(&f->ticket);
}

/* The question of a delayed flow (`dispatch_after`): returns TM_NO until its time has come. Then
 * puts the flow into its queue's line, removes itself as the question, and returns whether the
 * queue admits the flow. */
static tm_answer is_there(const tm_flow *f) {
  if (f->due > tm_control_now()) return TM_NO;
  tm_flow *it = (tm_flow *)f;
  it->can = NULL;
  join(it);
  return tm_lane_admits(&it->ticket) ? TM_YES : TM_NO;
}

static void later(tm_flow *f, dispatch_time_t when) {
  if (!f) return;
  f->due = tm_control_due(when);
  f->can = is_there;
}

static void control_dispatch_after(dispatch_time_t when, dispatch_queue_t queue,
                                   dispatch_block_t block) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(dispatch_after)(when, queue, block);
  tm_control_point(s, TM_STEP_SUBMIT, queue);
  if (when != DISPATCH_TIME_FOREVER) later(tm_submit_block(queue, block, false), when);
}

static void control_dispatch_after_f(dispatch_time_t when, dispatch_queue_t queue, void *context,
                                     dispatch_function_t work) {
  tm_seat *s = tm_seat_here();
  if (!s) return TM_TRUE(dispatch_after_f)(when, queue, context, work);
  tm_control_point(s, TM_STEP_SUBMIT, queue);
  if (when != DISPATCH_TIME_FOREVER) later(tm_submit(queue, context, work, false), when);
}

static tm_answer is_admitted(const tm_flow *f) { return tm_lane_admits(f->with) ? TM_YES : TM_NO; }

void tm_control_await_lane(tm_seat *s, tm_ticket *ticket) {
  tm_control_step(s, TM_STEP_LOCK, ticket->queue, is_admitted, ticket, 0);
  tm_lane_enter(ticket);
}

/* The point comes before the caller joins the line: who comes first is a choice. A caller that is
 * admitted at once goes on without another choice, as libdispatch lets it. If the queue's work runs
 * on another queue, libdispatch waits there too, and others can go on in between. */
static void stand_in_line(tm_seat *s, tm_ticket *ticket, const void *queue, bool barrier) {
  bool point = s->point;
  tm_control_point(s, TM_STEP_LOCK, queue);
  if (TM_UNLIKELY(tm_control_is_given_up(s))) return;
  s->point = false;
  tm_lane_join(ticket, queue, barrier);
  s->point = point && tm_lane_is_below_another(ticket);
  tm_control_await_lane(s, ticket);
}

/* Returns whether a `sync` goes to libdispatch unchanged: the caller is no flow, or the queue is
 * bound to the main thread. A `sync` onto a bound queue runs its block on the main thread, which is
 * not under control, so the call is counted. */
static bool passes(tm_seat *s, const void *queue, const char *name, void *frame) {
  if (s && is_bound(queue)) tm_control_passed(name, frame);
  return !s || is_bound(queue);
}

static void leave_line(tm_seat *s, tm_ticket *ticket) {
  if (tm_control_keeps_turn(s)) tm_lane_leave(ticket);
}

#define TM_SYNC(name, its_barrier)                                                               \
  static void control_##name(dispatch_queue_t queue, dispatch_block_t block) {                   \
    tm_seat *s = tm_seat_here();                                                                 \
    if (passes(s, queue, #name, __builtin_frame_address(0))) return TM_TRUE(name)(queue, block); \
    tm_ticket ticket = {0};                                                                      \
    stand_in_line(s, &ticket, queue, its_barrier);                                               \
    TM_TRUE(name)(queue, block);                                                                 \
    leave_line(s, &ticket);                                                                      \
  }                                                                                              \
  static void control_##name##_f(dispatch_queue_t queue, void *context,                          \
                                 dispatch_function_t work) {                                     \
    tm_seat *s = tm_seat_here();                                                                 \
    if (passes(s, queue, #name, __builtin_frame_address(0)))                                     \
      return TM_TRUE(name##_f)(queue, context, work);                                            \
    tm_ticket ticket = {0};                                                                      \
    stand_in_line(s, &ticket, queue, its_barrier);                                               \
    TM_TRUE(name##_f)(queue, context, work);                                                     \
    leave_line(s, &ticket);                                                                      \
  }

TM_SYNC(dispatch_sync, false)
TM_SYNC(dispatch_barrier_sync, true)
TM_SYNC(dispatch_async_and_wait, false)
TM_SYNC(dispatch_barrier_async_and_wait, true)

#define TM_PASSING(name, step)                       \
  static void control_##name(dispatch_object_t it) { \
    tm_seat *s = tm_seat_here();                     \
    if (s) tm_control_point(s, step, it);            \
    TM_TRUE(name)(it);                               \
  }
TM_PASSING(dispatch_suspend, TM_STEP_SUSPEND)
TM_PASSING(dispatch_resume, TM_STEP_RESUME)
TM_PASSING(dispatch_activate, TM_STEP_RESUME)

void tm_control_take_queues(struct tm_real *r){
#define TAKE(name) r->name = (void *)control_##name;
#define TAKE_BOTH(name) TAKE(name) TAKE(name##_f)
    TAKE_BOTH(dispatch_async) TAKE_BOTH(dispatch_barrier_async) TAKE_BOTH(dispatch_after)
        TAKE_BOTH(dispatch_sync) TAKE_BOTH(dispatch_barrier_sync) TAKE_BOTH(dispatch_async_and_wait)
            TAKE_BOTH(dispatch_barrier_async_and_wait) TAKE(dispatch_suspend) TAKE(dispatch_resume)
                TAKE(dispatch_activate)}

TM_GATE_CODE_END
#endif
