/* State and functions that the files of the Scheduler share: control.c runs schedules, flows.c
 * knows which flows can go on and chooses one, seats.c hands the baton over. */
#ifndef TM_CONTROL_WORLD_H
#define TM_CONTROL_WORLD_H
#include "control/model.h"
#include "ground/thread.h"
#include "threadmill_control.h"

typedef struct tm_world {
  tm_director director;
  tm_schedule_result result;
  uint64_t steps;  /* of all schedules; read without the baton, to see whether anything moves */
  uint64_t now;    /* virtual */
  uint64_t readings; /* of its clocks, in this schedule */
  uint64_t changes; /* steps that may have changed something, of all schedules */
  uint64_t hand_overs; /* steps by another flow than the one before, of all schedules */
  uint32_t last; /* the number of the flow that made the last step */
  const tm_flow *made; /* the flow made last, since the last step of any flow; NULL: none */
  uint64_t passed; /* calls not under control, before this schedule */
  uint32_t parked; /* threads that can never go on, of all schedules of the process */
  tm_flow *without_seat; /* a flow that needs a new seat from the caller */
  /* In this exploration, no flow could go on at some time; in this process, a thread outside then
   * helped. */
  bool stood_still, helped;
  bool stands_still; /* nothing happens until a flow can go on that cannot go on now */
  bool released; /* in this schedule, a flow started a thread outside */
  uint32_t turns; /* steps by turns since the schedule was cut, plus 1; 0: it is not cut */
} tm_world;
extern tm_world tm_world_now;

/* Flows. */
bool tm_flows_prepare(void);
void tm_flows_forget(void); /* a schedule begins */
uint32_t tm_flows_made(void);
tm_flow *tm_flow_at(uint32_t number);
uint32_t tm_flows_unfinished(void);
uint32_t tm_flows_parked(void); /* those of them that have a thread */
/* Returns whether the flow can go on now, time limits aside. A new flow in a queue's line also
 * needs the queue to admit it. */
tm_answer tm_flow_can(const tm_flow *);
/* Called when no flow can go on. Returns whether one can now, or virtual time has passed. */
bool tm_standstill_ends(void);
/* Returns the flow that goes on, NULL if none can. If `stays`, the flow that is here goes on if it
 * can. Calls up to Swift for the decision; the calls that Swift makes there are no points, and TSan
 * does not see them. */
tm_flow *tm_control_choose(tm_thread *, tm_flow *here, bool stays);

/* Virtual time. Returns the next moment at which a flow's time limit or a timer ends; 0: there is
 * none. */
uint64_t tm_time_next(void);
/* Advances virtual time to that moment, or by `most` nanoseconds if that is less. Returns false if
 * there is no such moment. */
bool tm_time_pass(uint64_t most);

/* Returns whether a flow waits for what may come from outside of the process. */
bool tm_may_be_helped(void);
void tm_run_loops_forget(void); /* a schedule begins */

/* Returns whether the exploration is led to lines of the program; see lines.c. */
bool tm_lines_are_led_to(void);
uint16_t tm_flow_lines(tm_flow *);

/* Yields; see yields.c. */
typedef struct tm_yielders {
  uint32_t count; /* the flows that can go on */
  bool busy;      /* one of them can do more than yield */
  bool tasks;     /* one of them is a task that yields */
} tm_yielders;
void tm_yields_forget(void); /* a schedule begins */
bool tm_flow_yields(const tm_flow *);
/* Returns the kind of the flow's next step, as strategies get it. */
tm_step_kind tm_flow_step(const tm_flow *);
/* The flow was chosen among these. Virtual time may pass. */
void tm_yields_note(tm_flow *, const tm_yielders *);

/* The baton: the turn of a seat. `tm_turn_wait_within` returns false if the limit has passed. */
void tm_turn_give(tm_seat *);
void tm_turn_wait(tm_seat *);
bool tm_turn_wait_within(tm_seat *, const struct timespec *limit);
tm_seat *tm_turn_holder(void);
/* Ends the schedule, because the gate has no record for the thread that has got the turn. */
__attribute__((noreturn)) void tm_seat_fails(void);
/* A thread that has lost the turn for good stays here. */
__attribute__((noreturn)) void tm_seat_stay(void);

/* Idle seats. A new one runs `body` on a thread of its own; NULL: out of memory. */
tm_seat *tm_seat_new(void *(*body)(void *seat));
bool tm_seat_can_have(const tm_seat *, const tm_flow *);
tm_seat *tm_seat_take_idle(const tm_flow *);
void tm_seat_rest(tm_seat *);
/* Readies the seat for a step. Returns false if its flow was given up. */
bool tm_seat_stand_still(tm_seat *);
/* Chooses the next flow when this one, a task at its switch, is set aside. */
tm_flow *tm_control_choose_at_switch(tm_thread *, tm_flow *);

/* The seat of the thread that explores: it has the baton between schedules, unless another seat
 * goes on with the next schedule. */
extern tm_seat tm_control_caller;
/* Gives the baton to the flow's own seat, or to an idle one. If there is none, the caller makes
 * one: to TSan, a thread's work before it creates another thread happens before that thread's work,
 * and no two flows may be ordered by chance. NULL: the schedule is over. */
void tm_control_hand_over(tm_flow *to);
/* The caller waits for the turn to come back. */
void tm_control_attend(void);
/* Called by the thread that ran the last flow of a schedule. If the next schedule is launched
 * already, begins it and returns its first flow. NULL: the caller has to go on. */
tm_flow *tm_control_relay(tm_thread *);
/* Runs a launched flow for which there is no schedule, without control. Returns when the turn is
 * back. */
void tm_control_discard(tm_flow *);
#endif
