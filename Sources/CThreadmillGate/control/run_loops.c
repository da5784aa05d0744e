#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "control/world.h"
#include "ground/now.h"
#include "ground/real.h"
#include "strand/thread.h"

TM_GATE_CODE_BEGIN

/* The wait of a run loop: until another flow stops the loop, or for a while of virtual time.
 * Meanwhile the main queue is open, so that its work runs on another seat, as the main thread would
 * run it in the loop. */

typedef struct run_pause {
  const void *loop;
  bool is_stopped;
} run_pause;

static tm_answer is_pause_over(const tm_flow *f) {
  return ((const run_pause *)f->with)->is_stopped ? TM_YES : TM_NO;
}

/* Takes the main queue back. Work that was submitted to it before comes first. */
static void stand_in_line_again(tm_seat *s, tm_ticket *ticket) {
  tm_lane_join(ticket, ticket->queue, ticket->barrier);
  tm_control_await_lane(s, ticket);
}

/* XCTest runs its loop for a tenth of a second, again and again, until a test that awaits something
 * has ended, or for thirty days. While nobody else makes a step, each of these waits is as long as
 * all before it, up to half of the time until something is due. After an hour of that, nothing ever
 * happens: the schedule ends. */
static struct {
  uint64_t hand_overs, since;
} alone;

void tm_run_loops_forget(void) {
  alone.hand_overs = 0;
  tm_world_now.stands_still = false;
}

/* Returns the moment at which the wait ends; 0: never. */
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

bool tm_control_waits_in_run_loop(const void *loop, uint64_t nanoseconds, uintptr_t place) {
  tm_seat *s = tm_seat_here();
  if (!s || !s->flow) return false;
  uint64_t due = end_of_wait(nanoseconds);
  tm_ticket *ticket = tm_control_is_on(tm_main_queue) ? &s->flow->ticket : NULL;
  run_pause here = {.loop = loop};
  tm_seat_stops(s, place);
  if (ticket) tm_lane_leave(ticket);
  tm_world_now.stands_still = due == 0;
  tm_control_step(s, due ? TM_STEP_SLEEP : TM_STEP_WAIT, NULL, is_pause_over, &here, due);
  tm_world_now.stands_still = false;
  if (ticket) stand_in_line_again(s, ticket);
  return true;
}

static bool stop(tm_flow *f, void *loop) {
  run_pause *waits = f->can == is_pause_over ? (run_pause *)f->with : NULL;
  if (waits && waits->loop == loop) waits->is_stopped = true;
  return true;
}

void tm_control_stops_run_loop(const void *loop) {
  if (tm_seat_here()) tm_flows_each(stop, (void *)loop);
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
