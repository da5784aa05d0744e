/* The Scheduler: the second driver behind the seam. It is a table of functions that come in the
 * place of the real ones as long as somebody explores (`tm_real`), so that whatever the gate
 * watches is watched the same way, and what libraries do for themselves can block nobody either.
 *
 * A flow is what is scheduled: a thread, or a block or job on its way. A seat is a thread that runs
 * flows; blocks and jobs take any idle seat. Exactly one seat has the baton. Whatever may block
 * waits here, in the model, until it cannot; then the real call is made. What is in this file and
 * its parts is read and written with the baton only, but for what says so. */
#ifndef TM_MODEL_H
#define TM_MODEL_H
#include "ground/base.h"
#include "ground/dispatch.h"
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
  struct tm_lane *lane; /* NULL: of a queue that admits everybody */
  const void *queue;
  bool barrier;
  bool holds; /* the queue, which so stays alive */
  struct tm_ticket *next;
} tm_ticket;

/* Whether a flow could go on now. */
typedef enum tm_answer {
  TM_NO,
  TM_YES,
  TM_OUTSIDE /* nobody of the exploration has it */
} tm_answer;
typedef tm_answer (*tm_question)(const tm_flow *);

typedef enum tm_flow_state { TM_FLOW_NEW, TM_FLOW_HERE, TM_FLOW_OVER } tm_flow_state;

struct tm_flow {
  uint32_t number;
  tm_flow_state state;
  /* The step that the flow is about to make. */
  uint8_t kind;
  const void *object;
  const void *numbered; /* the object whose number this is: */
  uint32_t object_number;
  tm_question can;  /* NULL: it can */
  const void *with; /* the question's: a second object, or a number */
  uint64_t due;     /* the moment at which a wait ends by itself; 0: never */
  bool timed_out;
  bool outside; /* it waits for somebody who is not of the exploration */
  bool signalled;
  uint32_t locks;    /* taken one after the other while nobody else took one */
  uint32_t atomics;  /* atomic accesses since its last step of another kind */
  const void *frame; /* of its call at its point, while it waits there; NULL: it has made none */
  tm_seat *seat;     /* NULL: any idle one, when it begins */
  /* The work that the flow does, if it is not a thread. */
  dispatch_function_t work;
  void *context;
  bool is_block; /* `context` is a block, and owned */
  bool is_task;  /* a job of a task, and not of the runtime's own */
  bool pooled;   /* given to the queue of Swift's jobs */
  bool launched; /* by whoever explores, and the body has not begun yet */
  /* A task that switches its actor needs no seat while it waits: any idle seat continues it. */
  bool aside;
  struct {
    void *goes_on, *actor, *witness;
  } task_switch;
  tm_ticket ticket;
  void *leaves;        /* a group, when it is over */
  const void *follows; /* a group, and keeps it */
};

struct tm_seat {
  atomic_uint turn; /* what its thread waits for, by a raw futex; see control_seats.c */
  tm_flow *flow;    /* that runs here; NULL: idle */
  tm_thread *thread;
  pthread_t handle;
  bool is_thread; /* of the user's: it ends with its flow */
  bool point;     /* the call under way is the user's, and a point */
  bool discards;  /* its flow is of no schedule */
  /* For its turn, or for nothing any more: what is done here meanwhile is nobody's step. */
  volatile bool waits;
  atomic_uint given_up; /* see control_patience.c */
  uint32_t used;        /* in this schedule it had a flow, the last one here: */
  const tm_flow *had;
  uint32_t looks; /* at a clock, since its last step */
  bool asks;      /* who goes on is chosen once its flow is set aside */
  tm_flow *after; /* else: who does */
  tm_seat *next;  /* idle ones */
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

/* The flow is about to do this; returns when it is its turn and it can. False: it was due before.
 * Where the call is no point of the user's, nobody else is chosen unless it cannot go on. */
bool tm_control_step(tm_seat *, tm_step_kind, const void *object, tm_question, const void *with,
                     uint64_t due);
/* A step that can always be made. */
TM_INLINE void tm_control_point(tm_seat *s, tm_step_kind kind, const void *object) {
  s->looks = 0;
  if (s->point) tm_control_step(s, kind, object, NULL, NULL, 0);
}
/* A task at its `task_switch` needs no seat while it stands there. True: somebody else goes on, and
 * its job is to return. `leaves`: that lets somebody come who is to be chosen from, too, so that
 * the choice is made when it has returned. */
bool tm_control_step_aside(tm_seat *, bool leaves);

/* A new one, last of all; NULL where there are too many. */
tm_flow *tm_flow_make(tm_step_kind, const void *object);
void tm_flow_forget(tm_flow *);
/* The seat of a thread that is about to be created for this flow. */
tm_seat *tm_seat_make(tm_flow *);
/* The thread is there, and waits for its turn; it ends, and somebody else goes on. */
void tm_seat_arrive(tm_seat *);
void tm_seat_leave(tm_seat *);
/* That of a thread of the user's with this handle; NULL: it is over, or none of the exploration. */
tm_flow *tm_flow_of_thread(pthread_t);
/* Every flow that is not over, in order of their numbers. */
typedef bool (*tm_flow_visitor)(tm_flow *, void *context); /* false: enough */
void tm_flows_each(tm_flow_visitor, void *context);

/* An operation that the Scheduler does not know was let through: called so, from here on. */
void tm_control_passed(const char *name, void *frame);
uint64_t tm_control_passed_count(void);
void tm_passed_forget(void);

/* Before somebody who has the turn changes anything: whether the turn is still his. What has none
 * any more is to go its own way. */
bool tm_control_has_turn(tm_seat *);
/* The same after a call of the user's, in which the turn may have been taken away: what was given
 * up changes nothing any more. */
bool tm_control_keeps_turn(tm_seat *);
/* Takes the turn away from a seat that has made no step for too long. Returns false if the seat
 * gave a sign of life. */
bool tm_control_give_up(tm_seat *, const cpu_set_t *may_run_on);
/* Returns the place where the thread is now, as a kept stack. */
uint32_t tm_control_place_of(tm_thread *);
/* The exploration's threads stay on one processor; new threads of somebody else's do not. */
void tm_control_choose_processor(void);
const cpu_set_t *tm_control_processors(void); /* everybody else's */
void tm_control_leave_processor(void);
void tm_control_keep_processor(void);

/* The number of the schedule, of all in this process. */
uint32_t tm_control_schedule(void);
/* The number of an object in this schedule; 0: none, or one of too many. */
uint32_t tm_control_number(const void *object);
void tm_numbers_forget(void);
bool tm_numbers_prepare(void);

/* A point that is no operation of its own. */
void tm_control_at(tm_thread *, tm_point, const void *object);

/* Memory that the user's code is about to read or write. */
void tm_control_access(const void *word, bool writes);
/* The same of an access that is atomic. Where that is all that a flow does, again and again, it
 * waits for what another one is to write: it gives way then, until it does something else. */
void tm_control_atomic(const void *word, tm_step_kind);

/* The flow lets everybody else go on first. */
void tm_control_rest(tm_seat *);

/* Virtual time, in nanoseconds. */
uint64_t tm_control_now(void);
void tm_control_advance(uint64_t nanoseconds);
uint64_t tm_control_after(const struct timespec *until, clockid_t);
uint64_t tm_control_due(dispatch_time_t);
/* Reads a clock of virtual time. Returns false if the caller has to read the real one. */
bool tm_control_clock(clockid_t, struct timespec *);

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

/* Queues. A schedule begins: nothing of the last one is left. */
void tm_lanes_forget(void);
void tm_barriers_forget(void);
bool tm_lane_admits(const tm_ticket *);
/* In the line; at the front; gone. */
void tm_lane_join(tm_ticket *, const void *queue, bool barrier);
void tm_lane_enter(tm_ticket *);
void tm_lane_leave(tm_ticket *);
/* A ticket keeps its queue alive while it waits there, as libdispatch would. */
void tm_ticket_hold(tm_ticket *);
void tm_ticket_let_go(tm_ticket *);
/* Whether what runs here is on the main queue without being on its thread. */
bool tm_control_is_on(const void *queue);
/* Something to be run on a queue: a flow that can go on at once, but for its queue. */
tm_flow *tm_submit(const void *queue, void *context, dispatch_function_t work, bool barrier);
tm_flow *tm_submit_block(const void *queue, void *block, bool barrier);
/* The same once more, in the schedule that begins; and what was never to be one, run alone. */
void tm_submit_again(const tm_flow *);
void tm_flow_discard(tm_flow *);
/* One that has not begun is not to begin any more. */
void tm_flow_withdraw(tm_flow *);
/* Runs what a new flow is there for; afterwards it leaves its group. */
void tm_flow_run(tm_flow *);
void tm_flow_leaves(tm_flow *);
/* It begins once the group is empty; and has begun. */
void tm_flow_follow(tm_flow *, const void *group);
void tm_flow_follows(tm_flow *);
/* Whether the group that is its object is empty. */
tm_answer tm_group_is_empty(const tm_flow *);
#endif
