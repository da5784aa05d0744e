#ifdef __linux__
#include "ground/base.h"
#include "observe/starvation.h"
#include "code/stack.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "ground/told_once.h"
#include "ground/watchdog.h"
#include "object/pools.h"
#include "object/queue.h"
#include "strand/hold.h"
#include "strand/motion.h"
#include "strand/swift_task.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum {
  SHOWN_THREADS = 48, /* threads of one picture */
  STARVED_LOOKS = 5,  /* looks without progress in a starved pool of libdispatch */
  TASKS_LOOKS = 25,   /* the same in Swift's pool, which libdispatch's blocks may free */
  NOTED_LOOKS = 3,    /* looks before the end of these */
  BLOCKED_LOOKS = 2,  /* looks at a blocked thread of a task, until it is told */
  NEWS_SLEPT = 1,
  NEWS_BLOCKED = 2, /* kinds of news */
  GROWN = 2,        /* threads that libdispatch added, and that were blocked as well */
};

/* A timer with at least this interval may still free the pool. The looks would have seen a faster
 * one at work. */
static const uint64_t PATIENCE = 200000000;
static uint64_t switches[TM_POOLS][TM_SLOTS];

/* Returns the number of blocked threads from which on the pool counts as starved. */
static uint32_t limit_of(const tm_workers *w) {
  return w->cooperative ? tm_queue_width(w->queue) : tm_cores() + GROWN;
}

typedef struct pool_picture {
  tm_workers *pool;
  tm_starvation told;
  tm_thread *threads[SHOWN_THREADS];
  tm_thread_view views[SHOWN_THREADS];
  tm_view_room rooms[SHOWN_THREADS];
  tm_happening blocked;
} pool_picture;

static void draw_thread(pool_picture *p, tm_thread *u) {
  tm_standstill *all = &p->told.picture;
  if (all->thread_count == SHOWN_THREADS) {
    all->left_out++;
    return;
  }
  uint32_t i = all->thread_count++;
  p->threads[i] = u;
  tm_view_waiting(u, &p->rooms[i], &p->views[i]);
  p->views[i].stack = p->rooms[i].stack;
  p->views[i].stack_count =
      tm_stack_of_waiting(u, TM_GLIMPSE(u->holds.wait.frame), p->rooms[i].stack, TM_STACK);
}

/* Returns a mark of the progress of all threads of the pool; 0 if one of them runs, or will run
 * without help. */
static uint64_t progress_of(const tm_workers *w, uint32_t *count) {
  uint64_t mark = 1;
  *count = 0;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u)) {
    if (!tm_is_live(u) || atomic_load(&u->pools.workers) != w) continue;
    if (!tm_waits_for(u) || TM_GLIMPSE(u->holds.wait.bounded)) return 0;
    mark = tm_mix(tm_mix(mark, u->who.number), tm_look(u));
    ++*count;
  }
  return mark | 1;
}

static void tell_starved(void *context) {
  pool_picture *p = context;
  uint32_t count;
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    if (tm_is_live(u) && atomic_load(&u->pools.workers) == p->pool && tm_waits_for(u))
      draw_thread(p, u);
  p->told.picture.threads = p->views;
  p->told.cooperative = p->pool->cooperative;
  p->told.label = tm_queue_label(p->pool->queue);
  int waiting = tm_work_of(p->pool, TM_WORK_WAITS);
  p->told.waiting = waiting > 0 ? (uint32_t)waiting : 0;
  if (waiting > 0 && progress_of(p->pool, &count) == p->pool->mark) tm_listening.starved(&p->told);
}

static void report(tm_workers *w) {
  pool_picture *p = tm_map(sizeof(pool_picture));
  if (!p) return;
  p->pool = w;
  tm_watchdog_call(tell_starved, p);
  tm_unmap(p, sizeof(pool_picture));
}

static bool is_help_on_its_way(void) {
  const tm_workers *w;
  for (int i = 0; (w = tm_workers_at(i)); i++) {
    tm_pool_signs signs = {.cooperative = w->cooperative,
                           .work_waits = tm_work_of(w, TM_WORK_WAITS) > 0,
                           .limit = limit_of(w)};
    signs.all_blocked = progress_of(w, &signs.blocked) != 0;
    if (tm_gets_thread(signs)) return true;
  }
  return false;
}

static tm_pool_signs signs_of(const tm_workers *w) {
  bool waits = tm_work_of(w, TM_WORK_WAITS) > 0;
  return (tm_pool_signs){.cooperative = w->cooperative,
                         .work_waits = waits,
                         .barrier_waits = tm_work_of(w, TM_WORK_BARRIER) != 0,
                         .suspended = tm_is_any_suspended(),
                         .help_is_on_its_way = w->cooperative && waits && is_help_on_its_way(),
                         .limit = limit_of(w)};
}

/* A blocked pool is no mistake if another thread is about to free it. So all other threads have to
 * be stuck or idle, too. */
static void examine_pool(tm_workers *w) {
  tm_pool_signs signs = signs_of(w);
  if (!signs.work_waits) w->told = false;
  uint32_t looks = w->cooperative ? TASKS_LOOKS : STARVED_LOOKS;
  uint64_t mark = tm_may_be_starved(signs) ? progress_of(w, &signs.blocked) : 0;
  signs.all_blocked = mark != 0;
  w->still = mark == w->mark && tm_is_starved(signs) ? w->still + 1 : 0;
  w->mark = mark;
  if (w->told) return;
  if (w->still == looks - NOTED_LOOKS) tm_switches_note(switches[tm_workers_number(w)]);
  if (w->still < looks) return;
  w->still = 0;
  if (tm_can_anything_move(switches[tm_workers_number(w)], PATIENCE)) return;
  w->told = true;
  report(w);
}

static void tell_blocked_task(void *context) {
  pool_picture *p = context;
  tm_thread *u = p->threads[0];
  unsigned since = tm_look(u);
  const void *object = tm_waits_for(u);
  if (!object) return;
  p->threads[0] = NULL;
  draw_thread(p, u);
  uint64_t place = tm_mix(tm_mix(NEWS_BLOCKED, p->rooms[0].stack[0]), p->rooms[0].stack[1]);
  if (!tm_look_is_whole(u, since) || since != u->observe.watched_since || !tm_is_first_time(place))
    return;
  p->blocked.kind = TM_JOB_BLOCKED;
  p->blocked.thread = &p->views[0];
  p->blocked.job_blocked.awaited = p->views[0].wanted;
  tm_listening.happened(&p->blocked);
}

static void examine_thread(tm_thread *u) {
  tm_workers *w = atomic_load(&u->pools.workers);
  unsigned sequence = tm_look(u);
  bool blocks = w && !u->observe.scope_blocks && w->cooperative && tm_waits_for(u) &&
                tm_blocks_task(TM_GLIMPSE(u->holds.wait.kind));
  u->observe.watched_looks =
      blocks && sequence == u->observe.watched_since ? u->observe.watched_looks + 1 : 0;
  u->observe.watched_since = sequence;
  if (u->observe.watched_looks != BLOCKED_LOOKS) return;
  pool_picture *p = tm_map(sizeof(pool_picture));
  if (!p) return;
  p->threads[0] = u;
  tm_watchdog_call(tell_blocked_task, p);
  tm_unmap(p, sizeof(pool_picture));
}

static void look_at_pools(tm_check *check) {
  (void)check;
  tm_workers *w;
  for (int i = 0; (w = tm_workers_at(i)); i++) examine_pool(w);
  for (tm_thread *u = tm_thread_first(); u; u = tm_thread_next(u))
    if (tm_is_live(u)) examine_thread(u);
}

static tm_check pool_check = {.look = look_at_pools};

TM_SLOW void tm_workers_watch(tm_thread *t) {
  tm_swift_task_waits(t);
  /* Threads of an exploration are not watched: a flow that blocks leaves the other flows their
   * turn. */
  if (t->observe.watched || t->ground.explored || !tm_settings_now.starvation) return;
  t->observe.watched = true;
  t->observe.scope_blocks = tm_current_scope() != 0;
  tm_watchdog_arm(&pool_check);
}

TM_SLOW void tm_workers_unwatch(tm_thread *t) {
  t->observe.watched = false;
  tm_watchdog_disarm(&pool_check);
}

bool tm_sleep_blocks_pool(const tm_thread *t, uint64_t milliseconds) {
  tm_workers *w = t ? atomic_load_explicit(&t->pools.workers, memory_order_relaxed) : NULL;
  /* In an exploration no time passes, and no work waits for a thread. */
  if (TM_LIKELY(!w) || !w->cooperative || !tm_sleep_blocks_task(milliseconds) || t->ground.explored)
    return false;
  return tm_settings_now.starvation && !tm_current_scope();
}

void tm_workers_sleep(tm_thread *t, void *frame, uint64_t milliseconds) {
  uintptr_t site[TM_SITE];
  tm_site_take(t, frame, site);
  if (!tm_is_first_time(tm_mix(tm_mix(NEWS_SLEPT, site[0]), site[1]))) return;
  tm_happening sleeps = {.kind = TM_JOB_SLEEPS, .job_sleeps = {.milliseconds = milliseconds}};
  tm_tell_all(t, frame, &sleeps);
}

TM_GATE_CODE_END
#endif
