#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "control/timer_files.h"
#include "control/world.h"
#include "ground/brackets.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

/* The table of flows: which flows exist, which of them can go on, and which one goes on next. The
 * other files of the Scheduler make and find flows here. At a step, the thread with the turn
 * asks `tm_control_choose` for the next flow; seats.c hands the turn over. */

enum { FLOWS = 1 << 16 }; /* the most flows of one schedule */

static uint32_t flow_count;
static uint32_t live_count; /* length of `live` */

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

void tm_flows_forget(void) {
  flow_count = live_count = 0;
  tm_world_now.made = NULL;
}
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
  tm_world_now.made = f;
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

void tm_flow_forget(tm_flow *f) {
  f->state = TM_FLOW_OVER;
  for (uint32_t i = 0; i < live_count; i++) {
    if (live[i] != f) continue;
    live_count--;
    for (; i < live_count; i++) live[i] = live[i + 1];
    return;
  }
}

/* Virtual time. */

uint64_t tm_control_now(void) { return tm_world_now.now; }
void tm_control_advance(uint64_t nanoseconds) { tm_world_now.now += nanoseconds; }

static bool is_sooner(tm_flow *f, void *context) {
  uint64_t *next = context;
  if (f->due > tm_world_now.now && (!*next || f->due < *next)) *next = f->due;
  return true;
}

uint64_t tm_time_next(void) {
  uint64_t next = tm_timer_files_due();
  tm_flows_each(is_sooner, &next);
  return next;
}

bool tm_time_pass(uint64_t most) {
  uint64_t next = tm_time_next(), now = tm_world_now.now;
  if (next > now) tm_world_now.now = next - now > most ? now + most : next;
  return next != 0;
}

uint64_t tm_control_let_time_pass(uint64_t most) {
  uint64_t next = tm_time_next(), now = tm_world_now.now;
  bool passes = next > now && next - now <= most && tm_time_pass(most);
  return passes ? next - now : 0;
}

/* Choosing. */

tm_answer tm_flow_can(const tm_flow *f) {
  tm_answer answer = f->can ? f->can(f) : TM_YES;
  bool in_line = f->state == TM_FLOW_NEW && f->ticket.lane;
  return answer == TM_YES && in_line && !tm_lane_admits(&f->ticket) ? TM_NO : answer;
}

/* Returns whether virtual time has reached the time limit of the flow's wait: the flow can then go
 * on although `tm_flow_can` says no. A new flow has no such limit: its `due` is the time at which
 * it joins its queue's line, and from then on it waits until the queue admits it. */
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

/* The object of a flow that goes on behind a submission is what it submitted, which has a number
 * above those of all other objects. */
static uint64_t number_offered(tm_flow *f) {
  if (f->kind != TM_STEP_ON) return number_of_object(f);
  return TM_OFFERS_FLOW | ((const tm_flow *)f->with)->number;
}

static uint32_t flow_place(tm_flow *f) {
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
  bool leads = tm_lines_are_led_to();
  *count = 0;
  for (uint32_t i = 0; i < live_count; i++) {
    tm_flow *f = live[i];
    if (tm_flow_can(f) == TM_NO && !is_due(f)) continue;
    if (f == here) place = (int32_t)*count;
    uint16_t lines = TM_UNLIKELY(leads) ? tm_flow_lines(f) : 0;
    offers[*count] = (tm_offer){number_offered(f), f->number, (uint8_t)tm_flow_step(f),
                                writes(f), lines, flow_place(f)};
    offerers[(*count)++] = i;
  }
  return place;
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

/* Takes one of the flows that can go on, all of which are in `offerers`. */
static void note_yield(tm_flow *f, uint32_t count) {
  tm_yielders who = {.count = count};
  for (uint32_t i = 0; i < count && tm_flow_yields(f); i++) {
    const tm_flow *one = live[offerers[i]];
    who.busy |= !tm_flow_yields(one);
    who.tasks |= one->is_yield || one->back > 0;
  }
  tm_yields_note(f, &who);
}

/* Returns the place of the flow that goes on by turns after a schedule was cut: the next one by its
 * number, after the one that went before. TM_CHOOSE_NONE: it is enough. */
static uint32_t next_by_turns(uint32_t count) {
  enum { TURNS = 1000 };
  static uint32_t last; /* the number of the flow */
  if (tm_world_now.turns++ > TURNS) return TM_CHOOSE_NONE;
  uint32_t next = 0;
  for (uint32_t i = count; i-- > 0;)
    if (offers[i].flow > last) next = i;
  last = offers[next].flow;
  return next;
}

/* Ends the schedule as one with too many steps. What the flows do from now on is of no schedule. A
 * program has a process for each schedule, and so leaves no queue to another one. */
static uint32_t cut(uint32_t count) {
  tm_world_now.result.end = TM_SCHEDULE_LONG;
  if (!tm_world_now.director.cut) return TM_CHOOSE_NONE;
  tm_world_now.turns = 1;
  tm_world_now.director.cut(tm_world_now.director.context);
  return next_by_turns(count);
}

/* Returns the place of the flow that goes on; TM_CHOOSE_NONE: none; TM_CHOOSE_AGAIN: time has
 * passed, and other flows can go on. */
static uint32_t ask_director(uint32_t count, int32_t place) {
  const tm_director *director = &tm_world_now.director;
  tm_world_now.steps++;
  if (TM_UNLIKELY(tm_world_now.turns)) return next_by_turns(count);
  if (++tm_world_now.result.steps > director->steps) return cut(count);
  uint32_t chosen = director->choose(director->context, offers, count, place);
  if (TM_LIKELY(chosen < count)) return chosen;
  if (chosen == TM_CHOOSE_NONE) return cut(count);
  if (chosen != TM_CHOOSE_AGAIN) return 0;
  tm_world_now.result.steps--; /* nobody has made one */
  return chosen;
}

/* After a cut nobody waits for what comes from outside. */
static bool goes_further(void) {
  return tm_world_now.turns ? tm_time_pass(UINT64_MAX) : tm_standstill_ends();
}

static tm_flow *choose(const tm_seat *s, tm_flow *here) {
  uint32_t count, chosen;
  int32_t place;
  if (tm_world_now.result.end == TM_SCHEDULE_FULL) return NULL;
  do {
    do {
      tm_timer_files_expire();
      place = ask_all(here, &count);
    } while (count == 0 && goes_further());
    if (count == 0) return NULL;
    chosen = ask_director(count, place);
  } while (TM_UNLIKELY(chosen == TM_CHOOSE_AGAIN));
  if (chosen == TM_CHOOSE_NONE || (s && TM_UNLIKELY(tm_control_is_given_up(s)))) return NULL;
  tm_flow *f = live[offerers[chosen]];
  tm_answer answer = tm_flow_can(f);
  f->timed_out = answer == TM_NO, f->outside |= answer == TM_OUTSIDE;
  if (f->number != tm_world_now.last) tm_world_now.last = f->number, tm_world_now.hand_overs++;
  note_yield(f, count);
  if (f->kind != TM_STEP_READ && f->kind != TM_STEP_YIELD) tm_world_now.changes++;
  if (TM_UNLIKELY(tm_memory_is_weak)) tm_memory_synchronise(f, f->kind);
  return f;
}

tm_flow *tm_control_choose(tm_thread *t, tm_flow *here, bool stays) {
  if (stays && tm_flow_can(here) == TM_YES) return here;
  t->ground.inside++;
  tm_quiet before = tm_quiet_begin();
  tm_flow *f = choose(t->control.seat, here);
  tm_quiet_end(before);
  t->ground.inside--;
  return f;
}

TM_GATE_CODE_END
#endif
