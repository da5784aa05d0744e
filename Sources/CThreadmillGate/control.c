#ifdef __linux__
#include "control.h"
#include "attention.h"
#include "race.h"
#include "tsan.h"
#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Flows, seats and the baton. */

enum { FLOWS = 1 << 16 }; /* of one schedule */

struct tm_real tm_uncontrolled;
atomic_bool tm_controlling;

static struct {
  tm_director director;
  tm_schedule_result result;
  uint32_t flow_count;
  uint32_t live_count; /* flows that are not over: in order of their numbers */
  uint64_t now;        /* virtual */
  uint64_t passed;     /* not under control, before this schedule */
  uint32_t parked;     /* threads that can never go on, of all schedules of the process */
  tm_seat *idle;
  uint32_t seats;        /* that the caller has made */
  tm_flow *without_seat; /* for which the caller is to make one */
  tm_seat *_Atomic turn; /* who has the baton */
  uint32_t yields;       /* one after the other */
  /* In this exploration nothing could go on; in this process, somebody from outside helped then. */
  bool stood_still, helped;
} world;

/* Whoever explores: it has the baton between schedules. */
static tm_seat caller;

static tm_flow *flows;     /* FLOWS */
static tm_flow **live;     /* FLOWS */
static tm_offer *offers;   /* FLOWS */
static uint32_t *offerers; /* place in `live` of each offer */

/* The baton. */

/* False: so much time passed meanwhile. */
static bool wait_for_turn_within(tm_seat *s, const struct timespec *limit) {
  while (!atomic_load_explicit(&s->turn, memory_order_acquire)) {
    long result = syscall(SYS_futex, &s->turn, FUTEX_WAIT_PRIVATE, 0, limit, NULL, 0);
    if (result < 0 && errno == ETIMEDOUT) return false;
  }
  atomic_store_explicit(&s->turn, 0, memory_order_relaxed);
  return true;
}

static void wait_for_turn(tm_seat *s) { wait_for_turn_within(s, NULL); }

static void give_turn(tm_seat *s) {
  atomic_store_explicit(&world.turn, s, memory_order_relaxed);
  atomic_store_explicit(&s->turn, 1, memory_order_release);
  syscall(SYS_futex, &s->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Flows. */

tm_flow *tm_flow_make(tm_step_kind kind, const void *object) {
  if (world.flow_count == FLOWS) return NULL;
  tm_flow *f = &flows[world.flow_count];
  *f = (tm_flow){.number = world.flow_count++, .kind = kind, .object = object};
  live[world.live_count++] = f;
  return f;
}

void tm_flows_each(tm_flow_visitor visit, void *context) {
  for (uint32_t i = 0; i < world.live_count; i++)
    if (!visit(live[i], context)) return;
}

void tm_flow_forget(tm_flow *f) {
  f->state = TM_FLOW_OVER;
  for (uint32_t i = 0; i < world.live_count; i++) {
    if (live[i] != f) continue;
    world.live_count--;
    for (; i < world.live_count; i++) live[i] = live[i + 1];
    return;
  }
}

uint64_t tm_control_now(void) { return world.now; }
uint32_t tm_control_parked(void) { return world.parked; }
void tm_control_advance(uint64_t nanoseconds) { world.now += nanoseconds; }

/* Choosing. */

static tm_answer can(const tm_flow *f) {
  tm_answer answer = f->can ? f->can(f) : TM_YES;
  bool in_line = f->state == TM_FLOW_NEW && f->ticket.lane;
  return answer == TM_YES && in_line && !tm_lane_admits(&f->ticket) ? TM_NO : answer;
}

/* What is new and due has come to its queue; whoever waits goes on. */
static bool is_due(const tm_flow *f) {
  return f->state == TM_FLOW_HERE && f->due && f->due <= world.now;
}

/* Writes down who can go on; returns where `here` is among them, or -1. */
static int32_t ask_all(const tm_flow *here, uint32_t *count) {
  int32_t place = -1;
  *count = 0;
  for (uint32_t i = 0; i < world.live_count; i++) {
    tm_flow *f = live[i];
    if (can(f) == TM_NO && !is_due(f)) continue;
    if (f == here) place = (int32_t)*count;
    bool writes = f->kind != TM_STEP_SHARE && f->kind != TM_STEP_READ;
    offers[*count] = (tm_offer){tm_control_number(f->object), f->number, f->kind, writes};
    offerers[(*count)++] = i;
  }
  return place;
}

/* Lets virtual time pass up to the next moment at which something is due. */
static bool pass_time(void) {
  uint64_t next = 0;
  for (uint32_t i = 0; i < world.live_count; i++)
    if (live[i]->due > world.now && (!next || live[i]->due < next)) next = live[i]->due;
  if (next) world.now = next;
  return next != 0;
}

static uint32_t unfinished(void) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < world.live_count; i++) count += live[i]->state == TM_FLOW_HERE;
  return count;
}

/* What is not under control may still let somebody go on: it has a second for it where it is known
 * to be there, and a tenth of one before the first time that nothing can go on. */
static bool wait_for_others(void) {
  enum { LOOKS = 1000, FIRST_LOOKS = 100, MILLISECOND = 1000000 };
  if (!unfinished()) return false;
  bool known = world.helped || tm_control_passed_count() != world.passed;
  int looks = known ? LOOKS : world.stood_still ? 0 : FIRST_LOOKS;
  world.stood_still = true;
  for (int i = 0; i < looks; i++) {
    for (uint32_t at = 0; at < world.live_count; at++)
      if (can(live[at]) != TM_NO) return live[at]->outside = world.helped = true;
    struct timespec rest = {0, MILLISECOND};
    syscall(SYS_nanosleep, &rest, NULL);
  }
  return false;
}

/* Where all that can go on do nothing but give way, they wait for time to pass. */
static void note_yield(tm_step_kind kind, uint32_t count) {
  world.yields = kind == TM_STEP_YIELD ? world.yields + 1 : 0;
  if (world.yields <= 2 * count) return;
  world.yields = 0;
  pass_time();
}

/* Who goes on, NULL if nobody can. Where `stays`, the one that is here goes on if it can. */
static tm_flow *choose(tm_flow *here, bool stays) {
  if (stays && can(here) == TM_YES) return here;
  uint32_t count;
  int32_t place;
  do place = ask_all(here, &count);
  while (count == 0 && (pass_time() || wait_for_others()));
  if (count == 0) return NULL;
  if (++world.result.steps > world.director.steps) {
    world.result.end = TM_SCHEDULE_LONG;
    return NULL;
  }
  uint32_t chosen = world.director.choose(world.director.context, offers, count, place);
  tm_flow *f = live[offerers[chosen < count ? chosen : 0]];
  tm_answer answer = can(f);
  f->timed_out = answer == TM_NO, f->outside |= answer == TM_OUTSIDE;
  note_yield(f->kind, count);
  return f;
}

/* A decision is Swift's: nothing that it does is a point, or seen by TSan. */
static tm_flow *choose_quietly(tm_seat *s, tm_flow *here, bool stays) {
  if (stays && can(here) == TM_YES) return here;
  s->thread->inside++;
  tm_quiet before = tm_quiet_begin();
  tm_flow *f = choose(here, stays);
  tm_quiet_end(before);
  s->thread->inside--;
  return f;
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
  world.seats += s != NULL;
  return s;
}

/* To TSan flows that share a thread could not race: there, a seat has one in each schedule. */
enum { MOST_SEATS = 256 };
static bool is_fresh(const tm_seat *s) {
  return !tm_is_tsan() || s->used != tm_control_schedule() || world.seats >= MOST_SEATS;
}

static tm_seat *take_idle(void) {
  for (tm_seat **at = &world.idle; *at; at = &(*at)->next) {
    tm_seat *s = *at;
    if (!is_fresh(s)) continue;
    *at = s->next;
    return s;
  }
  return NULL;
}

/* Goes on with somebody: by its own seat, or by an idle one. Where there is none, the caller makes
 * one: TSan takes what a thread did before it created another one for known to that one, and no
 * flow may know of another one by chance. NULL: the schedule is over. */
static void hand_over(tm_flow *to) {
  tm_seat *s = to && to->seat ? to->seat : to ? take_idle() : NULL;
  if (!s) {
    world.without_seat = to;
    return give_turn(&caller);
  }
  if (!to->seat) s->flow = to;
  give_turn(s);
}

/* Whoever has the turn did nothing for so long that it is given up. */
static bool give_up(void) {
  tm_seat *s = atomic_load(&world.turn);
  if (s == &caller || !s->thread) return false;
  uint32_t place = tm_control_place_of(s->thread);
  if (!tm_control_give_up(s, tm_control_processors())) return false;
  world.result.end = TM_SCHEDULE_STUCK;
  world.result.stuck = s->flow ? s->flow->number : 0;
  world.result.stuck_at = place;
  return true;
}

/* Waits for the turn to come back, and looks once a second whether anything moves; seconds in which
 * the process stands still do not count. False: nothing does. */
static bool wait_patiently(void) {
  static const struct timespec second = {1, 0};
  const struct timespec *limit = world.director.patience ? &second : NULL;
  uint64_t steps = 0;
  for (uint32_t waited = 0; !wait_for_turn_within(&caller, limit); waited++) {
    uint64_t now = __atomic_load_n(&world.result.steps, __ATOMIC_RELAXED);
    if (now != steps) waited = 0;
    steps = now;
    if (waited >= world.director.patience && give_up()) return false;
  }
  return true;
}

/* The caller waits for the end of the schedule. */
static void attend(void) {
  while (wait_patiently()) {
    tm_flow *f = world.without_seat;
    if (!f) return;
    world.without_seat = NULL;
    tm_seat *s = make_seat();
    if (!s) return;
    s->flow = f;
    give_turn(s);
  }
}

bool tm_control_step(tm_seat *s, tm_step_kind kind, const void *object, tm_question question,
                     const void *with, uint64_t due) {
  tm_flow *f = s->flow;
  if (s == &caller) return true;
  bool stays = !s->point;
  /* From here on a signal handler's calls are not the flow's: also before it waits. */
  s->waits = true;
  atomic_thread_fence(memory_order_seq_cst);
  if (TM_UNLIKELY(atomic_load(&s->given_up)) && !tm_control_has_turn(s)) return true;
  s->point = false;
  s->looks = 0;
  if (kind < TM_STEP_YIELD || kind > TM_STEP_UPDATE) f->atomics = 0;
  f->kind = kind, f->object = object, f->can = question, f->with = with, f->due = due;
  f->frame = __builtin_frame_address(0);
  f->timed_out = f->outside = false;
  tm_flow *next = choose_quietly(s, f, stays);
  if (next != f) {
    hand_over(next);
    wait_for_turn(s);
  }
  f->can = NULL, f->due = 0;
  atomic_signal_fence(memory_order_seq_cst);
  if (TM_UNLIKELY(f->outside)) tm_control_passed("wait", __builtin_frame_address(0));
  s->waits = false;
  return !f->timed_out;
}

/* What ends, and was given up before, changes nothing any more. */
static bool keeps_turn(tm_seat *s) {
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
  if (!keeps_turn(s)) return;
  tm_tsan_release(&world);
  tm_flow_forget(s->flow);
  hand_over(choose_quietly(s, NULL, false));
  tm_pool_give(s, sizeof(tm_seat));
}

static void run(tm_seat *s, tm_flow *f) {
  s->flow = f;
  f->seat = s;
  f->state = TM_FLOW_HERE;
  tm_lane_enter(&f->ticket);
  tm_race_mark_schedule(tm_control_schedule());
  tm_flow_run(f);
  while (!keeps_turn(s)) syscall(SYS_pause);
  tm_lane_leave(&f->ticket);
  tm_flow_leaves(f);
  tm_flow_forget(f);
  tm_tsan_release(&world);
  tm_race_unmark_schedule();
  s->flow = NULL;
}

/* Schedules. */

static void rest(tm_seat *s) {
  s->next = world.idle;
  world.idle = s;
}

/* What an idle seat with the baton does: whatever can begin, it runs itself. Returns when somebody
 * else has the baton. */
static void go_on(tm_seat *s) {
  tm_flow *f = s->flow;
  for (;;) {
    s->flow = NULL;
    if (f && !f->seat && is_fresh(s)) {
      s->used = tm_control_schedule();
      run(s, f);
      f = choose_quietly(s, NULL, false);
      continue;
    }
    rest(s);
    return hand_over(f);
  }
}

static void *sit(void *context) {
  tm_seat *s = context;
  wait_for_turn(s);
  s->thread = tm_thread_attach();
  if (!s->thread) return NULL;
  s->thread->seat = s;
  s->thread->is_library = true;
  s->thread->attention = tm_attention(s->thread);
  for (;;) {
    go_on(s);
    wait_for_turn(s);
  }
}

static void forget_all(void) {
  world.result = (tm_schedule_result){0};
  world.flow_count = world.live_count = 0;
  world.now = 0;
  world.yields = 0;
  world.passed = tm_control_passed_count();
  tm_numbers_forget();
  tm_lanes_forget();
  tm_barriers_forget();
}

static void end_schedule(void) {
  tm_schedule_result *r = &world.result;
  r->flows = world.flow_count;
  r->passed = tm_control_passed_count() - world.passed;
  r->unfinished = unfinished();
  world.parked += r->unfinished;
}

static bool prepare(void) {
  if (flows) return true;
  flows = tm_map(FLOWS * sizeof *flows);
  live = tm_map(FLOWS * sizeof *live);
  offers = tm_map(FLOWS * sizeof *offers);
  offerers = tm_map(FLOWS * sizeof *offerers);
  return flows && live && offers && offerers && tm_numbers_prepare();
}

static void take_over(void) {
  tm_real_resolve();
  tm_uncontrolled = tm_real;
  struct tm_real taken = tm_real;
  tm_control_take_locks(&taken);
  tm_control_take_waits(&taken);
  tm_control_take_threads(&taken);
  tm_control_take_queues(&taken);
  tm_control_take_groups(&taken);
  tm_control_take_once(&taken);
  tm_control_take_time(&taken);
  tm_control_take_items(&taken);
  tm_real = taken;
}

/* What the caller does to launch a schedule is the schedule's, and nobody is chosen yet. */
static void launch(tm_thread *t, void *context) {
  static tm_flow nobody;
  nobody = (tm_flow){.state = TM_FLOW_HERE, .seat = &caller};
  caller.flow = &nobody;
  caller.thread = t;
  t->seat = &caller;
  /* What earlier schedules did is over. */
  tm_tsan_acquire(&world);
  world.director.launch(context);
  t->seat = NULL;
}

static void explore(tm_thread *t, const tm_director *director) {
  if (!tm_uncontrolled.pthread_mutex_lock) take_over();
  world.director = *director;
  tm_control_choose_processor();
  tm_passed_forget();
  tm_orders_forget();
  world.stood_still = !director->doubts;
  atomic_store(&tm_controlling, true);
  while (director->begin(director->context)) {
    forget_all();
    launch(t, director->context);
    caller.thread = t;
    t->inside++;
    hand_over(choose(NULL, false));
    attend();
    end_schedule();
    director->ended(director->context, &world.result);
    t->inside--;
  }
  atomic_store(&tm_controlling, false);
  tm_control_leave_processor();
}

/* One exploration at a time; whoever comes meanwhile waits. */
static atomic_uint busy;

static void wait_for_explorer(void) {
  while (atomic_exchange(&busy, 1)) syscall(SYS_futex, &busy, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
}

static void let_explore(void) {
  atomic_store(&busy, 0);
  syscall(SYS_futex, &busy, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

bool tm_control(const tm_director *director) {
  tm_thread *t = tm_self ? tm_self : tm_thread_attach();
  if (!t || t->seat || !tm_is_active()) return false;
  wait_for_explorer();
  bool ready = prepare();
  if (ready) explore(t, director);
  let_explore();
  return ready;
}

TM_GATE_CODE_END
#endif
