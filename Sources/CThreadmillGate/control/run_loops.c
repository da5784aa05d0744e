#ifdef __linux__
#include "ground/base.h"
#include "control/files.h"
#include "control/model.h"
#include "control/run_loops.h"
#include "control/world.h"
#include "ground/now.h"
#include "ground/real.h"
#include "strand/thread.h"

TM_GATE_CODE_BEGIN

/* Run loops. CoreFoundation's own code runs them, with its timers, sources and blocks. It waits in
 * one place, for one set of files, and waits here instead. Meanwhile the main queue is open, so
 * that its work runs on another seat, as the main thread would run it in the loop. */

/* XCTest runs its loop for a tenth of a second, again and again, until a test that awaits something
 * has ended, or for thirty days. While nobody else makes a step, each of these waits is as long as
 * all before it, up to half of the time until something is due. After an hour of that, nothing ever
 * happens: the schedule ends. */
static struct {
  uint64_t hand_overs, since;
} alone;

/* The waits of the main loop, which leave the main queue to others. */
static uint32_t main_waits;

void tm_run_loops_forget(void) {
  alone.hand_overs = 0;
  main_waits = 0;
  tm_world_now.stands_still = false;
}

/* Returns the moment at which a wait of XCTest's ends; 0: never. */
static uint64_t end_of_wait(uint64_t nanoseconds) {
  static const uint64_t HOUR = 3600ull * TM_SECOND;
  uint64_t now = tm_control_now(), next = tm_time_next();
  if (alone.hand_overs != tm_world_now.hand_overs || tm_may_be_helped()) {
    alone.hand_overs = tm_world_now.hand_overs;
    alone.since = now;
  }
  uint64_t waited = now - alone.since, most = next > now ? (next - now) / 2 : HOUR;
  if (waited > HOUR) return 0;
  uint64_t longer = waited < most ? waited : most;
  return now + (longer > nanoseconds ? longer : nanoseconds) + 1;
}

/* Leaves the main queue, and takes it back. Work that was submitted to it before comes first. */
static void open_main(const tm_ticket *ticket) {
  if (!ticket) return;
  main_waits++;
  tm_lane_leave((tm_ticket *)ticket);
}

static void close_main(tm_seat *s, tm_ticket *ticket) {
  if (!ticket) return;
  tm_lane_join(ticket, ticket->queue, ticket->barrier);
  tm_control_await_lane(s, ticket);
  main_waits--;
}

bool tm_control_is_outermost(void) { return tm_control_is_on(tm_main_queue) && !main_waits; }

/* The step of a wait that ends at `due`, or never. Returns false if that ended it. */
static bool pause_until(tm_seat *s, uint64_t due, tm_question question, const void *with) {
  return tm_control_step(s, due ? TM_STEP_SLEEP : TM_STEP_WAIT, NULL, question, with, due);
}

/* A run of a run loop. */

typedef struct run_wait {
  int file;
  bool once;
  uint32_t begun; /* work on the main queue, before the wait */
} run_wait;

static tm_answer is_run_awake(const tm_flow *f) {
  const run_wait *w = f->with;
  if (w->once && tm_lane_begun(tm_main_queue) != w->begun) return TM_YES;
  return tm_is_ready(w->file, POLLIN) ? TM_YES : TM_NO;
}

static tm_reach reach_of_run(const tm_flow *f) {
  return tm_file_reach(((const run_wait *)f->with)->file, false);
}

/* Like a sleep, a run takes a little longer than it has to, so that a date in floating point that a
 * program waits for has passed. */
void tm_control_enters_run_loop(tm_loop_run *run, double seconds) {
  static const double MOST = 1e9;
  tm_seat *s = tm_seat_here();
  if (seconds > 0 && seconds < MOST) {
    uint64_t rest = (uint64_t)(seconds * (double)TM_SECOND) + 2 * TM_MICROSECOND;
    run->due = (tm_control_now() + rest) / TM_MICROSECOND * TM_MICROSECOND;
  }
  run->patient = s->patient, s->patient = false;
  if (!run->patient) {
    tm_seat_stops(s, run->place);
    tm_control_point(s, TM_STEP_WAIT, NULL);
  }
  s->point = false;
  run->outer = s->flow->run;
  s->flow->run = run;
}

void tm_control_leaves_run_loop(const tm_loop_run *run) {
  tm_seat *s = tm_seat_here();
  if (s) s->flow->run = run->outer;
}

void tm_control_is_patient(bool is) {
  tm_seat *s = tm_seat_here();
  if (s) s->patient = is;
}

static tm_loop_end wait_in(tm_seat *s, const tm_loop_run *run, int file) {
  uint64_t due = run->due, now = tm_control_now();
  if (run->patient) due = end_of_wait(due > now ? due - now : 0);
  tm_ticket *ticket = run->main ? &s->flow->ticket : NULL;
  tm_seat_stops(s, run->place);
  open_main(ticket);
  run_wait w = {file, run->main && run->once && !run->patient, tm_lane_begun(tm_main_queue)};
  s->flow->reach = reach_of_run;
  tm_world_now.stands_still = run->patient && due == 0;
  bool in_time = pause_until(s, due, is_run_awake, &w);
  tm_world_now.stands_still = false;
  s->flow->reach = NULL;
  close_main(s, ticket);
  s->point = false;
  if (tm_is_ready(file, POLLIN)) return TM_LOOP_GOES_ON;
  return in_time ? TM_LOOP_HANDLED : TM_LOOP_TIMED_OUT;
}

bool tm_run_loop_waits(tm_seat *s, int file, bool may_wait) {
  tm_loop_run *run = s->flow->run;
  if (!run || s->point) return false;
  bool is_late = run->due && tm_control_now() >= run->due;
  if (!may_wait && !is_late) return false;
  tm_loop_end end = is_late ? TM_LOOP_TIMED_OUT : wait_in(s, run, file);
  if (end == TM_LOOP_GOES_ON) return true;
  run->end = end;
  run->stop(run->loop);
  return true;
}

/* A wait outside of CoreFoundation's code. */

typedef struct run_pause {
  const void *loop;
  bool is_stopped;
} run_pause;

static tm_answer is_pause_over(const tm_flow *f) {
  return ((const run_pause *)f->with)->is_stopped ? TM_YES : TM_NO;
}

void tm_control_waits_in_run_loop(const void *loop, uint64_t nanoseconds, uintptr_t place) {
  tm_seat *s = tm_seat_here();
  if (!s || !s->flow) return;
  uint64_t due = end_of_wait(nanoseconds);
  tm_ticket *ticket = tm_control_is_on(tm_main_queue) ? &s->flow->ticket : NULL;
  run_pause here = {.loop = loop};
  tm_seat_stops(s, place);
  open_main(ticket);
  tm_world_now.stands_still = due == 0;
  pause_until(s, due, is_pause_over, &here);
  tm_world_now.stands_still = false;
  close_main(s, ticket);
}

typedef struct stopped {
  const void *loop;
  bool runs;
} stopped;

static bool stop(tm_flow *f, void *context) {
  stopped *it = context;
  run_pause *waits = f->can == is_pause_over ? (run_pause *)f->with : NULL;
  if (waits && waits->loop == it->loop) waits->is_stopped = true;
  for (const tm_loop_run *run = f->run; run; run = run->outer) it->runs |= run->loop == it->loop;
  return true;
}

bool tm_control_stops_run_loop(const void *loop) {
  stopped it = {loop, false};
  tm_flows_each(stop, &it);
  return it.runs;
}

static tm_answer never_goes_on(const tm_flow *f) {
  (void)f;
  return TM_NO;
}

/* The main thread of a program that is explored waits until the process ends. Other seats run the
 * main queue's work, although libdispatch has not given the queue free. */
static void control_dispatch_main(void) {
  tm_seat *s = tm_seat_here();
  if (!s || !s->is_thread || s->flow->ticket.queue != tm_main_queue)
    return TM_TRUE(dispatch_main)();
  tm_main_queue_is_free = false;
  tm_lane_leave(&s->flow->ticket);
  s->flow->ticket.lane = NULL;
  tm_seat_stops(s, s->place);
  tm_control_step(s, TM_STEP_WAIT, tm_main_queue, never_goes_on, NULL, 0);
}

void tm_control_take_run_loops(struct tm_real *r) {
  r->dispatch_main = (void *)control_dispatch_main;
}

TM_GATE_CODE_END
#endif
