#ifdef __linux__
#include "ground/base.h"
#include "shake/shake.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/now.h"
#include "ground/thread.h"
#include "shake/part.h"
#include "strand/course.h"
#include "strand/strand.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Points and decisions. A strand's disturbances are drawn from the plan's seed, the strand's path
 * and its own count of points. Only three parts of a plan depend on other threads, too: windows,
 * changes of rank and places seen are counted over all threads. */

enum { GRACE = 20000000, CHUNK = 10000000, HOLD = 100000000, SHORTLY = 200 };

/* For tests. */
static tm_shaken *_Atomic room;
static uint32_t room_limit;
static atomic_uint recorded;

void tm_shake_record(tm_shaken *at, uint32_t limit) {
  room_limit = limit;
  atomic_store(&recorded, 0);
  atomic_store(&room, at);
}

uint32_t tm_shake_recorded(void) {
  uint32_t count = atomic_load(&recorded);
  return count < room_limit ? count : room_limit;
}

static void record(const tm_thread *t, uint32_t index, tm_point point, tm_decision decision) {
  tm_shaken *first = atomic_load_explicit(&room, memory_order_relaxed);
  if (TM_LIKELY(!first)) return;
  uint32_t place = atomic_fetch_add(&recorded, 1);
  if (place < room_limit) first[place] = (tm_shaken){t->strand.course.path, index, point, decision};
}

/* Set at exit, because the end of the process is not delayed. The handler runs before all handlers
 * that the program registered before its first point. */
static atomic_bool over;

static void end(int status, void *unused) {
  (void)status, (void)unused;
  atomic_store(&over, true);
}

TM_SLOW static void expect_end(void) {
  tm_quiet before = tm_quiet_begin();
  on_exit(end, NULL);
  tm_quiet_end(before);
}

static bool may_be_disturbed(const tm_thread *t) {
  static atomic_bool expected;
  if (t->ground.inside || t->who.exiting || atomic_load_explicit(&over, memory_order_relaxed))
    return false;
  if (TM_UNLIKELY(!atomic_load_explicit(&expected, memory_order_relaxed)) &&
      !atomic_exchange(&expected, true))
    expect_end();
  return true;
}

typedef enum source { FROM_TABLE, FROM_FRESH, FROM_WINDOW, FROM_NEAR } source;

typedef struct draw {
  tm_shaker *shaker;
  uint64_t hash;
  tm_decision decision;
  source from;
} draw;

static tm_decision draw_fresh(const tm_shaker *s, tm_point point, uint64_t hash) {
  return s->plan.fresh[point][(hash >> 16) % TM_FRESH_CHOICES];
}

static tm_decision fresh(const tm_shaker *s, tm_point point, uintptr_t place, uint64_t hash) {
  if (!place || point == TM_POINT_MEMORY || !s->plan.fresh_times) return 0;
  uint64_t seen = tm_shake_seen(s, point, place);
  if (seen >= s->plan.fresh_times && (hash >> 40) % (seen + 1) >= s->plan.fresh_times) return 0;
  return draw_fresh(s, point, hash);
}

static void choose(tm_thread *t, draw *d, tm_point point, const void *object, uintptr_t place,
                   uint64_t n) {
  tm_shaker *s = d->shaker;
  uint64_t mine = tm_scramble(s->plan.seed ^ t->strand.course.path);
  uint64_t hash = d->hash = tm_scramble(mine + t->strand.course.points * 0x9E3779B97F4A7C15u);
  const tm_manner *manner = &s->plan.manners[(mine >> 32) % s->plan.manner_count];
  bool operation = point <= TM_POINT_WAKE;
  d->from = FROM_WINDOW;
  bool begins = point == TM_POINT_BEGIN || point == TM_POINT_START;
  bool starves = manner->starves && !begins;
  if (starves && (d->decision = tm_shake_starve(t, s, n))) return;
  d->from = FROM_FRESH;
  if (operation && (d->decision = fresh(s, point, place, hash))) return;
  d->from = FROM_NEAR;
  if (manner->learns && object && (d->decision = tm_shake_near(t, s, object, place, hash))) return;
  d->from = FROM_TABLE;
  if (manner->ranks && operation && (d->decision = tm_shake_rank(t, s, point, n))) return;
  d->decision = manner->decisions[point][hash % TM_CHOICES];
}

static bool decide(tm_thread *t, tm_point point, const void *object, uintptr_t place, draw *d) {
  if (!may_be_disturbed(t) || !(d->shaker = tm_shaker_of(t))) return false;
  uint64_t n = atomic_fetch_add_explicit(&d->shaker->points, 1, memory_order_relaxed);
  choose(t, d, point, object, place, n);
  record(t, t->strand.course.points++, point, d->decision);
  tm_count_one(TM_JITTER_POINTS);
  return d->decision != TM_DECIDES_NOTHING;
}

/* Blocks that are due, by queue; queues that share a place count as one. */
enum { QUEUES = 64 };
static atomic_int due, due_on[QUEUES];

static atomic_int *due_of(const void *queue) {
  return &due_on[tm_scramble((uintptr_t)queue) % QUEUES];
}

void tm_shake_due(const void *queue, int more) {
  atomic_fetch_add_explicit(&due, more, memory_order_relaxed);
  atomic_fetch_add_explicit(due_of(queue), more, memory_order_relaxed);
}

/* Returns whether another block may still begin while this thread's block waits: one that is due on
 * another queue, or one that the submitter of this thread's block may still submit. */
static bool may_another_begin(const tm_thread *t) {
  return atomic_load(&due) > atomic_load(due_of(t->strand.origin.runs.queue)) ||
         tm_strand_goes_on(t->strand.course.maker);
}

/* Puts off the moment at which those that are held go on. */
static void put_off(tm_shaker *s, uint64_t moment) {
  unsigned long long known = atomic_load(&s->release);
  while (known < moment && !atomic_compare_exchange_weak(&s->release, &known, moment)) {}
}

/* Returns whether a strand is held alone. */
static bool is_waiting(const tm_shaker *s) {
  return atomic_load_explicit(&s->waiting, memory_order_relaxed) != 0;
}

static bool stop_waiting(tm_shaker *s) {
  atomic_fetch_sub(&s->waiting, 1);
  return false;
}

/* Holds the first strands of a place until no further one has begun for a while. One that begins
 * while another is held has a thread of its own. They all go on at the same time, each delayed as
 * before an operation. A strand that is held alone waits for another one as long as one may begin:
 * on a busy machine a submitter, or a new thread, may take any time. Meanwhile no other thread is
 * delayed, because it may be about to submit the next block. */
static void hold(tm_thread *t, const draw *d) {
  tm_shaker *s = d->shaker;
  uint64_t began = tm_now(), now = began, wait = 0;
  uint32_t begun = atomic_fetch_add(&s->begun, 1) + 1;
  tm_decision quiet = draw_fresh(s, TM_POINT_BEGIN, d->hash);
  put_off(s, began + (uint64_t)(quiet >> TM_DECIDES_SHIFT) * TM_MICROSECOND);
  bool alone = atomic_fetch_add(&s->held, 1) == 0, goes_on = true;
  if (alone) atomic_fetch_add(&s->waiting, 1);
  for (; goes_on && now < began + HOLD; now = tm_now()) {
    if (alone && atomic_load(&s->begun) != begun) alone = stop_waiting(s);
    uint64_t release = atomic_load(&s->release);
    if (now < release) wait = (release - now + TM_MICROSECOND - 1) / TM_MICROSECOND;
    else if (alone && may_another_begin(t)) wait = SHORTLY;
    else break;
    goes_on = tm_shake_delay_by(t, s, tm_sleep_for(alone && wait > SHORTLY ? SHORTLY : wait));
  }
  if (alone) stop_waiting(s);
  atomic_fetch_sub(&s->held, 1);
  if (goes_on) tm_shake_delay_by(t, s, draw_fresh(s, TM_POINT_BEFORE, tm_scramble(d->hash)));
}

static bool is_held(const draw *d, tm_point point) {
  if (d->from != FROM_FRESH) return false;
  return point == TM_POINT_BEGIN || (point == TM_POINT_START && d->shaker->plan.holds_threads);
}

tm_decision tm_shake_decide(tm_thread *t, tm_point point, const void *object, uintptr_t place) {
  draw d;
  return decide(t, point, object, place, &d) ? d.decision : 0;
}

void tm_shake_at(tm_thread *t, tm_point point, const void *object, uintptr_t place) {
  draw d;
  if (object && point == TM_POINT_BEFORE && !t->ground.inside) tm_shake_uses(t, object);
  if (!decide(t, point, object, place, &d)) return;
  uint64_t since = d.from == FROM_NEAR ? tm_now() : 0;
  if (d.from == FROM_WINDOW) tm_shake_starve_delay(t, d.shaker, d.decision);
  else if (is_held(&d, point)) hold(t, &d);
  else if (is_waiting(d.shaker)) return;
  else tm_shake_delay_by(t, d.shaker, d.decision);
  if (since) tm_shake_near_over(t, d.shaker, object, place, since);
}

/* Delays. They are raw system calls, which TSan does not see and which are no cancellation points.
 * Their time is measured, because on a busy machine a sleep lasts longer than asked. */

static bool is_affordable(tm_thread *t, const tm_shaker *s, uint64_t wanted, uint64_t now) {
  uint32_t generation = atomic_load_explicit(&s->generation, memory_order_relaxed);
  if (t->shake.generation < generation)
    t->shake = (tm_shake_part){.generation = generation, .began = s->began};
  uint64_t all = t->shake.delayed + wanted;
  return all <= GRACE || all * 100 <= (now + wanted - t->shake.began) * s->plan.budget;
}

static void spin(uint64_t until) {
  while (tm_now() < until)
    for (int i = 0; i < 32; i++) __asm__ volatile("" ::: "memory");
}

/* Returns whether the plan and the process go on. */
static bool sleep_until(const tm_shaker *s, uint64_t until) {
  uint32_t generation = atomic_load_explicit(&s->generation, memory_order_relaxed);
  for (uint64_t now; (now = tm_now()) < until;) {
    uint64_t left = until - now < CHUNK ? until - now : CHUNK;
    struct timespec chunk = {0, (long)left};
    syscall(SYS_nanosleep, &chunk, NULL);
    bool goes_on = atomic_load_explicit(&s->on, memory_order_relaxed) &&
                   atomic_load_explicit(&s->generation, memory_order_relaxed) == generation;
    if (!goes_on || atomic_load_explicit(&over, memory_order_relaxed)) return false;
  }
  return true;
}

static void count(tm_thread *t, uint64_t delayed) {
  static atomic_ullong total;
  t->shake.delayed += delayed;
  unsigned long long before = atomic_fetch_add_explicit(&total, delayed, memory_order_relaxed);
  tm_count_many(TM_JITTER_MILLISECONDS, (before + delayed) / 1000000 - before / 1000000);
  tm_count_one(TM_JITTER_DELAYS);
}

bool tm_shake_delay_by(tm_thread *t, tm_shaker *s, tm_decision decision) {
  uint64_t wanted = (uint64_t)(decision >> TM_DECIDES_SHIFT) * TM_MICROSECOND, now = tm_now();
  if (!is_affordable(t, s, wanted, now)) {
    tm_count_one(TM_JITTER_OVER_BUDGET);
    return false;
  }
  bool goes_on = true;
  int saved = errno;
  switch (decision & TM_DECIDES_SLEEP) {
  case TM_DECIDES_YIELD: syscall(SYS_sched_yield); break;
  case TM_DECIDES_SPIN: spin(now + wanted); break;
  default: goes_on = sleep_until(s, now + wanted); break;
  }
  errno = saved;
  count(t, tm_now() - now);
  return goes_on;
}

void tm_shake_delay(tm_thread *t, tm_decision decision) {
  tm_shaker *s = tm_shaker_of(t);
  if (s && !is_waiting(s)) tm_shake_delay_by(t, s, decision);
}

TM_GATE_CODE_END
#endif
