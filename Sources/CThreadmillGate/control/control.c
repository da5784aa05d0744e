#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "control/timer_files.h"
#include "control/world.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "object/left.h"
#include "strand/delivery.h"
#include "strand/tasks.h"
#include "strand/thread.h"
#include "tell/ended_owner.h"
#include "tell/known_orders.h"
#include "threadmill_control.h"
#include "threadmill_gate.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

static bool is_under_way; /* a schedule has begun, and its end is not told yet */

/* Bodies for later schedules. The caller launches them itself, so that each body inherits from the
 * caller's own task, whichever thread begins its schedule. The first batch is small, because most
 * explorations are short. */
enum { MOST_AHEAD = 64 };

static struct {
  tm_flow flows[MOST_AHEAD];
  uint32_t first, end, batch;
} ahead;

uint32_t tm_control_parked(void) { return tm_world_now.parked; }

static void forget_all(void) {
  tm_world_now.result = (tm_schedule_result){0};
  tm_world_now.now = 0, tm_world_now.readings = 0;
  tm_world_now.released = false;
  tm_world_now.turns = 0;
  tm_world_now.passed = tm_control_passed_count();
  tm_flows_forget();
  tm_yields_forget();
  tm_run_loops_forget();
  tm_numbers_forget();
  tm_lanes_forget();
  tm_barriers_forget();
  tm_timer_files_forget();
  tm_memory_forget_all();
}

static void end_schedule(void) {
  tm_schedule_result *r = &tm_world_now.result;
  r->passed = tm_control_passed_count() - tm_world_now.passed;
  r->unfinished = tm_flows_unfinished();
  tm_world_now.parked += tm_flows_parked();
  is_under_way = false;
}

static tm_flow nobody; /* the flow of the caller while it acts for a schedule */

/* Until it is given another one, the thread acts for the schedule, but no flow runs on it. */
static tm_seat *act(tm_thread *t) {
  tm_seat *before = t->control.seat;
  nobody = (tm_flow){.state = TM_FLOW_HERE, .seat = &tm_control_caller};
  tm_control_caller.flow = &nobody;
  tm_control_caller.thread = t;
  tm_seat_set(t, &tm_control_caller);
  return before;
}

static bool tell_stranded(tm_flow *f, void *context) {
  tm_stranded stranded;
  tm_thread *waiter = f->state == TM_FLOW_HERE && f->seat ? f->seat->thread : NULL;
  if (!waiter || !tm_is_stranded(waiter, &stranded) || !tm_left_is_owned(&stranded.left))
    return true;
  tm_quiet before = tm_upcall_begin(context);
  tm_call_up(tm_tell_stranded, &stranded);
  tm_upcall_end(context, before);
  return true;
}

/* Tells of flows that wait for a lock whose owner has ended. Told when no flow can go on: until
 * then, another one may unlock it. */
static void tell_ended_owners(tm_thread *t) {
  if (TM_LIKELY(atomic_load(&tm_left_count) == 0) || tm_world_now.result.end != TM_SCHEDULE_OVER)
    return;
  tm_seat *before = act(t);
  tm_flows_each(tell_stranded, t);
  tm_seat_set(t, before);
}

static bool begin_schedule(void) {
  return tm_world_now.director.begin(tm_world_now.director.context);
}

/* Ends the schedule. Returns false if there is no other one. */
static bool next(tm_thread *t) {
  tell_ended_owners(t);
  end_schedule();
  tm_world_now.director.ended(tm_world_now.director.context, &tm_world_now.result);
  return begin_schedule();
}

static void launch_again(const tm_flow *launched) {
  if (launched->seat) tm_seat_launch(launched->seat);
  else tm_submit_again(launched);
}

/* Returns the flow that goes first; NULL if the launch made none. */
static tm_flow *start_schedule(tm_thread *t) {
  forget_all();
  tm_tasks_begin_run();
  is_under_way = true;
  if (ahead.first < ahead.end) launch_again(&ahead.flows[ahead.first++]);
  return tm_control_choose(t, NULL, false);
}

tm_flow *tm_control_relay(tm_thread *t) {
  if (ahead.first == ahead.end || tm_world_now.result.end != TM_SCHEDULE_OVER) return NULL;
  t->ground.inside++;
  tm_flow *f = next(t) ? start_schedule(t) : NULL;
  t->ground.inside--;
  return f;
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
  tm_control_take_timers(&taken);
  tm_control_take_files(&taken);
  tm_control_take_sending(&taken);
  tm_control_take_polling(&taken);
  tm_control_take_clocks(&taken);
  tm_control_take_signals(&taken);
  tm_control_take_run_loops(&taken);
  tm_real = taken;
}

/* Launches one schedule. The caller's steps until then belong to the schedule, but no flow is
 * chosen yet. */
static void launch(tm_thread *t) {
  tm_seat *before = act(t);
  /* The caller now knows everything that earlier schedules did. */
  tm_tsan_acquire(&tm_world_now);
  tm_world_now.director.launch(tm_world_now.director.context);
  tm_seat_set(t, before);
}

/* Launches a batch of bodies. If another thread than the caller began a schedule, TSan would order
 * its body after the previous schedule. So under TSan a batch is one body. */
static void launch_ahead(tm_thread *t) {
  forget_all();
  for (uint32_t i = 0; i < ahead.batch; i++) launch(t);
  ahead.first = 0, ahead.end = tm_flows_made();
  if (ahead.end > ahead.batch) ahead.end = ahead.batch;
  for (uint32_t i = 0; i < ahead.end; i++) ahead.flows[i] = *tm_flow_at(i);
  if (!tm_is_tsan() && ahead.batch < MOST_AHEAD) ahead.batch *= 2;
}

static void run_all(tm_thread *t) {
  for (bool more = begin_schedule(); more;) {
    if (ahead.first == ahead.end) launch_ahead(t);
    t->ground.inside++;
    tm_control_hand_over(start_schedule(t));
    tm_control_attend();
    more = is_under_way && next(t);
    t->ground.inside--;
  }
}

static void discard_rest(void) {
  while (ahead.first < ahead.end) tm_control_discard(&ahead.flows[ahead.first++]);
}

static void explore_bodies(tm_thread *t, const tm_director *director) {
  if (!tm_uncontrolled.pthread_mutex_lock) take_over();
  tm_world_now.director = *director;
  tm_memory_begin();
  ahead.batch = 1;
  tm_control_choose_processor();
  tm_passed_forget();
  tm_place_numbers_forget();
  tm_words_forget();
  tm_known_orders_forget();
  tm_world_now.stood_still = !director->doubts;
  atomic_store(&tm_controlling, true);
  run_all(t);
  t->ground.inside++;
  director->over(director->context);
  discard_rest();
  t->ground.inside--;
  tm_memory_is_weak = false;
  atomic_store(&tm_controlling, false);
  tm_control_leave_processor();
}

/* Set while an exploration runs. Other threads that want to explore wait for it. */
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
  if (!t || t->control.seat || !tm_is_active()) return false;
  wait_for_explorer();
  bool ready = tm_flows_prepare() && tm_numbers_prepare() && tm_words_prepare();
  if (ready) explore_bodies(t, director);
  let_explore();
  return ready;
}

TM_GATE_CODE_END
#endif
