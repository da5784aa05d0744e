#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "control/world.h"
#include "ground/asan.h"
#include "ground/facts.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "strand/upcalls.h"
#include "threadmill_control.h"
#include <errno.h>
#include <sched.h>

TM_GATE_CODE_BEGIN

/* Threads that the exploration's code creates are flows from their first step to their last; those
 * that a library creates for itself stay outside. */

typedef struct thread_start {
  void *(*body)(void *);
  void *argument;
  tm_seat *seat;
} thread_start;

/* Ends the flow of a thread that the gate does not watch, also if it exits or is cancelled. A
 * watched thread leaves when its thread-specific data is destroyed, which may take locks, and runs
 * deinitialisers of the user's. */
static void thread_over(void *seat) {
  if (!((tm_seat *)seat)->thread) tm_seat_leave(seat);
}

static void *run_thread(void *context) {
  thread_start s = *(thread_start *)context;
  tm_pool_give(context, sizeof(thread_start));
  void *result;
  tm_seat_arrive(s.seat);
  pthread_cleanup_push(thread_over, s.seat);
  result = s.body(s.argument);
  pthread_cleanup_pop(1);
  return result;
}

/* All threads of an exploration stay on one processor: they take turns anyway, and a turn given to
 * another processor costs ten times as much. Threads that libraries create must not inherit
 * that. */
static cpu_set_t processors, processor;
static int chosen = -1; /* idle seats are there already */

/* Copies of one process would all choose the processor on which they begin. */
void tm_control_prefer_processor(uint32_t number) {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return;
  uint32_t count = 0;
  for (int i = 0; i < CPU_SETSIZE; i++) count += CPU_ISSET(i, &usable) != 0;
  for (int i = 0, left = (int)(number % count); i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &usable) && left-- == 0) chosen = i;
}

void tm_control_choose_processor(void) {
  if (chosen < 0) chosen = sched_getcpu();
  sched_getaffinity(0, sizeof processors, &processors);
  CPU_ZERO(&processor);
  CPU_SET(chosen, &processor);
  tm_control_keep_processor();
}

const cpu_set_t *tm_control_processors(void) { return &processors; }
void tm_control_leave_processor(void) { sched_setaffinity(0, sizeof processors, &processors); }
void tm_control_keep_processor(void) { sched_setaffinity(0, sizeof processor, &processor); }

static int create_outside(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                          void *(*body)(void *), void *restrict argument) {
  bool stays = tm_self && tm_self->control.seat;
  if (stays) tm_control_leave_processor();
  if (stays) tm_world_now.released = true; /* the new thread may help a flow, in its own time */
  int result = TM_TRUE(pthread_create)(thread, attributes, body, argument);
  if (stays) tm_control_keep_processor();
  return result;
}

static int control_pthread_create(pthread_t *restrict thread,
                                  const pthread_attr_t *restrict attributes, void *(*body)(void *),
                                  void *restrict argument) {
  tm_seat *s = tm_is_users_start(body, argument) ? tm_seat_here() : NULL;
  if (!s) return create_outside(thread, attributes, body, argument);
  if (!tm_creation_is_locked) tm_control_point(s, TM_STEP_SPAWN, NULL);
  thread_start *it = tm_pool_take(sizeof(thread_start));
  tm_flow *f = it ? tm_flow_make(TM_STEP_BEGIN, NULL) : NULL;
  tm_seat *seat = f ? tm_seat_make(f) : NULL;
  if (!seat) return EAGAIN;
  *it = (thread_start){body, argument, seat};
  int result = TM_TRUE(pthread_create)(thread, attributes, run_thread, it);
  if (result == 0) seat->handle = *thread;
  else tm_flow_forget(f);
  return result;
}

static tm_answer is_thread_over(const tm_flow *f) {
  return tm_flow_of_thread((pthread_t)f->with) ? TM_NO : TM_YES;
}

static int control_pthread_join(pthread_t thread, void **value) {
  tm_seat *s = tm_seat_here();
  if (s) tm_control_step(s, TM_STEP_JOIN, NULL, is_thread_over, (const void *)thread, 0);
  return TM_TRUE(pthread_join)(thread, value);
}

/* A point even in a library: a library that spins needs another flow to go on. At the end of the
 * process, Leak Sanitizer yields to a process of its own, and holds locks of the allocator. */
static int control_sched_yield(void) {
  tm_seat *s = tm_seat_here();
  if (!s || (tm_exits && tm_is_lsan())) return TM_TRUE(sched_yield)();
  tm_seat_stops(s, 0);
  tm_control_point(s, TM_STEP_YIELD, NULL);
  return 0;
}

void tm_control_take_threads(struct tm_real *r) {
  r->pthread_create = (void *)control_pthread_create;
  r->pthread_join = (void *)control_pthread_join;
  r->sched_yield = (void *)control_sched_yield;
}

TM_GATE_CODE_END
#endif
