#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "control/clocks.h"
#include "control/model.h"
#include "control/world.h"
#include "ground/brackets.h"
#include "ground/now.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "threadmill_control.h"
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* The table of flows: which flows exist, which of them can go on, and which one goes on next. The
 * other files of the Scheduler make and find flows here. At a step, the thread with the turn
 * asks `tm_control_choose` for the next flow; seats.c hands the turn over. */

enum { FLOWS = 1 << 16 }; /* the most flows of one schedule */

static uint32_t flow_count;
static uint32_t live_count; /* length of `live` */
static uint32_t yields;     /* how many yields in a row were chosen */

static tm_flow *flows;     /* by number; this array and the next ones have FLOWS places */
static tm_flow **live;     /* the flows that are not over, in order of their numbers */
static tm_offer *offers;   /* the choices that Swift gets */
static uint32_t *offerers; /* for each offer, the place of its flow in `live` */

bool tm_flows_prepare(void) {
  if (flows) return true;
  flows = tm_map(FLOWS * sizeof *flows);
  live = tm_map(FLOWS * sizeof *live);
  offers = tm_map(FLOWS * sizeof *offers);
  offerers = tm_map(FLOWS * sizeof *offerers);
  return flows && live && offers && offerers;
}

void tm_flows_forget(void) { flow_count = live_count = yields = 0; }
uint32_t tm_control_most_flows(void) { return FLOWS; }
uint32_t tm_flows_made(void) { return flow_count; }
tm_flow *tm_flow_at(uint32_t number) { return &flows[number]; }

tm_flow *tm_flow_make(tm_step_kind kind, const void *object) {
  if (flow_count == FLOWS) {
    tm_world_now.result.end = TM_SCHEDULE_FULL;
    return NULL;
  }
  tm_flow *f = &flows[flow_count];
  *f = (tm_flow){.number = flow_count++, .kind = (uint8_t)kind, .object = object};
  live[live_count++] = f;
  return f;
}

void tm_flows_each(tm_flow_visitor visit, void *context) {
  for (uint32_t i = 0; i < live_count; i++)
    if (!visit(live[i], context)) return;
}

tm_flow *tm_flow_of_thread(pthread_t handle) {
  for (uint32_t i = 0; i < live_count; i++) {
    const tm_seat *s = live[i]->seat;
    if (s && s->is_thread && s->handle == handle) return live[i];
  }
  return NULL;
}

uint64_t tm_control_now(void) { return tm_world_now.now; }
void tm_control_advance(uint64_t nanoseconds) { tm_world_now.now += nanoseconds; }

void tm_flow_forget(tm_flow *f) {
  f->state = TM_FLOW_OVER;
  for (uint32_t i = 0; i < live_count; i++) {
    if (live[i] != f) continue;
    live_count--;
    for (; i < live_count; i++) live[i] = live[i + 1];
    return;
  }
}

/* Choosing. */

/* Returns whether the flow can go on now, time limits aside. A new flow in a queue's line also
 * needs the queue to admit it. */
static tm_answer can(const tm_flow *f) {
  tm_answer answer = f->can ? f->can(f) : TM_YES;
  bool in_line = f->state == TM_FLOW_NEW && f->ticket.lane;
  return answer == TM_YES && in_line && !tm_lane_admits(&f->ticket) ? TM_NO : answer;
}

/* Returns whether virtual time has reached the time limit of the flow's wait: the flow can then go
 * on although `can` says no. A new flow has no such limit: its `due` is the time at which it joins
 * its queue's line, and from then on it waits until the queue admits it. */
static bool is_due(const tm_flow *f) {
  return f->state == TM_FLOW_HERE && f->due && f->due <= tm_world_now.now;
}

static uint32_t number_of_object(tm_flow *f) {
  if (f->numbered != f->object) {
    f->numbered = f->object;
    f->object_number = tm_control_number(f->object);
  }
  return f->object_number;
}

static uint32_t place_of(tm_flow *f) {
  if (f->numbered_place != f->place) {
    f->numbered_place = f->place;
    f->place_number = tm_control_place_number(f->place);
  }
  return f->place_number;
}

/* Returns whether the step may change its object. A loop that spins yields at its reads. */
static bool writes(const tm_flow *f) {
  return f->kind != TM_STEP_SHARE && f->kind != TM_STEP_READ &&
         !(f->kind == TM_STEP_YIELD && f->object);
}

/* Writes an offer for each flow that can go on into `offers`, and their number into `count`.
 * Returns the place of `here` among them, or -1. */
static int32_t ask_all(const tm_flow *here, uint32_t *count) {
  int32_t place = -1;
  *count = 0;
  for (uint32_t i = 0; i < live_count; i++) {
    tm_flow *f = live[i];
    if (can(f) == TM_NO && !is_due(f)) continue;
    if (f == here) place = (int32_t)*count;
    offers[*count] = (tm_offer){number_of_object(f), f->number, f->kind, writes(f), place_of(f)};
    offerers[(*count)++] = i;
  }
  return place;
}

/* Returns the next moment at which a flow's time limit or a timer ends; 0: there is none. */
static uint64_t next_due(void) {
  uint64_t next = tm_clocks_due();
  for (uint32_t i = 0; i < live_count; i++)
    if (live[i]->due > tm_world_now.now && (!next || live[i]->due < next)) next = live[i]->due;
  return next;
}

/* Advances virtual time to the next moment at which something is due. Returns false if there is
 * none. */
static bool pass_time(void) {
  uint64_t next = next_due();
  if (next > tm_world_now.now) tm_world_now.now = next;
  return next != 0;
}

uint32_t tm_flows_unfinished(void) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < live_count; i++) count += live[i]->state == TM_FLOW_HERE;
  return count;
}

uint32_t tm_flows_parked(void) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < live_count; i++)
    count += live[i]->state == TM_FLOW_HERE && !live[i]->aside;
  return count;
}

/* Called when no flow can go on. Waits for a thread outside the exploration to change that, and
 * returns whether one did. Waits up to a second if such a thread has helped before, or if this
 * schedule made a call that is not under control, or a thread that is not. Else waits up to a tenth
 * of a second, and that only the first time in an exploration that `doubts`. Does not wait if no
 * flow has begun. */
static bool wait_for_others(void) {
  enum { LOOKS = 1000, FIRST_LOOKS = 100, MILLISECOND = 1000000 };
  if (!tm_flows_unfinished()) return false;
  bool known = tm_world_now.helped || tm_world_now.released ||
               tm_control_passed_count() != tm_world_now.passed;
  int looks = known ? LOOKS : tm_world_now.stood_still ? 0 : FIRST_LOOKS;
  tm_world_now.stood_still = true;
  for (int i = 0; i < looks; i++) {
    for (uint32_t at = 0; at < live_count; at++)
      if (can(live[at]) != TM_NO) return live[at]->outside = tm_world_now.helped = true;
    struct timespec rest = {0, MILLISECOND};
    syscall(SYS_nanosleep, &rest, NULL);
  }
  return false;
}

/* What comes from outside of the process. */

/* Returns the flow that can be helped from farthest away; NULL if no flow waits for a file. */
static tm_flow *farthest(tm_reach *reach) {
  tm_flow *found = NULL;
  *reach = TM_REACH_INSIDE;
  for (uint32_t i = 0; i < live_count; i++) {
    if (live[i]->state != TM_FLOW_HERE || !live[i]->reach) continue;
    tm_reach one = live[i]->reach(live[i]);
    if (found && one <= *reach) continue;
    found = live[i];
    *reach = one;
  }
  return found;
}

static bool any_can(void) {
  for (uint32_t i = 0; i < live_count; i++)
    if (can(live[i]) != TM_NO) return live[i]->outside = true;
  return false;
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
  uint64_t most = MINUTE * 1000000000ull, next = next_due();
  uint64_t due = next > tm_world_now.now ? next - tm_world_now.now : 0;
  if (look_for(next && due < most ? due : most) || pass_time()) return true;
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
  enum { LOOKS = 20, MILLISECOND = 1000000 };
  for (int i = 0; i < LOOKS && tm_network_is_busy(); i++)
    if (look_for(MILLISECOND)) return true;
  return any_can();
}

static tm_flow *any_waiting(void) {
  for (uint32_t i = 0; i < live_count; i++)
    if (live[i]->state == TM_FLOW_HERE && !live[i]->aside) return live[i];
  return NULL;
}

/* Called when no flow can go on. Returns whether one can now, or virtual time has passed. While the
 * process has children, a library's own thread may wait for one, and then wake a flow. */
static bool go_further(void) {
  if (tm_control_is_body_over()) return pass_time() || wait_for_others();
  tm_reach reach;
  const tm_flow *f = farthest(&reach);
  if (reach != TM_REACH_OUTSIDE && tm_has_children()) f = any_waiting();
  else if (reach == TM_REACH_LATE && settle()) return true;
  else if (reach != TM_REACH_OUTSIDE) f = NULL;
  return f ? wait_outside(f) : pass_time() || wait_for_others();
}

/* Advances virtual time after a long row of yields, more than twice as many as flows can go on: the
 * flows then seem to wait in a loop for a flow whose time has not come. */
static void note_yield(tm_step_kind kind, uint32_t count) {
  yields = kind == TM_STEP_YIELD ? yields + 1 : 0;
  if (yields <= 2 * count) return;
  yields = 0;
  pass_time();
}

static tm_flow *choose(const tm_seat *s, tm_flow *here) {
  uint32_t count;
  int32_t place;
  if (tm_world_now.result.end == TM_SCHEDULE_FULL) return NULL;
  do {
    tm_clocks_expire();
    place = ask_all(here, &count);
  } while (count == 0 && go_further());
  if (count == 0) return NULL;
  tm_world_now.steps++;
  if (++tm_world_now.result.steps > tm_world_now.director.steps) {
    tm_world_now.result.end = TM_SCHEDULE_LONG;
    return NULL;
  }
  const tm_director *director = &tm_world_now.director;
  uint32_t chosen = director->choose(director->context, offers, count, place);
  if (s && TM_UNLIKELY(tm_control_is_given_up(s))) return NULL;
  if (TM_UNLIKELY(chosen == TM_CHOOSE_NONE)) {
    tm_world_now.result.end = TM_SCHEDULE_LONG;
    return NULL;
  }
  tm_flow *f = live[offerers[chosen < count ? chosen : 0]];
  tm_answer answer = can(f);
  f->timed_out = answer == TM_NO, f->outside |= answer == TM_OUTSIDE;
  note_yield(f->kind, count);
  if (f->kind != TM_STEP_READ && f->kind != TM_STEP_YIELD) tm_world_now.changes++;
  if (TM_UNLIKELY(tm_memory_is_weak)) tm_memory_synchronise(f, f->kind);
  return f;
}

tm_flow *tm_control_choose(tm_thread *t, tm_flow *here, bool stays) {
  if (stays && can(here) == TM_YES) return here;
  t->ground.inside++;
  tm_quiet before = tm_quiet_begin();
  tm_flow *f = choose(t->control.seat, here);
  tm_quiet_end(before);
  t->ground.inside--;
  return f;
}

TM_GATE_CODE_END
#endif
