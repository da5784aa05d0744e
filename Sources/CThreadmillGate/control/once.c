#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/dispatch.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "object/queue.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

/* Initialisers that run once while other flows wait for them, and `concurrentPerform`, whose
 * iterations one flow waits for. */

enum { DONE = -1, HELPERS = 3 };

/* An initialiser that is running. If its thread can never go on in the middle, the record stays,
 * for all flows that come later, in other schedules too. A record without a token is free. Records
 * are never freed, because a thread that was given up may still clear its own. */
typedef struct under_way {
  const void *token;
  struct under_way *next;
} under_way;
static under_way *initialisers;

static under_way *find_under_way(const void *token) {
  under_way *u = initialisers;
  while (u && u->token != token) u = u->next;
  return u;
}

static tm_answer is_not_under_way(const tm_flow *f) {
  return find_under_way(f->object) ? TM_NO : TM_YES;
}

/* Returns NULL if memory is out: waits for this initialiser are then not under control. */
static under_way *begin_once(const void *token) {
  under_way *u = find_under_way(NULL);
  if (!u && (u = tm_pool_take(sizeof *u))) {
    u->next = initialisers;
    initialisers = u;
  }
  if (u) u->token = token;
  else tm_control_passed("once", __builtin_frame_address(0));
  return u;
}

static void end_once(under_way *u) {
  if (u) u->token = NULL;
}

static void control_dispatch_once_f(dispatch_once_t *token, void *context,
                                    dispatch_function_t work) {
  tm_seat *s = *token == DONE ? NULL : tm_seat_here();
  if (!s) return TM_TRUE(dispatch_once_f)(token, context, work);
  tm_control_step(s, TM_STEP_ONCE, token, is_not_under_way, NULL, 0);
  under_way *here = begin_once(token);
  TM_TRUE(dispatch_once_f)(token, context, work);
  end_once(here);
}

/* The initialiser of a global or static variable of Swift. The real function reads from the token
 * whether it is done. A flow that comes while the initialiser runs waits here. */
typedef void (*swift_once_function)(void *, void (*)(void *), void *);

void tm_control_initialise(void *token, void (*work)(void *), void *context) {
  swift_once_function real = (swift_once_function)tm_real.swift_once;
  tm_seat *s = tm_seat_here();
  if (!s) return real(token, work, context);
  if (TM_UNLIKELY(tm_memory_is_weak)) tm_memory_synchronise(s->flow, TM_STEP_ONCE);
  if (find_under_way(token)) tm_control_step(s, TM_STEP_ONCE, token, is_not_under_way, NULL, 0);
  under_way *here = begin_once(token);
  real(token, work, context);
  end_once(here);
  if (TM_UNLIKELY(tm_memory_is_weak)) tm_memory_synchronise(s->flow, TM_STEP_ONCE);
}

/* Initialisers of C and C++. The word of the token says whether one runs, also after an exception
 * has ended it. The flow that comes meanwhile waits here: the real call would block with the
 * turn. */

/* glibc's word is 1 while the initialiser runs, and 2 when it is done; its other bits count forks.
 * TSan's word has a bit of the upper half while it runs, and is 1 when it is done. */
static tm_answer is_no_once_running(const tm_flow *f) {
  unsigned word = *(const volatile unsigned *)f->object;
  bool runs = tm_is_tsan() ? word >> 16 != 0 : (word & 3) == 1;
  return runs ? TM_NO : TM_YES;
}

/* The first byte says that the variable is initialised; the next two, that somebody is about to. */
static tm_answer is_no_guard_held(const tm_flow *f) {
  uint32_t word = *(const volatile uint32_t *)f->object;
  return (word & 0xFF) == 0 && word != 0 ? TM_NO : TM_YES;
}

static void await(const void *token, tm_question question) {
  tm_seat *s = tm_seat_here();
  if (s) tm_control_step(s, TM_STEP_ONCE, token, question, NULL, 0);
}

static int control_pthread_once(pthread_once_t *token, void (*work)(void)) {
  await(token, is_no_once_running);
  return TM_TRUE(pthread_once)(token, work);
}

static int control___cxa_guard_acquire(uint64_t *guard) {
  await(guard, is_no_guard_held);
  return TM_TRUE(__cxa_guard_acquire)(guard);
}

/* The caller and a few helper flows take the iterations one after the other. */

typedef struct loop {
  void *context;
  void (*work)(void *, size_t);
  size_t next, count, running;
} loop;

static void give_way(void) {
  tm_seat *s = tm_seat_here();
  if (!s) return;
  tm_seat_stops(s, 0);
  tm_control_point(s, TM_STEP_YIELD, NULL);
}

static void iterate(void *context) {
  loop *l = context;
  l->running++;
  while (l->next < l->count) {
    l->work(l->context, l->next++);
    give_way();
  }
  l->running--;
}

static tm_answer is_loop_over(const tm_flow *f) {
  return ((const loop *)f->object)->running == 0 ? TM_YES : TM_NO;
}

static void control_dispatch_apply_f(size_t count, dispatch_queue_t queue, void *context,
                                     void (*work)(void *, size_t)) {
  tm_seat *s = tm_seat_here();
  bool serial = queue && tm_queue_width(queue) == 1;
  if (!s || serial) return TM_TRUE(dispatch_apply_f)(count, queue, context, work);
  loop l = {.context = context, .work = work, .count = count};
  tm_flow *helpers[HELPERS] = {NULL};
  for (size_t i = 0; i + 1 < count && i < HELPERS; i++)
    if ((helpers[i] = tm_submit(queue, &l, iterate, false)))
      tm_lane_join(&helpers[i]->ticket, queue, false);
  tm_control_point(s, TM_STEP_SUBMIT, &l);
  iterate(&l);
  tm_control_step(s, TM_STEP_WAIT, &l, is_loop_over, NULL, 0);
  if (!tm_control_keeps_turn(s)) return;
  for (size_t i = 0; i < HELPERS; i++)
    if (helpers[i] && helpers[i]->state == TM_FLOW_NEW) tm_flow_withdraw(helpers[i]);
}

void tm_control_take_once(struct tm_real *r) {
  r->dispatch_once_f = (void *)control_dispatch_once_f;
  r->dispatch_apply_f = (void *)control_dispatch_apply_f;
  r->pthread_once = (void *)control_pthread_once;
  r->__cxa_guard_acquire = (void *)control___cxa_guard_acquire;
}

TM_GATE_CODE_END
#endif
