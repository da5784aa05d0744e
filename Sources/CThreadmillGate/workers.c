#ifdef __linux__
#include "base.h"
#include "workers.h"
#include "hang.h"
#include "news.h"
#include "queue.h"
#include "threadmill_decisions.h"
#include "swift_task.h"
#include "view.h"
#include "watchdog.h"
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

enum {
  SHOWN = 48,        /* threads of one picture */
  STARVED_LOOKS = 5, /* so long nothing moves in a starved pool */
  TASKS_LOOKS = 25,  /* in that of tasks, which blocks of libdispatch's pools may set free */
  NOTED_LOOKS = 3,   /* before the end of these */
  BLOCKED_LOOKS = 2, /* so long a task's thread is blocked to be worth a word */
  SLEPT = 1,
  BLOCKED = 2, /* kinds of news */
  GROWN = 2,   /* libdispatch added so many threads, and each of them was blocked as well */
};

/* A timer that repeats faster would have been seen at work. */
static const uint64_t PATIENCE = 200000000;

static tm_workers pools[TM_POOLS];
static uint64_t switches[TM_POOLS][TM_SLOTS];
static atomic_int unwatched[TM_POOLS][TM_WORKS];
static atomic_bool suspended;

static tm_workers *find_or_add(const void *queue, bool cooperative) {
  for (int i = 0; i < TM_POOLS; i++) {
    const void *there = atomic_load_explicit(&pools[i].queue, memory_order_acquire);
    if (!there && atomic_compare_exchange_strong(&pools[i].queue, &there, queue)) {
      pools[i].cooperative = cooperative;
      return &pools[i];
    }
    if (there == queue) return &pools[i];
  }
  return NULL;
}

void tm_workers_prepare(const void *queue) { find_or_add(queue, true); }

tm_workers *tm_workers_of(const void *queue) {
  const void *root = queue;
  for (int depth = 0; root && depth < TM_CHAIN; depth++) {
    const void *next = tm_queue_target(root);
    if (root == tm_main_queue) return NULL;
    for (int i = 0; depth == 0 && i < TM_POOLS; i++)
      if (atomic_load_explicit(&pools[i].queue, memory_order_relaxed) == root) return &pools[i];
    if (!next) return tm_queue_is_root(root) ? find_or_add(root, false) : NULL;
    root = next;
  }
  return NULL;
}

void tm_workers_count(tm_thread *t, const tm_workers *w, tm_work work, int change) {
  long pool = w - pools;
  if (!t) {
    atomic_fetch_add(&unwatched[pool][work], change);
    return;
  }
  int before = atomic_load_explicit(&t->work[pool][work], memory_order_relaxed);
  atomic_store_explicit(&t->work[pool][work], before + change, memory_order_relaxed);
}

/* Counts outlive their threads, so that the sum stays right. */
static int count_of(const tm_workers *w, tm_work work) {
  long pool = w - pools;
  int sum = atomic_load(&unwatched[pool][work]);
  for (tm_thread *u = atomic_load(&tm_threads); u; u = atomic_load(&u->next))
    sum += atomic_load_explicit(&u->work[pool][work], memory_order_relaxed);
  return sum;
}

void tm_workers_suspended(void) { atomic_store(&suspended, true); }

uint32_t tm_cores(void) {
  static uint32_t known;
  uint64_t set[16] = {0};
  if (known) return known;
  long bytes = syscall(SYS_sched_getaffinity, 0L, sizeof set, set);
  for (long i = 0; i < bytes / 8; i++) known += (uint32_t)__builtin_popcountll(set[i]);
  return known ? known : 1;
}

/* How many blocked threads make the pool starved. */
static uint32_t limit_of(const tm_workers *w) {
  return w->cooperative ? tm_queue_width(w->queue) : tm_cores() + GROWN;
}

typedef struct picture {
  tm_workers *pool;
  tm_starvation told;
  tm_thread *threads[SHOWN];
  tm_thread_view views[SHOWN];
  tm_view_room rooms[SHOWN];
  tm_happening blocked;
} picture;

static void draw_thread(picture *p, tm_thread *u) {
  tm_standstill *all = &p->told.picture;
  if (all->thread_count == SHOWN) {
    all->left_out++;
    return;
  }
  uint32_t i = all->thread_count++;
  p->threads[i] = u;
  tm_view_waiting(u, &p->rooms[i], &p->views[i]);
  p->views[i].stack = p->rooms[i].stack;
  p->views[i].stack_count = tm_stack_of_waiting(u, u->wait.frame, p->rooms[i].stack, TM_STACK);
}

/* What all its threads have done so far; 0 if one of them runs, or will by itself. */
static uint64_t mark_of(const tm_workers *w, uint32_t *count) {
  uint64_t mark = 1;
  *count = 0;
  for (tm_thread *u = atomic_load(&tm_threads); u; u = atomic_load(&u->next)) {
    if (!atomic_load(&u->live) || atomic_load(&u->workers) != w) continue;
    if (!atomic_load(&u->wait.object) || u->wait.bounded) return 0;
    mark = tm_mix(tm_mix(mark, u->number), atomic_load(&u->sequence));
    ++*count;
  }
  return mark | 1;
}

static void tell_starved(void *context) {
  picture *p = context;
  uint32_t count;
  for (tm_thread *u = atomic_load(&tm_threads); u; u = atomic_load(&u->next))
    if (atomic_load(&u->live) && atomic_load(&u->workers) == p->pool &&
        atomic_load(&u->wait.object))
      draw_thread(p, u);
  p->told.picture.threads = p->views;
  p->told.cooperative = p->pool->cooperative;
  p->told.label = tm_queue_label(p->pool->queue);
  int waiting = count_of(p->pool, TM_WORK_WAITS);
  p->told.waiting = waiting > 0 ? (uint32_t)waiting : 0;
  if (waiting > 0 && mark_of(p->pool, &count) == p->pool->mark) tm_listening.starved(&p->told);
}

static void report(tm_workers *w) {
  picture *p = tm_map(sizeof(picture));
  if (!p) return;
  p->pool = w;
  tm_watchdog_call(tell_starved, p);
  tm_unmap(p, sizeof(picture));
}

static bool is_help_on_its_way(void) {
  for (int i = 0; i < TM_POOLS && atomic_load(&pools[i].queue); i++) {
    const tm_workers *w = &pools[i];
    tm_pool_signs signs = {.cooperative = w->cooperative,
                           .work_waits = count_of(w, TM_WORK_WAITS) > 0,
                           .limit = limit_of(w)};
    signs.all_blocked = mark_of(w, &signs.blocked) != 0;
    if (tm_gets_thread(signs)) return true;
  }
  return false;
}

static tm_pool_signs signs_of(const tm_workers *w) {
  bool waits = count_of(w, TM_WORK_WAITS) > 0;
  return (tm_pool_signs){.cooperative = w->cooperative,
                         .work_waits = waits,
                         .barrier_waits = count_of(w, TM_WORK_BARRIER) != 0,
                         .suspended = atomic_load(&suspended),
                         .help_is_on_its_way = w->cooperative && waits && is_help_on_its_way(),
                         .limit = limit_of(w)};
}

/* A pool may be blocked and correct, as long as some other thread is about to set it free: so all
 * the others have to be stuck or idle, too. */
static void examine(tm_workers *w) {
  tm_pool_signs signs = signs_of(w);
  if (!signs.work_waits) w->told = false;
  uint32_t looks = w->cooperative ? TASKS_LOOKS : STARVED_LOOKS;
  uint64_t mark = tm_may_be_starved(signs) ? mark_of(w, &signs.blocked) : 0;
  signs.all_blocked = mark != 0;
  w->still = mark == w->mark && tm_is_starved(signs) ? w->still + 1 : 0;
  w->mark = mark;
  if (w->told) return;
  if (w->still == looks - NOTED_LOOKS) tm_switches_note(switches[w - pools]);
  if (w->still < looks) return;
  w->still = 0;
  if (tm_can_anything_move(switches[w - pools], PATIENCE)) return;
  w->told = true;
  report(w);
}

static void tell_blocked(void *context) {
  picture *p = context;
  tm_thread *u = p->threads[0];
  unsigned since = atomic_load(&u->sequence);
  const void *object = atomic_load(&u->wait.object);
  if (!object) return;
  p->threads[0] = NULL;
  draw_thread(p, u);
  uint64_t place = tm_mix(tm_mix(BLOCKED, p->rooms[0].stack[0]), p->rooms[0].stack[1]);
  if (atomic_load(&u->sequence) != since || since != u->watched_since || !tm_is_news(place)) return;
  p->blocked.kind = TM_JOB_BLOCKED;
  p->blocked.thread = &p->views[0];
  p->blocked.job_blocked.awaited = p->views[0].wanted;
  tm_listening.happened(&p->blocked);
}

static void examine_thread(tm_thread *u) {
  tm_workers *w = atomic_load(&u->workers);
  unsigned sequence = atomic_load(&u->sequence);
  bool blocks = w && !u->scope_blocks && w->cooperative && atomic_load(&u->wait.object) &&
                tm_blocks_task(u->wait.kind);
  u->watched_looks = blocks && sequence == u->watched_since ? u->watched_looks + 1 : 0;
  u->watched_since = sequence;
  if (u->watched_looks != BLOCKED_LOOKS) return;
  picture *p = tm_map(sizeof(picture));
  if (!p) return;
  p->threads[0] = u;
  tm_watchdog_call(tell_blocked, p);
  tm_unmap(p, sizeof(picture));
}

static void look(tm_check *check) {
  (void)check;
  for (int i = 0; i < TM_POOLS && atomic_load(&pools[i].queue); i++) examine(&pools[i]);
  for (tm_thread *u = atomic_load(&tm_threads); u; u = atomic_load(&u->next))
    if (atomic_load(&u->live)) examine_thread(u);
}

static tm_check check = {.look = look};

TM_SLOW void tm_workers_watch(tm_thread *t) {
  tm_swift_task_waits(t);
  /* Of an exploration everything goes on that can, whoever blocks. */
  if (t->watched || t->seat || !tm_settings_now.starvation) return;
  t->watched = true;
  t->scope_blocks = tm_current_scope() != 0;
  tm_watchdog_arm(&check);
}

TM_SLOW void tm_workers_unwatch(tm_thread *t) {
  t->watched = false;
  tm_watchdog_disarm(&check);
}

static bool is_users(void *return_address) {
  tm_caller who;
  return tm_users_call(return_address, &who) && who <= TM_CALLER_FOUNDATION;
}

void tm_workers_sleep(void *return_address, void *frame, uint64_t milliseconds) {
  tm_thread *t = tm_self;
  tm_workers *w = t ? atomic_load_explicit(&t->workers, memory_order_relaxed) : NULL;
  /* Under control no time passes, and nobody waits for a thread. */
  if (TM_LIKELY(!w) || !w->cooperative || !tm_sleep_blocks_task(milliseconds) || t->seat) return;
  if (!tm_settings_now.starvation || tm_current_scope() || !is_users(return_address)) return;
  uintptr_t site[TM_SITE];
  tm_site_take(t, frame, site);
  if (!tm_is_news(tm_mix(tm_mix(SLEPT, site[0]), site[1]))) return;
  tm_happening sleeps = {.kind = TM_JOB_SLEEPS, .job_sleeps = {.milliseconds = milliseconds}};
  tm_tell_all(t, frame, &sleeps);
}

TM_GATE_CODE_END
#endif
