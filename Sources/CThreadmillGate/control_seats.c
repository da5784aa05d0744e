#ifdef __linux__
#include "control_world.h"
#include "attention.h"
#include "race.h"
#include "tsan.h"
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Seats and the baton. */

tm_seat tm_control_caller;
static tm_seat *idle;
static uint32_t seats;        /* that the caller has made */
static tm_seat *_Atomic turn; /* who has the baton */

/* The baton. Whoever has it on its way is not woken: one that has been passed by, and has not come
 * to sleep yet, sees it in time. */

enum { NOT_YET, YOURS, ASLEEP }; /* of `tm_seat.turn` */

/* False: so much time passed meanwhile. */
static bool wait_for_turn_within(tm_seat *s, const struct timespec *limit) {
  for (;;) {
    unsigned seen = NOT_YET;
    if (!atomic_compare_exchange_strong(&s->turn, &seen, ASLEEP) && seen == YOURS) break;
    long result = syscall(SYS_futex, &s->turn, FUTEX_WAIT_PRIVATE, ASLEEP, limit, NULL, 0);
    if (result < 0 && errno == ETIMEDOUT && atomic_load(&s->turn) != YOURS) return false;
  }
  atomic_store_explicit(&s->turn, NOT_YET, memory_order_relaxed);
  return true;
}

static void wait_for_turn(tm_seat *s) { wait_for_turn_within(s, NULL); }

static void give_turn(tm_seat *s) {
  atomic_store_explicit(&turn, s, memory_order_relaxed);
  if (atomic_exchange(&s->turn, YOURS) == ASLEEP)
    syscall(SYS_futex, &s->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Seats. */

static void *sit(void *);

static tm_seat *make_seat(void) {
  tm_seat *s = tm_map(sizeof(tm_seat));
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  if (s && TM_TRUE(pthread_create)(&s->handle, &detached, sit, s) != 0) s = NULL;
  pthread_attr_destroy(&detached);
  seats += s != NULL;
  return s;
}

/* To TSan flows that share a thread could not race: there, a seat has one in each schedule, and one
 * that was set aside goes on where it was. */
enum { MOST_SEATS = 256 };
static const tm_flow *had(const tm_seat *s) {
  return s->used == tm_control_schedule() ? s->had : NULL;
}

static bool can_have(const tm_seat *s, const tm_flow *f) {
  return !tm_is_tsan() || seats >= MOST_SEATS || !had(s) || had(s) == f;
}

static tm_seat **find_idle(const tm_flow *f) {
  for (tm_seat **at = &idle; tm_is_tsan() && f->aside && *at; at = &(*at)->next)
    if (had(*at) == f) return at;
  for (tm_seat **at = &idle; *at; at = &(*at)->next)
    if (can_have(*at, f)) return at;
  return NULL;
}

static tm_seat *take_idle(const tm_flow *f) {
  tm_seat **at = find_idle(f);
  tm_seat *s = at ? *at : NULL;
  if (s) *at = s->next;
  return s;
}

void tm_control_hand_over(tm_flow *to) {
  tm_seat *s = to && to->seat ? to->seat : to ? take_idle(to) : NULL;
  if (!s) {
    tm_world_now.without_seat = to;
    return give_turn(&tm_control_caller);
  }
  if (!to->seat) s->flow = to;
  give_turn(s);
}

/* Whoever has the turn did nothing for so long that it is given up. */
static bool give_up(void) {
  tm_seat *s = atomic_load(&turn);
  if (s == &tm_control_caller || !s->thread) return false;
  uint32_t place = tm_control_place_of(s->thread);
  if (!tm_control_give_up(s, tm_control_processors())) return false;
  tm_world_now.result.end = TM_SCHEDULE_STUCK;
  tm_world_now.result.stuck = s->flow ? s->flow->number : 0;
  tm_world_now.result.stuck_at = place;
  return true;
}

/* Waits for the turn to come back, and looks once a second whether anything moves; seconds in which
 * the process stands still do not count. False: nothing does. */
static bool wait_patiently(void) {
  static const struct timespec second = {1, 0};
  const struct timespec *limit = tm_world_now.director.patience ? &second : NULL;
  uint64_t steps = 0;
  for (uint32_t waited = 0; !wait_for_turn_within(&tm_control_caller, limit); waited++) {
    uint64_t now = __atomic_load_n(&tm_world_now.steps, __ATOMIC_RELAXED);
    if (now != steps) waited = 0;
    steps = now;
    if (waited >= tm_world_now.director.patience && give_up()) return false;
  }
  return true;
}

void tm_control_attend(void) {
  while (wait_patiently()) {
    tm_flow *f = tm_world_now.without_seat;
    if (!f) return;
    tm_world_now.without_seat = NULL;
    tm_seat *s = make_seat();
    if (!s) {
      tm_world_now.result.end = TM_SCHEDULE_UNSEATED;
      return;
    }
    s->flow = f;
    give_turn(s);
  }
}

/* From here on a signal handler's calls are not the flow's: also before it waits. False: it is
 * given up. */
static bool stand_still(tm_seat *s) {
  s->waits = true;
  atomic_thread_fence(memory_order_seq_cst);
  return TM_LIKELY(!atomic_load(&s->given_up)) || tm_control_has_turn(s);
}

bool tm_control_step(tm_seat *s, tm_step_kind kind, const void *object, tm_question question,
                     const void *with, uint64_t due) {
  tm_flow *f = s->flow;
  if (s == &tm_control_caller) return true;
  bool stays = !s->point;
  f->object = object, f->with = with;
  /* The short way of what libraries do for themselves. */
  if (stays && (!question || question(f) == TM_YES)) {
    s->looks = 0;
    return true;
  }
  if (!stand_still(s)) return true;
  s->point = false;
  s->looks = 0;
  if (kind < TM_STEP_YIELD || kind > TM_STEP_UPDATE) f->atomics = 0;
  f->kind = kind, f->can = question, f->due = due;
  f->frame = __builtin_frame_address(0);
  f->timed_out = f->outside = false;
  tm_flow *next = tm_control_choose(s->thread, f, stays);
  if (next != f) {
    tm_control_hand_over(next);
    wait_for_turn(s);
  }
  f->can = NULL, f->due = 0;
  atomic_signal_fence(memory_order_seq_cst);
  if (TM_UNLIKELY(f->outside)) tm_control_passed("wait", __builtin_frame_address(0));
  s->waits = false;
  return !f->timed_out;
}

static tm_flow *choose_at_hop(tm_thread *t, tm_flow *f) {
  f->kind = TM_STEP_HOP, f->object = f->hop.actor, f->with = f->hop.goes_on;
  return tm_control_choose(t, f, false);
}

bool tm_control_step_aside(tm_seat *s, bool leaves) {
  tm_flow *f = s->flow;
  if (!stand_still(s)) return false;
  s->point = false;
  s->looks = f->atomics = 0;
  f->frame = __builtin_frame_address(0);
  s->asks = leaves;
  s->after = leaves ? NULL : choose_at_hop(s->thread, f);
  f->aside = s->after != f;
  /* Where all is decided, what the runtime does on its way back is nobody's step. */
  s->waits = f->aside && !leaves;
  return f->aside;
}

bool tm_control_keeps_turn(tm_seat *s) {
  s->waits = true;
  atomic_thread_fence(memory_order_seq_cst);
  bool keeps = tm_control_has_turn(s);
  s->waits = !keeps;
  return keeps;
}

/* Threads of the user's. */

tm_seat *tm_seat_make(tm_flow *f) {
  tm_seat *s = tm_pool_take(sizeof(tm_seat));
  if (!s) return NULL;
  s->flow = f, s->is_thread = true;
  f->seat = s, f->state = TM_FLOW_HERE;
  return s;
}

void tm_seat_arrive(tm_seat *s) {
  wait_for_turn(s);
  s->thread = tm_thread_attach_below((uintptr_t)__builtin_frame_address(0) + 16);
  if (!s->thread) return;
  s->thread->seat = s;
  s->thread->attention = tm_attention(s->thread);
  tm_race_mark_schedule(tm_control_schedule());
}

void tm_seat_leave(tm_seat *s) {
  if (s->thread) s->thread->seat = NULL;
  if (!tm_control_keeps_turn(s)) return;
  tm_tsan_release(&tm_world_now);
  tm_flow_forget(s->flow);
  tm_control_hand_over(tm_control_choose(s->thread, NULL, false));
  tm_pool_give(s, sizeof(tm_seat));
}

static void begin(tm_seat *s, tm_flow *f) {
  s->flow = f;
  f->seat = s;
  if (!f->aside) tm_lane_enter(&f->ticket);
  f->state = TM_FLOW_HERE, f->aside = s->point = false;
  tm_race_mark_schedule(tm_control_schedule());
}

/* What is set aside stays in its lane, and is no thread's. */
static void end(tm_seat *s, tm_flow *f) {
  if (f->aside) {
    f->seat = NULL, f->frame = NULL;
    tm_tsan_release(f);
  } else {
    tm_lane_leave(&f->ticket);
    tm_flow_leaves(f);
    tm_flow_forget(f);
  }
  tm_tsan_release(&tm_world_now);
  tm_race_unmark_schedule();
  s->flow = NULL;
}

/* Runs the flow until it is over, or set aside. Returns who goes on; NULL: nobody can. */
static tm_flow *run(tm_seat *s, tm_flow *f) {
  begin(s, f);
  tm_flow_run(f);
  while (!tm_control_keeps_turn(s)) syscall(SYS_pause);
  end(s, f);
  if (!f->aside) return tm_control_choose(s->thread, NULL, false);
  return s->asks ? choose_at_hop(s->thread, f) : s->after;
}

static void rest(tm_seat *s) {
  s->next = idle;
  idle = s;
}

/* Nobody gives it up meanwhile: what whoever explores does between schedules takes its time. */
static tm_flow *relay(tm_seat *s) {
  s->waits = true;
  atomic_thread_fence(memory_order_seq_cst);
  while (!tm_control_has_turn(s)) syscall(SYS_pause);
  tm_flow *f = tm_control_relay(s->thread);
  s->waits = false;
  return f;
}

/* What an idle seat with the baton does: whatever can begin, it runs itself. Returns when somebody
 * else has the baton. */
static void go_on(tm_seat *s) {
  tm_flow *f = s->flow;
  for (;;) {
    s->flow = NULL;
    if (f && !f->seat && can_have(s, f)) {
      s->used = tm_control_schedule();
      s->had = f;
      f = run(s, f);
      if (!f) f = relay(s);
      continue;
    }
    rest(s);
    return tm_control_hand_over(f);
  }
}

/* The same, where nothing is under control. */
static void discard(tm_seat *s) {
  s->waits = true;
  tm_flow_discard(s->flow);
  s->waits = s->discards = false;
  s->flow = NULL;
  rest(s);
  give_turn(&tm_control_caller);
}

void tm_control_discard(tm_flow *f) {
  tm_seat *s = take_idle(f);
  if (!s) s = make_seat();
  if (!s) return;
  s->flow = f, s->discards = true;
  give_turn(s);
  wait_for_turn(&tm_control_caller);
}

static void *sit(void *context) {
  tm_seat *s = context;
  wait_for_turn(s);
  s->thread = tm_thread_attach();
  if (!s->thread) return NULL;
  s->thread->seat = s;
  s->thread->is_library = s->thread->keeps_going = true;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  s->thread->attention = tm_attention(s->thread);
  for (;;) {
    if (s->discards) discard(s);
    else go_on(s);
    wait_for_turn(s);
  }
}

TM_GATE_CODE_END
#endif
