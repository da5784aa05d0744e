#ifdef __linux__
#include "ground/base.h"
#include "ground/facts.h"
#include "ground/now.h"
#include "ground/thread.h"
#include "shake/shake.h"
#include "strand/course.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"

TM_GATE_CODE_BEGIN

/* Decisions that depend on what all threads have done so far: windows of starvation, ranks, and
 * places that were not seen before. */

enum { PLACES = 4096, PLACE_PROBES = 8, SHORTEST = 100 * TM_MICROSECOND };

/* Windows. */

static bool is_hit(const tm_thread *t, const tm_shaker *s, uint64_t salt) {
  return (tm_scramble(t->strand.course.path ^ salt) & 0xff) < s->plan.starved;
}

static const tm_window *window_at(const tm_shaker *s, uint64_t n) {
  if (!s->plan.window_period) return NULL;
  for (uint32_t i = 0; i < s->plan.window_count; i++)
    if (s->plan.windows[i].begins == n % s->plan.window_period) return &s->plan.windows[i];
  return NULL;
}

/* Opens a window. All windows together, this one included, take at most a fifth of the time, so the
 * window may be cut. */
static void open_window(tm_shaker *s, const tm_window *w) {
  uint64_t now = tm_now(), starved = atomic_load(&s->starved);
  uint64_t elapsed = now - s->began, length = (uint64_t)w->microseconds * TM_MICROSECOND;
  uint64_t allowed = elapsed > 5 * starved ? (elapsed - 5 * starved) / 4 : 0;
  if (length > allowed) length = allowed;
  if (length < SHORTEST) return tm_count_one(TM_JITTER_OVER_BUDGET);
  atomic_fetch_add(&s->starved, length);
  atomic_store(&s->window_salt, w->salt);
  atomic_store(&s->window_ends, now + length);
}

/* Makes a thread that is chosen in a starvation window wait for the end of that window, once. The
 * moment decides whether a window is opened, but the decision does not depend on the moment: it
 * tells the length that was drawn. */
tm_decision tm_shake_starve(tm_thread *t, tm_shaker *s, uint64_t n) {
  uint64_t ends = atomic_load_explicit(&s->window_ends, memory_order_relaxed);
  const tm_window *w = window_at(s, n);
  if (w && tm_now() >= ends) open_window(s, w);
  uint64_t open = atomic_load_explicit(&s->window_salt, memory_order_relaxed);
  bool again = t->strand.course.window == open;
  t->strand.course.window = open;
  if (w) return is_hit(t, s, w->salt) ? tm_sleep_for(w->microseconds) : 0;
  if (!ends || again || !is_hit(t, s, open)) return 0;
  uint64_t now = tm_now();
  return now < ends ? tm_sleep_for((ends - now + TM_MICROSECOND - 1) / TM_MICROSECOND) : 0;
}

void tm_shake_starve_delay(tm_thread *t, tm_shaker *s, tm_decision decision) {
  uint64_t ends = atomic_load_explicit(&s->window_ends, memory_order_relaxed), now = tm_now();
  uint64_t left = now < ends ? (ends - now) / TM_MICROSECOND : 0;
  uint64_t wanted = decision >> TM_DECIDES_SHIFT;
  if (left) tm_shake_delay_by(t, s, tm_sleep_for(left < wanted ? left : wanted));
}

/* Ranks. */

tm_decision tm_shake_rank(tm_thread *t, tm_shaker *s, tm_point point, uint64_t n) {
  if (!s->plan.rank_count) return 0;
  for (uint32_t i = 0; i < s->plan.change_count; i++)
    if (s->plan.changes[i] == n) t->strand.course.is_last = true;
  if (point != TM_POINT_BEFORE && point != TM_POINT_BEGIN && point != TM_POINT_START) return 0;
  uint64_t drawn = tm_scramble(s->plan.seed + t->strand.course.path * 0xD6E8FEB86659FD93u);
  uint32_t last = s->plan.rank_count - 1;
  return s->plan.ranks[t->strand.course.is_last ? last : drawn % s->plan.rank_count];
}

/* Places. The state is the plan's generation above the count. An entry is never given back; if
 * there is no room, a place counts as well known. */

static struct {
  atomic_ullong name, state;
} places[PLACES];

static uint32_t place_of(uint64_t name) {
  for (uint32_t probe = 0; probe < PLACE_PROBES; probe++) {
    uint32_t at = (name + probe) % PLACES;
    unsigned long long found = atomic_load_explicit(&places[at].name, memory_order_relaxed);
    if (!found && atomic_compare_exchange_strong(&places[at].name, &found, name)) return at;
    if (found == name) return at;
  }
  return PLACES;
}

uint32_t tm_shake_seen(const tm_shaker *s, tm_point point, uintptr_t place) {
  uint64_t name = tm_scramble(tm_mix(place, (uint64_t)s->scope << 8 | point)) | 1;
  uint32_t at = place_of(name);
  if (at == PLACES) return UINT32_MAX;
  uint64_t generation = atomic_load_explicit(&s->generation, memory_order_relaxed);
  unsigned long long old = atomic_load_explicit(&places[at].state, memory_order_relaxed), new;
  do new = old >> 32 == generation ? old + 1 : generation << 32 | 1;
  while (!atomic_compare_exchange_weak(&places[at].state, &old, new));
  return (uint32_t) new - 1;
}

TM_GATE_CODE_END
#endif
