#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "control/world.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "strand/attention.h"
#include "strand/race_mark.h"
#include "strand/thread.h"
#include "threadmill_control.h"
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Seats and the baton. */

tm_seat tm_control_caller;
static tm_seat *idle;

static uint32_t seats; /* the number that the caller has made */

static tm_seat *_Atomic turn; /* the seat that has the baton */

/* The baton. A thread that is still on its way to sleep is not woken: it reads the turn again
 * before it sleeps. */

enum { NOT_YET, YOURS, ASLEEP }; /* of `tm_seat.turn` */

/* Returns false if the limit has passed. */
bool tm_turn_wait_within(tm_seat *s, const struct timespec *limit) {
  for (;;) {
    unsigned seen = NOT_YET;
    if (!atomic_compare_exchange_strong(&s->turn, &seen, ASLEEP) && seen == YOURS) break;
    long result = syscall(SYS_futex, &s->turn, FUTEX_WAIT_PRIVATE, ASLEEP, limit, NULL, 0);
    if (result < 0 && errno == ETIMEDOUT && atomic_load(&s->turn) != YOURS) return false;
  }
  atomic_store_explicit(&s->turn, NOT_YET, memory_order_relaxed);
  return true;
}

void tm_turn_wait(tm_seat *s) { tm_turn_wait_within(s, NULL); }

/* A thread whose turn was taken away stays here for ever. */
void tm_seat_stay(void) {
  for (;;) syscall(SYS_ppoll, NULL, 0l, NULL, NULL, 0l);
}

void tm_seat_fails(void) {
  tm_world_now.result.end = TM_SCHEDULE_UNSEATED;
  tm_turn_give(&tm_control_caller);
  tm_seat_stay();
}

void tm_turn_give(tm_seat *s) {
  tm_control_gets_turn(s);
  atomic_store_explicit(&turn, s, memory_order_relaxed);
  if (atomic_exchange(&s->turn, YOURS) == ASLEEP)
    syscall(SYS_futex, &s->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

tm_seat *tm_turn_holder(void) { return atomic_load(&turn); }

tm_seat *tm_seat_new(void *(*body)(void *)) {
  tm_seat *s = tm_map(sizeof(tm_seat));
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  if (s && TM_TRUE(pthread_create)(&s->handle, &detached, body, s) != 0) s = NULL;
  pthread_attr_destroy(&detached);
  seats += s != NULL;
  return s;
}

/* TSan finds no races between flows that share a thread. So under TSan a seat has one flow in each
 * schedule, and a flow that was set aside goes on at its own seat. */
enum { MOST_SEATS = 256 };

static const tm_flow *had(const tm_seat *s) {
  return s->used == tm_control_schedule() ? s->had : NULL;
}

bool tm_seat_can_have(const tm_seat *s, const tm_flow *f) {
  return !tm_is_tsan() || seats >= MOST_SEATS || !had(s) || had(s) == f;
}

static tm_seat **find_idle(const tm_flow *f) {
  for (tm_seat **at = &idle; tm_is_tsan() && f->aside && *at; at = &(*at)->next)
    if (had(*at) == f) return at;
  for (tm_seat **at = &idle; *at; at = &(*at)->next)
    if (tm_seat_can_have(*at, f)) return at;
  return NULL;
}

tm_seat *tm_seat_take_idle(const tm_flow *f) {
  tm_seat **at = find_idle(f);
  tm_seat *s = at ? *at : NULL;
  if (s) *at = s->next;
  return s;
}

void tm_control_hand_over(tm_flow *to) {
  tm_seat *s = to && to->seat ? to->seat : to ? tm_seat_take_idle(to) : NULL;
  if (!s) {
    tm_world_now.without_seat = to;
    return tm_turn_give(&tm_control_caller);
  }
  if (!to->seat) s->flow = to;
  tm_turn_give(s);
}

/* From here on the calls of a signal handler are not steps of the flow, even before the flow waits.
 * Returns false if the flow was given up. */
bool tm_seat_stand_still(tm_seat *s) {
  s->waits = true;
  atomic_thread_fence(memory_order_seq_cst);
  return TM_LIKELY(!atomic_load(&s->given_up)) || tm_control_has_turn(s);
}

static bool is_of_submission(tm_step_kind kind) {
  return kind == TM_STEP_ENTER || kind == TM_STEP_SUBMIT || kind == TM_STEP_SPAWN ||
         kind == TM_STEP_ON;
}

bool tm_control_step(tm_seat *s, tm_step_kind kind, const void *object, tm_question question,
                     const void *with, uint64_t due) {
  tm_flow *f = s->flow;
  if (s == &tm_control_caller) return true;
  tm_world_now.made = NULL;
  bool stays = !s->point;
  f->object = object, f->with = with;
  if (TM_UNLIKELY(tm_memory_is_weak)) tm_memory_synchronise(f, (uint8_t)kind);
  /* The short way, for calls that libraries make for themselves. */
  if (stays && (!question || question(f) == TM_YES)) {
    s->looks = 0;
    return true;
  }
  if (!tm_seat_stand_still(s)) return true;
  s->point = false;
  s->looks = 0;
  if (kind < TM_STEP_YIELD || kind > TM_STEP_UPDATE) f->atomics = 0;
  if (!is_of_submission(kind)) f->submits = 0;
  f->kind = (uint8_t)kind, f->can = question, f->due = due;
  f->place = stays ? 0 : s->place;
  f->lines_known = false;
  f->frame = __builtin_frame_address(0);
  f->timed_out = f->outside = false;
  tm_flow *next = tm_control_choose(s->thread, f, stays);
  if (next != f) {
    if (!tm_control_leaves_turn(s)) return true;
    tm_control_hand_over(next);
    tm_turn_wait(s);
  }
  if (TM_UNLIKELY(tm_control_is_given_up(s))) return true;
  f->can = NULL, f->due = 0;
  atomic_signal_fence(memory_order_seq_cst);
  if (TM_UNLIKELY(f->outside)) tm_control_passed("wait", __builtin_frame_address(0));
  s->waits = false;
  return !f->timed_out;
}

tm_flow *tm_control_choose_at_switch(tm_thread *t, tm_flow *f) {
  f->kind = TM_STEP_HOP, f->object = f->task_switch.actor, f->with = f->task_switch.goes_on;
  f->place = (uintptr_t)f->task_switch.goes_on;
  f->lines_known = false;
  return tm_control_choose(t, f, false);
}

bool tm_control_step_aside(tm_seat *s, bool leaves) {
  tm_flow *f = s->flow;
  if (!tm_seat_stand_still(s)) return false;
  if (TM_UNLIKELY(tm_memory_is_weak)) tm_memory_synchronise(f, TM_STEP_HOP);
  s->point = false;
  s->looks = f->atomics = 0;
  f->frame = __builtin_frame_address(0);
  s->asks = leaves;
  s->after = leaves ? NULL : tm_control_choose_at_switch(s->thread, f);
  f->aside = s->after != f;
  /* After the last decision, calls that the runtime makes on its way back are not steps. */
  s->waits = f->aside && !leaves;
  return f->aside;
}

bool tm_control_keeps_turn(tm_seat *s) {
  s->waits = true;
  atomic_thread_fence(memory_order_seq_cst);
  bool keeps = tm_control_has_turn(s);
  s->waits = !keeps;
  return keeps;
}

/* Threads of the user's. */

tm_seat *tm_seat_make(tm_flow *f) {
  tm_seat *s = tm_pool_take(sizeof(tm_seat));
  if (!s) return NULL;
  s->flow = f, s->is_thread = true;
  f->seat = s, f->state = TM_FLOW_HERE;
  return s;
}

void tm_seat_arrive(tm_seat *s) {
  tm_turn_wait(s);
  if (tm_control_is_given_up(s)) tm_seat_stay();
  s->thread = tm_thread_attach_below((uintptr_t)__builtin_frame_address(0) + 16);
  if (!s->thread) tm_seat_fails();
  tm_seat_set(s->thread, s);
  s->thread->ground.attention = tm_attention(s->thread);
  tm_race_mark_schedule(tm_control_schedule());
}

/* The main thread has the main queue to itself, as ever, until it waits for the queue's work. */
void tm_seat_launch(tm_seat *s) {
  tm_flow *f = tm_flow_make(TM_STEP_BEGIN, NULL);
  if (!f) return;
  f->seat = s, f->state = TM_FLOW_HERE;
  s->flow = f;
  tm_lane_join(&f->ticket, tm_main_queue, false);
  tm_lane_enter(&f->ticket);
}

void tm_seat_leave(tm_seat *s) {
  if (s->thread) tm_seat_set(s->thread, NULL);
  if (!tm_control_keeps_turn(s)) return;
  tm_tsan_release(&tm_world_now);
  if (TM_UNLIKELY(tm_memory_is_weak)) tm_memory_synchronise(s->flow, TM_STEP_JOIN);
  tm_lane_leave(&s->flow->ticket);
  tm_flow_forget(s->flow);
  tm_flow *next = tm_control_choose(s->thread, NULL, false);
  if (!tm_control_leaves_turn(s)) return;
  tm_control_hand_over(next);
  tm_pool_give(s, sizeof(tm_seat));
}

void tm_seat_rest(tm_seat *s) {
  s->next = idle;
  idle = s;
}

TM_GATE_CODE_END
#endif
