#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/dispatch.h"
#include "ground/layout.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

/* Timer sources. The real source is suspended, resumed, cancelled and released, but never set: each
 * tick is a flow, and time is virtual. Other sources are not under control. */

typedef struct tm_timer {
  struct tm_timer *next;
  const void *source, *queue;
  void *handler;                /* a block, owned */
  dispatch_function_t function; /* instead of `handler` */
  void *at_cancel;              /* a block, owned */
  uint64_t due, interval;       /* due 0: never */
  tm_flow *waiting;             /* the flow of the next tick */
  uint32_t schedule;            /* the schedule of `waiting` */
  bool runs, changed, cancelled;
} tm_timer;

enum { BUCKETS = 64 };
static tm_timer *timers[BUCKETS];

static tm_timer **timer_place(const void *source) {
  tm_timer **at = &timers[tm_mix(0, (uintptr_t)source) % BUCKETS];
  while (*at && (*at)->source != source) at = &(*at)->next;
  return at;
}

/* Returns the record of a timer; NULL if the source or the calling thread is not under control. */
static tm_timer *timer_of(tm_seat *s, const void *source) {
  return s ? *timer_place(source) : NULL;
}

static void *kept(const void *block) {
  return block ? TM_HELPER(void *(*)(const void *), _Block_copy)(block) : NULL;
}

static void drop(void **block) {
  void *old = *block;
  *block = NULL;
  if (old) TM_HELPER(void (*)(const void *), _Block_release)(old);
}

static void step(tm_seat *s, tm_step_kind kind, const void *object) {
  tm_seat_stops(s, 0);
  tm_control_point(s, kind, object);
}

/* Firing. */

/* Lets the flow join its queue's line. Returns whether the queue admits it. */
static tm_answer come(const tm_flow *f) {
  tm_flow *it = (tm_flow *)f;
  it->can = NULL;
  tm_lane_join(&it->ticket, it->ticket.queue, false);
  return tm_lane_admits(&it->ticket) ? TM_YES : TM_NO;
}

static tm_answer may_fire(const tm_flow *f) {
  const tm_timer *t = f->context;
  if (f->due > tm_control_now() || tm_is_suspended(t->source)) return TM_NO;
  return come(f);
}

static void fire(void *context);

static void disarm(tm_timer *t) {
  tm_flow *f = t->waiting;
  t->waiting = NULL;
  if (f && t->schedule == tm_control_schedule()) tm_flow_withdraw(f);
}

static void arm(tm_timer *t) {
  disarm(t);
  if (!t->due || t->cancelled) return;
  tm_flow *f = tm_submit(t->queue, t, fire, false);
  if (!f) return;
  f->due = t->due, f->can = may_fire;
  t->waiting = f, t->schedule = tm_control_schedule();
}

static void forget_timer(tm_timer **at) {
  tm_timer *t = *at;
  *at = t->next;
  disarm(t);
  drop(&t->handler);
  drop(&t->at_cancel);
  if (t->queue) TM_TRUE(dispatch_release)((void *)t->queue);
  tm_pool_give(t, sizeof *t);
}

/* Arms a repeating timer again. Ticks that were missed count as one. After the body has ended,
 * timers do not repeat. */
static void repeat(tm_timer *t) {
  bool again = t->interval && !tm_control_is_body_over();
  uint64_t missed = again ? (tm_control_now() - t->due) / t->interval : 0;
  t->due = again ? t->due + (missed ? missed : 1) * t->interval : 0;
  arm(t);
}

static void call_handler(const tm_timer *t) {
  void *(*context_of)(const void *) = TM_HELPER(void *(*)(const void *), dispatch_get_context);
  if (t->function && context_of) t->function(context_of(t->source));
  void *block = t->function ? NULL : kept(t->handler);
  if (block) ((tm_block *)block)->invoke(block);
  drop(&block);
}

static void retain(const void *object) {
  if (object) TM_HELPER(void (*)(const void *), dispatch_retain)(object);
}

static void control_dispatch_release(void *object) {
  tm_seat *s = tm_seat_here();
  tm_timer **at = s && object && tm_is_last_reference(object) ? timer_place(object) : NULL;
  if (at && *at) forget_timer(at);
  TM_TRUE(dispatch_release)(object);
}

/* Runs the handler, on the timer's queue. The handler may cancel, set or release its own timer. */
static void fire(void *context) {
  tm_timer *t = context;
  void *source = (void *)t->source;
  t->waiting = NULL;
  if (tm_is_suspended(source)) return arm(t);
  retain(source);
  tm_tsan_acquire(t);
  t->runs = true, t->changed = false;
  call_handler(t);
  if (tm_self->control.seat && !tm_control_keeps_turn(tm_self->control.seat)) return;
  t->runs = false;
  tm_tsan_release(t);
  if (t->cancelled) drop(&t->handler);
  else if (t->changed) arm(t);
  else repeat(t);
  control_dispatch_release(source);
}

/* The calls that make, set, resume and cancel a timer. */

static void *control_dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask,
                                            void *queue) {
  tm_seat *s = tm_seat_here();
  bool timed = type == TM_HELPER(const void *, _dispatch_source_type_timer);
  tm_timer *t = s && timed ? tm_pool_take(sizeof *t) : NULL;
  if (s && !t) tm_control_passed("dispatch_source_create", __builtin_frame_address(0));
  void *source = TM_TRUE(dispatch_source_create)(type, handle, mask, t ? NULL : queue);
  if (!s) return source;
  tm_timer **at = timer_place(source);
  /* The record of an earlier source at this address, which was released outside an exploration. */
  if (*at) forget_timer(at);
  if (!t) return source;
  retain(queue);
  *t = (tm_timer){.next = *at, .source = source, .queue = queue};
  *at = t;
  return source;
}

static void control_dispatch_source_set_event_handler(void *source, void *block) {
  tm_timer *t = timer_of(tm_seat_here(), source);
  if (!t) return TM_TRUE(dispatch_source_set_event_handler)(source, block);
  drop(&t->handler);
  t->handler = kept(block), t->function = NULL;
  tm_tsan_release(t);
}

static void control_dispatch_source_set_event_handler_f(void *source,
                                                        dispatch_function_t function) {
  tm_timer *t = timer_of(tm_seat_here(), source);
  if (!t) return TM_TRUE(dispatch_source_set_event_handler_f)(source, function);
  drop(&t->handler);
  t->function = function;
  tm_tsan_release(t);
}

static void control_dispatch_source_set_cancel_handler(void *source, void *block) {
  tm_timer *t = timer_of(tm_seat_here(), source);
  if (!t) return TM_TRUE(dispatch_source_set_cancel_handler)(source, block);
  drop(&t->at_cancel);
  t->at_cancel = kept(block);
}

static void control_dispatch_source_set_timer(void *source, dispatch_time_t when, uint64_t interval,
                                              uint64_t leeway) {
  tm_seat *s = tm_seat_here();
  tm_timer *t = timer_of(s, source);
  if (!t) return TM_TRUE(dispatch_source_set_timer)(source, when, interval, leeway);
  step(s, TM_STEP_SUBMIT, t->queue);
  t->due = tm_control_due(when);
  t->interval = interval == DISPATCH_TIME_FOREVER ? 0 : interval;
  t->changed = true;
  tm_tsan_release(t);
  if (!t->runs) arm(t);
}

/* Returns whether the cancel handler can begin: not while another handler runs, and not while the
 * source is suspended. */
static tm_answer may_end(const tm_flow *f) {
  const tm_timer *t = f->context;
  return t->runs || tm_is_suspended(t->source) ? TM_NO : come(f);
}

static void run_cancel_handler(void *context) {
  tm_timer *t = context;
  void *block = t->at_cancel;
  t->at_cancel = NULL;
  ((tm_block *)block)->invoke(block);
  drop(&block);
  control_dispatch_release((void *)t->source);
}

static void control_dispatch_source_cancel(void *source) {
  tm_seat *s = tm_seat_here();
  tm_timer *t = timer_of(s, source);
  if (t) step(s, TM_STEP_CANCEL, source);
  TM_TRUE(dispatch_source_cancel)(source);
  if (!t || t->cancelled) return;
  t->cancelled = true;
  disarm(t);
  tm_flow *f = t->at_cancel ? tm_submit(t->queue, t, run_cancel_handler, false) : NULL;
  if (f) f->can = may_end;
  if (f) retain(source);
  if (!t->runs) drop(&t->handler);
}

void tm_control_take_timers(struct tm_real *r){
#define TAKE(name) r->name = (void *)control_##name;
    TAKE(dispatch_source_create) TAKE(dispatch_source_set_event_handler)
        TAKE(dispatch_source_set_event_handler_f) TAKE(dispatch_source_set_cancel_handler)
            TAKE(dispatch_source_set_timer) TAKE(dispatch_source_cancel) TAKE(dispatch_release)}

TM_GATE_CODE_END
#endif
