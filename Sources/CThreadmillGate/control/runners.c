#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "control/model.h"
#include "control/world.h"
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

/* Seats run flows. A seat that is no thread of the user's runs `sit`: whenever it gets the
 * baton, it runs a flow, and then the flows chosen next. Meanwhile the explorer (the thread that
 * called `tm_control`) waits in `tm_control_attend`, starts new seats, and gives up a seat that is
 * stuck. */

static void *sit(void *);

/* Takes the turn away from the seat that has it, and ends the schedule as stuck. Returns false if
 * the seat is the explorer's own, has no thread record yet, or says that it is not the flow's code
 * that keeps the turn; unless `surely` is set. */
static bool give_up(bool surely) {
  tm_seat *s = tm_turn_holder();
  if (s == &tm_control_caller || (!s->thread && !surely)) return false;
  uint32_t place = s->thread ? tm_control_place_of(s->thread) : 0;
  if (!tm_control_give_up(s, tm_control_processors()) && !(surely && tm_control_take_away(s)))
    return false;
  /* A schedule that was cut has its end already. */
  if (tm_world_now.turns) return true;
  tm_world_now.result.end = TM_SCHEDULE_STUCK;
  tm_world_now.result.stuck = s->flow ? s->flow->number : 0;
  tm_world_now.result.stuck_at = place;
  return true;
}

/* With so many times its patience the explorer gives up a seat whatever that says. A schedule thus
 * always ends, even if a thread has died with the turn. */
enum { SURELY = 3 };

/* The explorer waits until it has the turn again. Returns false if it gave up the seat that had the
 * turn. It gives the seat up after as many one-second waits without a step as the director's
 * `patience` says (0: never). Time in which the process is stopped counts as one wait at most. */
static bool wait_patiently(void) {
  static const struct timespec second = {1, 0};
  const struct timespec *limit = tm_world_now.director.patience ? &second : NULL;
  uint64_t steps = 0;
  for (uint32_t waited = 0; !tm_turn_wait_within(&tm_control_caller, limit); waited++) {
    uint64_t now = __atomic_load_n(&tm_world_now.steps, __ATOMIC_RELAXED);
    if (now != steps) waited = 0;
    steps = now;
    uint32_t patience = tm_world_now.director.patience;
    if (waited < patience || !give_up(waited >= SURELY * patience)) continue;
    tm_world_now.result.stuck_for = waited;
    return false;
  }
  return true;
}

void tm_control_attend(void) {
  while (wait_patiently()) {
    tm_flow *f = tm_world_now.without_seat;
    if (!f) return;
    tm_world_now.without_seat = NULL;
    tm_seat *s = tm_seat_new(sit);
    if (!s) {
      tm_world_now.result.end = TM_SCHEDULE_UNSEATED;
      return;
    }
    s->flow = f;
    tm_turn_give(s);
  }
}

static void begin_flow(tm_seat *s, tm_flow *f) {
  s->flow = f;
  f->seat = s;
  if (!f->aside) tm_lane_enter(&f->ticket);
  f->state = TM_FLOW_HERE, f->aside = s->point = false;
  tm_race_mark_schedule(tm_control_schedule());
}

/* Takes the flow off this seat. A flow that is over leaves its lane and its group. A flow that is
 * set aside stays in its lane, and any idle seat can continue it, under TSan preferably this
 * one. */
static void end_flow(tm_seat *s, tm_flow *f) {
  if (TM_UNLIKELY(tm_memory_is_weak)) tm_memory_ends(f);
  if (f->aside) {
    f->seat = NULL, f->frame = NULL;
    tm_tsan_release(f);
  } else {
    tm_lane_leave(&f->ticket);
    tm_flow_leaves(f);
    tm_flow_forget(f);
  }
  tm_tsan_release(&tm_world_now);
  tm_race_unmark_schedule();
  s->flow = NULL;
}

/* Runs the flow until it is over, or set aside. Returns the next flow; NULL if none can go on. If
 * the seat was given up meanwhile, its thread stays here for ever. */
static tm_flow *run_flow(tm_seat *s, tm_flow *f) {
  begin_flow(s, f);
  tm_flow_run(f);
  if (!tm_control_keeps_turn(s)) tm_seat_stay();
  end_flow(s, f);
  if (!f->aside) return tm_control_choose(s->thread, NULL, false);
  return s->asks ? tm_control_choose_at_switch(s->thread, f) : s->after;
}

/* Begins the next schedule on this seat. Returns its first flow; NULL if the explorer has to go on.
 * The director's work between two schedules runs here and may take long: the seat is marked as
 * waiting, so that the explorer does not give it up. */
static tm_flow *relay(tm_seat *s) {
  s->waits = true;
  atomic_thread_fence(memory_order_seq_cst);
  if (!tm_control_has_turn(s)) tm_seat_stay();
  tm_flow *f = tm_control_relay(s->thread);
  s->waits = false;
  return f;
}

/* Runs the flow that this seat was given, and then each next flow, as long as that flow has no seat
 * yet and may have this one. If no flow can go on, begins the next schedule. When the next flow
 * needs another seat, or the explorer has to go on, this seat becomes idle and gives the baton. */
static void go_on(tm_seat *s) {
  tm_flow *f = s->flow;
  for (;;) {
    s->flow = NULL;
    if (f && !f->seat && tm_seat_can_have(s, f)) {
      s->used = tm_control_schedule();
      s->had = f;
      f = run_flow(s, f);
      if (!f) f = relay(s);
      if (tm_control_is_given_up(s)) tm_seat_stay();
      continue;
    }
    if (!tm_control_leaves_turn(s)) tm_seat_stay();
    tm_seat_rest(s);
    return tm_control_hand_over(f);
  }
}

/* Runs a launched flow for which no schedule is left. Its calls are not steps. */
static void discard(tm_seat *s) {
  s->waits = true;
  tm_flow_discard(s->flow);
  s->waits = s->discards = false;
  s->flow = NULL;
  if (!tm_control_leaves_turn(s)) tm_seat_stay();
  tm_seat_rest(s);
  tm_turn_give(&tm_control_caller);
}

void tm_control_discard(tm_flow *f) {
  tm_seat *s = tm_seat_take_idle(f);
  if (!s) s = tm_seat_new(sit);
  if (!s) return;
  s->flow = f, s->discards = true;
  tm_turn_give(s);
  static const struct timespec limit = {30, 0};
  while (!tm_turn_wait_within(&tm_control_caller, &limit) && !tm_control_take_away(s)) {
  }
}

static void *sit(void *context) {
  tm_seat *s = context;
  tm_turn_wait(s);
  if (tm_control_is_given_up(s)) tm_seat_stay();
  s->thread = tm_thread_attach();
  if (!s->thread) tm_seat_fails();
  tm_seat_set(s->thread, s);
  s->thread->who.is_library = s->thread->ground.keeps_going = true;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  s->thread->ground.attention = tm_attention(s->thread);
  tm_stack_unblock();
  for (;;) {
    if (s->discards) discard(s);
    else go_on(s);
    tm_turn_wait(s);
    if (tm_control_is_given_up(s)) tm_seat_stay();
  }
}

TM_GATE_CODE_END
#endif
