/* Controlled scheduling: of the threads of an exploration exactly one goes on, and Swift says which
 * (DESIGN: the Scheduler). One exploration at a time; a run of its body is a schedule. */
#ifndef THREADMILL_CONTROL_H
#define THREADMILL_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* The kind of step that a flow is about to make, numbered as `OperationKind` is. */
typedef enum tm_step_kind {
  TM_STEP_LOCK = 0, /* enabled once it can have the object; so is whatever waits */
  TM_STEP_TRY = 1,
  TM_STEP_SHARE = 2,
  TM_STEP_UNLOCK = 3,
  TM_STEP_WAIT = 4,
  TM_STEP_SIGNAL = 5,
  TM_STEP_BROADCAST = 6,
  TM_STEP_SUBMIT = 7, /* to a queue */
  TM_STEP_BEGIN = 8,  /* a thread, a block or a job */
  TM_STEP_SPAWN = 10, /* a thread */
  TM_STEP_JOIN = 11,
  TM_STEP_SLEEP = 12,
  TM_STEP_YIELD = 13,
  TM_STEP_POINT = 14, /* one that the program names */
  TM_STEP_READ = 15,  /* memory; only where accesses are wrapped */
  TM_STEP_WRITE = 16,
  TM_STEP_UPDATE = 17, /* an atomic access that may change the value */
  TM_STEP_ONCE = 18,
  TM_STEP_ENTER = 19, /* a group */
  TM_STEP_LEAVE = 20,
  TM_STEP_SUSPEND = 21, /* a queue */
  TM_STEP_RESUME = 22,
  TM_STEP_CANCEL = 23,
  TM_STEP_HOP = 26, /* of a task to another actor, or away from one */
} tm_step_kind;

/* One that can go on: the image of an `Offer`. Flows and objects are numbered as they come in the
 * schedule, so that equal choices lead to equal numbers; object 0 is none. */
typedef struct tm_offer {
  uint64_t object;
  uint32_t flow;
  uint8_t kind; /* tm_step_kind */
  bool writes;
} tm_offer;

/* The way in which a schedule ended. */
typedef enum tm_schedule_end {
  TM_SCHEDULE_OVER, /* nothing can go on, now or later */
  TM_SCHEDULE_LONG, /* more steps than allowed */
  /* The flow with the turn made no step for longer than allowed, and was given up. */
  TM_SCHEDULE_STUCK,
  TM_SCHEDULE_FULL,     /* more flows than there is room for */
  TM_SCHEDULE_UNSEATED, /* the system starts no thread for a flow */
} tm_schedule_end;

typedef struct tm_schedule_result {
  tm_schedule_end end;
  uint64_t steps;      /* points at which somebody was chosen */
  uint64_t passed;     /* operations that were not under control */
  uint32_t unfinished; /* that began and can never go on */
  /* Of a schedule that ended stuck: the flow that had the turn, and the kept stack of its place. */
  uint32_t stuck, stuck_at;
} tm_schedule_result;

/* Called by whoever has the baton, inside the harness: TSan sees nothing of it. Between schedules
 * that need not be the caller. */
typedef struct tm_director {
  void *context;
  uint64_t steps;    /* allowed in a schedule */
  uint32_t patience; /* seconds of real time that may pass without a step; 0: for ever */
  bool doubts;       /* the first time that nothing can go on: somebody outside may help yet */
  /* False: no more schedules. */
  bool (*begin)(void *context);
  /* Called by the caller, also for schedules ahead, and for some that there are not after all:
   * those are run when everything is over, under nobody's control. Submits one piece of work, with
   * which a schedule begins, and which asks `tm_control_begin_body` first. */
  void (*launch)(void *context);
  /* Which one of `enabled` (at least one, in order of their numbers) goes on. `running` is the
   * place of the one that came here, or -1 if it cannot go on. */
  uint32_t (*choose)(void *context, const tm_offer *enabled, uint32_t count, int32_t running);
  void (*ended)(void *context, const tm_schedule_result *);
  /* There are no more schedules, and other explorations wait yet. */
  void (*over)(void *context);
} tm_director;

/* Runs schedules until `begin` says no. False where that cannot be: nothing is watched, or this is
 * inside an exploration. One at a time. */
bool tm_control(const tm_director *);
/* Begins the body: the steps of its launch do not count as steps of the schedule. Returns false if
 * the schedule has nothing to do any more. */
bool tm_control_begin_body(void);
/* Threads that were left where they can never go on, by all schedules of this process. */
uint32_t tm_control_parked(void);
/* Whether this thread is a flow of an exploration, and runs the user's code; and whatever it runs.
 */
bool tm_is_controlled(void);
bool tm_is_exploring(void);
/* A kind of call that this exploration did not control, with the first places of many. */
typedef struct tm_passed {
  const char *name; /* of the function that was called, or what it was */
  uint64_t count;
  const uintptr_t *places; /* return addresses, innermost first */
  uint32_t place_count;
} tm_passed;
typedef void (*tm_passed_visitor)(const tm_passed *, void *context);
void tm_control_passed_each(tm_passed_visitor, void *context);

/* A stack that a result names. */
const uintptr_t *tm_control_stack(uint32_t index, uint32_t *count);

/* The body has come to its end: no timer repeats any more. */
void tm_control_body_over(void);
/* So many threads, blocks and jobs one schedule can have. */
uint32_t tm_control_most_flows(void);

#endif
