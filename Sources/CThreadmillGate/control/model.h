/* The Scheduler: the second driver behind the seam. While an exploration runs, its functions take
 * the place of the real ones (`tm_real`). So the gate watches all calls as usual, and a library's
 * own calls cannot block the thread that has the turn, either.
 *
 * A flow is one thing that the Scheduler schedules: a thread, a block or a job. A seat is a thread
 * that runs flows; blocks and jobs take any idle seat. Exactly one seat has the baton. A call that
 * may block waits here, in the model, until it can no longer block; then the real call is made.
 * Only the thread with the baton reads and writes the state in this file and its parts, unless a
 * comment says otherwise. */
#ifndef TM_MODEL_H
#define TM_MODEL_H
#include "ground/base.h"
#include "ground/dispatch.h"
#include "ground/reach.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "threadmill_control.h"
#include "threadmill_shake.h"
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

typedef struct tm_seat tm_seat;
typedef struct tm_flow tm_flow;
struct tm_lane;

/* A place in the line of a queue. */
typedef struct tm_ticket {
  struct tm_lane *lane; /* NULL: the queue admits every flow */
  const void *queue;
  bool barrier;
  bool holds; /* retains the queue */
  struct tm_ticket *next;
} tm_ticket;

/* The reads of a flow since any flow made a step of another kind; see points.c. */
typedef struct tm_reading {
  uint64_t changes;
  const void *address;
  uintptr_t place;
  uint32_t count, rounds;
} tm_reading;

/* The answer to whether a flow can go on now. */
typedef enum tm_answer {
  TM_NO,
  TM_YES,
  TM_OUTSIDE /* it depends on a thread outside */
} tm_answer;
typedef tm_answer (*tm_question)(const tm_flow *);

typedef enum tm_flow_state { TM_FLOW_NEW, TM_FLOW_HERE, TM_FLOW_OVER } tm_flow_state;

struct tm_flow {
  uint32_t number;
  tm_flow_state state;
  /* The step that the flow is about to make. */
  uint8_t kind;
  const void *object;
  const void *numbered; /* the object to which `object_number` belongs */
  uint32_t object_number;
  uintptr_t place, numbered_place; /* of the step in the user's code; 0: not known */
  uint32_t place_number;
  uint16_t lines; /* those of `tm_control_lead_to` at which the flow stands */
  bool lines_known;
  tm_question can;  /* NULL: it always can */
  const void *with; /* for the question: a second object, or a number */
  uint64_t due;     /* the moment at which a wait ends by itself; 0: never */
  bool timed_out;
  bool outside; /* its wait depends on a thread outside the exploration, or another process */
  /* What can end its wait for a file, a signal or a process; NULL: it waits for neither. */
  tm_reach (*reach)(const struct tm_flow *);
  int file;         /* the file of its step, plus 1; 0: none */
  struct tm_loop_run *run; /* of a run loop, the innermost one; see run_loops.h */
  uint32_t in_vain; /* calls in a row that asked a file for something, and got nothing */
  bool signalled;
  uint32_t locks;    /* taken in a row, while no other flow took one */
  uint32_t atomics;  /* atomic accesses since its last step of another kind */
  tm_reading reading;
  const void *frame; /* of the call at which it waits; NULL: it has made no call */
  tm_seat *seat;     /* NULL: any idle seat, when the flow begins */
  /* The work that the flow does, if it is not a thread. */
  dispatch_function_t work;
  void *context;
  bool is_block; /* `context` is a block, and owned */
  bool is_task;  /* a job of a task, and not of the runtime's own */
  bool is_yield; /* the job by which a task that yields goes on; see yields.c */
  uint8_t back;  /* steps since its task came back from a yield, plus 1; 0: none, or many */
  uintptr_t submits; /* the place of its last steps, if these are submissions; else 0 */
  uint32_t learnt; /* the ended jobs that its next access comes after; see memory.c */
  bool pooled;   /* given to the queue of Swift's jobs */
  bool launched; /* by the explorer, and the body has not begun yet */
  /* A task that switches its actor needs no seat while it waits: any idle seat continues it. */
  bool aside;
  struct {
    void *goes_on, *actor, *witness;
  } task_switch;
  tm_ticket ticket;
  void *leaves;        /* the group that it leaves at its end */
  const void *follows; /* the group whose end it waits for; retained */
};

struct tm_seat {
  atomic_uint turn; /* the thread waits for it, by a raw futex; see seats.c */
  tm_flow *flow;    /* the flow that runs here; NULL: idle */
  tm_thread *thread;
  pthread_t handle;
  bool is_thread; /* of the user's: the seat ends with its flow */
  bool point;      /* the call under way is the user's, and a point */
  bool counts;     /* the call under way counts if it is not under control */
  uintptr_t place; /* its place; see `tm_flow` */
  bool discards;  /* its flow is of no schedule */
  /* The thread waits for its turn, or is given up. Its calls meanwhile are not steps. */
  volatile bool waits;
  atomic_uint given_up; /* see patience.c */
  uint32_t used;        /* the last schedule in which it had a flow; `had`: the flow */
  const tm_flow *had;
  uint32_t looks; /* reads of a clock since its last step */
  bool patient;   /* see run_loops.h */
  bool asks;      /* the next flow is chosen after its own is set aside */
  tm_flow *after; /* else: the next flow */
  tm_seat *next;  /* in the list of idle seats */
};

/* Makes the thread this seat, or no seat. */
TM_INLINE void tm_seat_set(tm_thread *t, tm_seat *seat) {
  t->control.seat = seat;
  t->ground.explored = seat != NULL;
}

/* The functions that the seam calls when no schedule runs: the real ones. */
extern struct tm_real tm_uncontrolled;
#define TM_TRUE(name) ((__typeof__(&name))tm_uncontrolled.name)

/* The seat if this call is made by a flow and not by the harness itself, else NULL. */
TM_INLINE tm_seat *tm_seat_here(void) {
  tm_thread *t = tm_self;
  return TM_UNLIKELY(!t || !t->control.seat || t->ground.inside || t->control.seat->waits)
             ? NULL
             : t->control.seat;
}

/* Whether the thread is a seat, and its flow a job of a task. */
TM_INLINE bool tm_control_runs_task(const tm_thread *t) {
  return t->control.seat && t->control.seat->flow && t->control.seat->flow->is_task;
}

/* The call under way is a point, at this place of the user's code; 0: not known. */
TM_INLINE void tm_seat_stops(tm_seat *s, uintptr_t place) {
  s->point = true;
  s->place = place;
}

/* The flow is about to make this step. Returns when the flow has the turn and can go on; false if
 * the time limit `due` ended the wait. If the call is no point of the user's, another flow is
 * chosen only if this one cannot go on. */
bool tm_control_step(tm_seat *, tm_step_kind, const void *object, tm_question, const void *with,
                     uint64_t due);
/* Whether the exploration has a model of memory; see memory.c. */
extern bool tm_memory_is_weak;
/* The flow makes a step of this kind. Steps that order memory order all of it. */
void tm_memory_synchronise(const tm_flow *, uint8_t kind);
/* The flow ends, or is set aside. */
void tm_memory_ends(const tm_flow *);
/* A step that can always be made. */
TM_INLINE void tm_control_point(tm_seat *s, tm_step_kind kind, const void *object) {
  s->looks = 0;
  if (s->point) tm_control_step(s, kind, object, NULL, NULL, 0);
  else if (TM_UNLIKELY(tm_memory_is_weak)) tm_memory_synchronise(s->flow, (uint8_t)kind);
}
/* Sets a task aside at its switch, where it needs no seat. Returns true if another flow goes on;
 * the task's job then has to return. `leaves`: the task leaves an actor for which another task
 * waits. That task has to be among the choices, so the choice is made after the job has
 * returned. */
bool tm_control_step_aside(tm_seat *, bool leaves);

/* Returns a new flow, with the highest number; NULL if there are too many. */
tm_flow *tm_flow_make(tm_step_kind, const void *object);
void tm_flow_forget(tm_flow *);
/* The seat of a thread that is about to be created for this flow. */
tm_seat *tm_seat_make(tm_flow *);
/* `arrive`: the new thread waits for its turn. `leave`: the thread ends, and another flow goes
 * on. */
void tm_seat_arrive(tm_seat *);
void tm_seat_leave(tm_seat *);
/* Makes the flow of the main thread, with which a schedule of a whole program begins. */
void tm_seat_launch(tm_seat *);
/* Returns the flow of the user's thread with this handle; NULL if it is over, or outside the
 * exploration. */
tm_flow *tm_flow_of_thread(pthread_t);
/* Visits every flow that is not over, in order of their numbers. */
typedef bool (*tm_flow_visitor)(tm_flow *, void *context); /* returns false to stop */
void tm_flows_each(tm_flow_visitor, void *context);

/* Counts a call that is not under control, by its name and by the stack from `frame` on. */
void tm_control_passed(const char *name, void *frame);
uint64_t tm_control_passed_count(void);
void tm_passed_forget(void);

/* Returns whether the seat still has the turn. A seat that was given up has lost it, and must not
 * change the Scheduler's state any more. */
bool tm_control_has_turn(tm_seat *);
/* Returns whether the seat still has the turn after a call into the user's code, in which it may
 * have been given up. */
bool tm_control_keeps_turn(tm_seat *);
/* Takes the turn away from a seat that has made no step for too long. Returns false if the seat
 * gave a sign of life. */
bool tm_control_give_up(tm_seat *, const cpu_set_t *may_run_on);
/* Takes the turn away from a seat that has not given it on for much longer, whatever it says: its
 * thread has ended, never began, or stands inside of the harness or the Swift runtime. Returns
 * false if the seat gives the turn on at this moment. */
bool tm_control_take_away(tm_seat *);
/* To be asked before a seat gives the turn on; returns false if the turn was taken away. */
bool tm_control_leaves_turn(tm_seat *);
/* The seat is about to get the turn. */
void tm_control_gets_turn(tm_seat *);
bool tm_control_is_given_up(const tm_seat *);
/* Returns the place where the thread is now, as a kept stack. */
uint32_t tm_control_place_of(tm_thread *);
/* The exploration's threads stay on one processor; new threads of libraries do not. */
void tm_control_choose_processor(void);
const cpu_set_t *tm_control_processors(void); /* those of all other threads */
void tm_control_leave_processor(void);
void tm_control_keep_processor(void);

/* Returns the number of the schedule, counted over the whole process. */
uint32_t tm_control_schedule(void);
/* Returns the number of an object in this schedule; 0 if it is NULL, or if there are too many
 * objects. */
uint32_t tm_control_number(const void *object);
/* Returns the number of a place in this exploration; 0 if it is 0, or if there are too many. */
uint32_t tm_control_place_number(uintptr_t place);
void tm_place_numbers_forget(void);
void tm_numbers_forget(void);
bool tm_numbers_prepare(void);

/* A point that is no operation of its own. */
void tm_control_at(tm_thread *, tm_point, uintptr_t place);

/* Memory that the user's code is about to read or write. */
typedef struct tm_access {
  const void *address;
  uint32_t size; /* in bytes */
  tm_step_kind kind;
  uintptr_t place;
} tm_access;
/* A flow that goes round a loop of reads spins for a value that another flow has to write. It then
 * yields at each read. */
void tm_control_access(const tm_access *);
/* An access to memory is a step, and others will be. */
void tm_control_sees_accesses(void);
/* Does the same for an atomic access. A flow that makes many of these in a row, and no other step,
 * spins as well. Returns whether the memory model has made the access. */
bool tm_control_atomic(const tm_access *, tm_atomic *);
/* Memory as the exploration's model has it; see memory.c. */
void tm_memory_begin(void); /* an exploration; its schedules begin with `tm_memory_forget_all` */
void tm_memory_forget_all(void);
/* Makes the access, or returns false: the real one is to be made. */
bool tm_memory_access(tm_seat *, tm_atomic *);
void tm_memory_fence(tm_seat *, int order);
/* Something new begins at these addresses, such as a variable in memory that was used before. */
void tm_memory_is_new(const void *address, size_t size);
/* Returns the object that an access is to: its first byte, or the aligned 8 bytes around it if they
 * were accessed in parts that overlap. */
const void *tm_word_of(const void *address, uint32_t size);
bool tm_words_prepare(void);
void tm_words_forget(void);

/* Rests the flow for a moment of virtual time, so that the other flows go on first. */
void tm_control_rest(tm_seat *);

/* Returns whether this function, which is about to be submitted, is the job by which the task that
 * runs here yields. */
bool tm_yields_here(dispatch_function_t work, const void *context);
/* The flow has submitted another one; `yields` as `tm_yields_here` said. */
void tm_yields_submitted(const tm_flow *by, tm_flow *, bool yields);

/* Virtual time, in nanoseconds. */
uint64_t tm_control_now(void);
void tm_control_advance(uint64_t nanoseconds);
uint64_t tm_control_after(const struct timespec *until, clockid_t);
uint64_t tm_control_due(dispatch_time_t);
/* Reads a clock of virtual time. Returns false if the caller has to read the real one. */
bool tm_control_clock(clockid_t, struct timespec *);

/* Returns whether the body of this schedule has come to its end. */
bool tm_control_is_body_over(void);

/* Runs the initialiser of a global or static variable of Swift. */
void tm_control_initialise(void *token, void (*work)(void *), void *context);

/* The parts of the table. */
void tm_control_take_locks(struct tm_real *);
void tm_control_take_waits(struct tm_real *);
void tm_control_take_threads(struct tm_real *);
void tm_control_take_queues(struct tm_real *);
void tm_control_take_groups(struct tm_real *);
void tm_control_take_once(struct tm_real *);
void tm_control_take_time(struct tm_real *);
void tm_control_take_items(struct tm_real *);
void tm_control_take_timers(struct tm_real *);
void tm_control_take_files(struct tm_real *);
void tm_control_take_sending(struct tm_real *);
void tm_control_take_polling(struct tm_real *);
void tm_control_take_clocks(struct tm_real *);
void tm_control_take_signals(struct tm_real *);
void tm_control_take_run_loops(struct tm_real *);

/* Queues. Both forget the last schedule when another one begins. */
void tm_lanes_forget(void);
void tm_barriers_forget(void);
bool tm_lane_admits(const tm_ticket *);
/* The ticket joins the line; its work begins; its work is over. */
void tm_lane_join(tm_ticket *, const void *queue, bool barrier);
void tm_lane_enter(tm_ticket *);
void tm_lane_leave(tm_ticket *);
/* The flow waits until the queue admits its ticket, which stands in the line, and enters. */
void tm_control_await_lane(tm_seat *, tm_ticket *);
/* Returns how much work has begun on the queue in this schedule. */
uint32_t tm_lane_begun(const void *queue);
/* Returns whether work of the ticket's queue also needs a place on the queue's target. */
bool tm_lane_is_below_another(const tm_ticket *);
/* A ticket retains its queue while it waits there, as libdispatch would. */
void tm_ticket_hold(tm_ticket *);
void tm_ticket_let_go(tm_ticket *);
/* Returns whether this thread's flow runs as a block of the main queue, on another thread than the
 * main one. */
bool tm_control_is_on(const void *queue);
/* Make a flow that runs work on a queue. It can go on as soon as the queue admits it. */
tm_flow *tm_submit(const void *queue, void *context, dispatch_function_t work, bool barrier);
tm_flow *tm_submit_block(const void *queue, void *block, bool barrier);
/* `again` makes a launched flow the first one of the schedule that begins; `discard` runs a
 * launched flow for which there is no schedule. */
void tm_submit_again(const tm_flow *);
void tm_flow_discard(tm_flow *);
/* Removes a flow that has not begun. */
void tm_flow_withdraw(tm_flow *);
/* `run` does the work of a new flow; `leaves`, called afterwards, leaves its group. */
void tm_flow_run(tm_flow *);
void tm_flow_leaves(tm_flow *);
/* `follow` lets a flow begin only when the group is empty; `follows`, called at its begin, releases
 * the group. */
void tm_flow_follow(tm_flow *, const void *group);
void tm_flow_follows(tm_flow *);
/* Returns whether the group that is the flow's object is empty. */
tm_answer tm_group_is_empty(const tm_flow *);
#endif
