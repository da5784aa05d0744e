/* Controlled scheduling: exactly one thread of an exploration goes on at a time, and Swift chooses
 * it (DESIGN: the Scheduler). One exploration at a time; a run of its body is a schedule. */
#ifndef THREADMILL_CONTROL_H
#define THREADMILL_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* The kind of step that a flow is about to make, numbered as `OperationKind` is. */
typedef enum tm_step_kind {
  TM_STEP_LOCK = 0, /* enabled when it can have the object, like each step that waits */
  TM_STEP_TRY = 1,
  TM_STEP_SHARE = 2,
  TM_STEP_UNLOCK = 3,
  TM_STEP_WAIT = 4,
  TM_STEP_SIGNAL = 5,
  TM_STEP_BROADCAST = 6,
  TM_STEP_SUBMIT = 7, /* to a queue */
  TM_STEP_BEGIN = 8,  /* a thread, a block or a job */
  TM_STEP_END = 9,    /* of the program */
  TM_STEP_SPAWN = 10, /* a thread */
  TM_STEP_JOIN = 11,
  TM_STEP_SLEEP = 12,
  TM_STEP_YIELD = 13,
  TM_STEP_POINT = 14, /* a point that the program names */
  TM_STEP_READ = 15,  /* memory; only if accesses are wrapped */
  TM_STEP_WRITE = 16,
  TM_STEP_UPDATE = 17, /* an atomic access that may change the value */
  TM_STEP_ONCE = 18,
  TM_STEP_ENTER = 19, /* a group */
  TM_STEP_LEAVE = 20,
  TM_STEP_SUSPEND = 21, /* a queue */
  TM_STEP_RESUME = 22,
  TM_STEP_CANCEL = 23,
  TM_STEP_HOP = 26, /* of a task to another actor, or away from one */
  TM_STEP_RECEIVE = 27, /* takes something from a file */
  TM_STEP_SEND = 28,    /* gives something to a file, or makes it ready in another way */
  TM_STEP_CLOSE = 29,   /* a file */
  TM_STEP_ON = 30, /* to what follows the call that submitted work, or started a thread */
} tm_step_kind;

/* Added to the number of a flow that is the object of a step. */
#define TM_OFFERS_FLOW ((uint64_t)1 << 32)
/* A flow that can go on: the image of an `Offer`. Flows and objects are numbered as they come in
 * the schedule, so that equal choices lead to equal numbers; object 0 is none. Places are numbered
 * as they come in the exploration, so that one has the same number in all of its schedules; place 0
 * is not known. */
typedef struct tm_offer {
  uint64_t object;
  uint32_t flow;
  uint8_t kind; /* tm_step_kind */
  bool writes;
  uint16_t lines; /* a bit for each line of `tm_control_lead_to` that the flow stands at */
  uint32_t place;
} tm_offer;

/* A piece of the program's code, and a bit for each line that it is compiled from. */
typedef struct tm_line_code {
  uintptr_t low, high;
  uint16_t lines;
} tm_line_code;

/* From now on, offers say at which lines their flows stand: in a call there, or in a call of such a
 * call. The pieces are in the order of their addresses, do not overlap, and stay where they are. */
void tm_control_lead_to(const tm_line_code *pieces, uint32_t count);

/* The way in which a schedule ended. */
typedef enum tm_schedule_end {
  TM_SCHEDULE_OVER, /* nothing can go on, now or later */
  TM_SCHEDULE_LONG, /* more steps than allowed */
  /* The flow with the turn made no step for longer than allowed, and was given up. */
  TM_SCHEDULE_STUCK,
  TM_SCHEDULE_FULL,     /* more flows than there is room for */
  TM_SCHEDULE_UNSEATED, /* the system starts no thread for a flow */
  /* No flow can go on, and nothing came from outside of the process, for which one waits. */
  TM_SCHEDULE_OUTSIDE,
} tm_schedule_end;

typedef struct tm_schedule_result {
  tm_schedule_end end;
  uint64_t steps;      /* points at which a flow was chosen */
  uint64_t passed;     /* operations that were not under control */
  uint32_t unfinished; /* flows that began and can never go on */
  /* If the schedule ended stuck: the flow that had the turn, the kept stack of its place, and the
   * seconds that passed without a step. If it ended with OUTSIDE: the first two of the flow that
   * waits. */
  uint32_t stuck, stuck_at, stuck_for;
} tm_schedule_result;

enum { TM_CHOOSE_NONE = UINT32_MAX, TM_CHOOSE_AGAIN = UINT32_MAX - 1 };

/* An atomic access that the flow with the turn is about to make. */
typedef enum tm_atomic_kind {
  TM_ATOMIC_LOAD,
  TM_ATOMIC_STORE,
  TM_ATOMIC_EXCHANGE,
  TM_ATOMIC_COMPARE,
  TM_ATOMIC_ADD,
  TM_ATOMIC_SUBTRACT,
  TM_ATOMIC_AND,
  TM_ATOMIC_OR,
  TM_ATOMIC_XOR,
} tm_atomic_kind;

/* Swift has no name for a C integer of 16 bytes. */
typedef struct tm_wide {
  uint64_t low, high;
} tm_wide;

typedef struct tm_atomic {
  const volatile void *address;
  uint32_t size; /* in bytes */
  uint32_t flow;
  uint8_t kind;       /* tm_atomic_kind */
  int order, failure; /* as `memory_order`; the second of a comparison that fails */
  tm_wide operand, expected;
  tm_wide value; /* that memory has now; afterwards, if the model made the access: the result */
} tm_atomic;

/* Events that order memory without an atomic access. */
typedef enum tm_ordering {
  TM_ORDERS, /* by an operation such as taking a lock */
  TM_ENDS_JOB,
  TM_LEARNS_OF_ENDED_JOBS,
} tm_ordering;

/* Called by the thread that has the baton, inside the harness, so that TSan sees nothing. Between
 * schedules, that may be another thread than the caller of `tm_control`. */
typedef struct tm_director {
  void *context;
  uint64_t steps;    /* allowed in a schedule */
  uint32_t patience; /* seconds of real time that may pass without a step; 0: for ever */
  bool doubts;       /* when no flow can go on for the first time, waits for help from outside */
  bool sees_accesses; /* to memory: these are steps */
  /* Returns false if there are no more schedules. */
  bool (*begin)(void *context);
  /* Called on the thread that called `tm_control`, also ahead of time. Submits one piece of work,
   * with which a schedule begins, and which asks `tm_control_begin_body` first. If there is no
   * schedule for it after all, the work runs when everything is over, without control. */
  void (*launch)(void *context);
  /* Returns which one of `enabled` (at least one, in order of their numbers) goes on, or
   * TM_CHOOSE_NONE to end the schedule as one with too many steps, or TM_CHOOSE_AGAIN to be asked
   * again after `tm_control_let_time_pass`. `running` is the place of the flow that ran until now,
   * or -1 if it cannot go on. */
  uint32_t (*choose)(void *context, const tm_offer *enabled, uint32_t count, int32_t running);
  /* The memory model of the exploration; NULL: memory is what the machine says. All four are
   * called by the flow with the turn. `access` returns whether the model made the access: memory
   * then stays as it is. `order` says that a flow orders memory; `fence` that it passes a fence;
   * `forget` that what is at these addresses is something new. */
  bool (*access)(void *context, tm_atomic *);
  void (*order)(void *context, uint32_t flow, tm_ordering);
  void (*fence)(void *context, uint32_t flow, int order);
  void (*forget)(void *context, uintptr_t address, uint64_t size);
  /* The schedule has too many steps, or `choose` has ended it. Flows go on for a while, by turns
   * and without the director, so that blocks leave their queues: later schedules may need these.
   * NULL: they stay where they are, as those of a program. */
  void (*cut)(void *context);
  void (*ended)(void *context, const tm_schedule_result *);
  /* Called when there are no more schedules, while other explorations still wait. */
  void (*over)(void *context);
} tm_director;

/* For the director's `choose`: lets virtual time pass to the next moment at which something is due,
 * although flows can go on. Returns how many nanoseconds have passed; 0: there is no such moment,
 * or it is further away than `most`. */
uint64_t tm_control_let_time_pass(uint64_t most);

/* For the director's `access`: the stack of the flow that makes it, innermost first, with the
 * director's own frames. Returns the number of return addresses. */
uint32_t tm_memory_stack(uintptr_t *addresses, uint32_t limit);

/* Runs schedules until `begin` returns false. Returns false if it cannot run any: the gate does not
 * watch, the thread is inside an exploration, or memory is out. Explorations run one at a time. */
bool tm_control(const tm_director *);
/* Whole programs: `threadmill explore`. Each schedule has a process of its own, in which the main
 * thread is the first flow. */

/* The environment variable that asks for it. */
#define TM_PROGRAM_VARIABLE "THREADMILL_PROGRAM"
/* `hook` is called once, on the main thread, when libc is about to call the program's main
 * function. If it returns, the program ends. */
void tm_program_before_main(void (*hook)(void));
bool tm_program_is_explored(void);
void tm_program_starts(void);
/* Calls the program's main function, and ends the process as libc would. */
void tm_program_run(void) __attribute__((noreturn));
/* Ends the process as libc does when its last thread has ended. */
void tm_program_over(void) __attribute__((noreturn));
/* Called when main has returned to this place. */
void tm_program_ends(uintptr_t place);
/* Returns whether the caller is the only thread of the process, the gate's own aside. */
bool tm_program_is_alone(void);
/* Returns a file in memory, for the output of programs; -1 for an error. */
int tm_program_make_file(void);
/* Forks a child that goes on being watched. Returns its number, 0 in the child, -1 for an error.
 * Only for a process with one thread. */
int tm_program_copy(void);
/* Waits for the child, and ends it if that takes longer. Returns whether it did not; `status` is
 * that of waitpid. */
bool tm_program_wait(int process, uint32_t seconds, int *status);
/* The threads of the process are to stay on this processor, by its number among those that the
 * process may use; numbers beyond begin anew. */
void tm_control_prefer_processor(uint32_t number);
/* Runs the rest of the process under a schedule of the director, whose `launch` is
 * `tm_program_launch`, and whose `ended` ends the process. Returns when the caller, which is the
 * main thread, has its first turn; false if the process cannot be explored. */
bool tm_program_explore(const tm_director *);
void tm_program_launch(void);

/* Begins the body: the steps of its launch do not count as steps of the schedule. Returns false if
 * the schedule has nothing to do any more. */
bool tm_control_begin_body(void);
/* Returns how many threads all schedules of this process left where they can never go on. */
uint32_t tm_control_parked(void);
/* The first returns whether this thread is a flow of an exploration that runs the user's code; the
 * second, whether it is a flow at all. */
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

/* For the director's `ended`: writes down the next step of each flow that has not ended, at most
 * `limit` of them. Returns how many it wrote. */
uint32_t tm_control_waiting(tm_offer *steps, uint32_t limit);

/* Returns whether the program's atomic accesses can be seen: whether they are wrapped. */
bool tm_atomics_are_wrapped(void);

/* Notes that the body has ended: from then on no timer repeats. */
void tm_control_body_over(void);
/* Returns how many threads, blocks and jobs one schedule can have. */
uint32_t tm_control_most_flows(void);

#endif
