#ifdef __linux__
#include "ground/base.h"
#include "strand/fibre.h"
#include "ground/facts.h"
#include "ground/limits.h"
#include "ground/lock.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "strand/clock.h"
#include "strand/roots.h"
#include "strand/stack_notes.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* Making a fibre takes some microseconds, and TSan keeps up to half a megabyte of history for each.
 * So fibres come from a pool, and stand in a line while they are at rest, the longest rested one
 * first. What runs on a fibre later comes, for TSan, after what ran on it before. So a strand takes
 * a fibre whose last strand it comes after anyway, if one is found; else a new one, until there are
 * `USUAL`; else the first in the line, which is counted. There are more only if so many strands run
 * at once: TSan itself tells 255 threads and fibres apart.
 *
 * A worker of libdispatch keeps the fibre of its last strand while it is idle. If the next strand
 * comes after that one anyway, as the next block of a serial queue does, it goes on there: nothing
 * is cleared, and no lock is taken. */
enum { USUAL = 128, FIBRES = 512, LOOKED_AT = 8, NAME = 24, PAST = 8, SLOTS = TM_SLOTS + FIBRES };

typedef struct tm_fibre {
  void *state;
  uint32_t slot, now; /* in vector clocks, and the time there */
  uint32_t last;      /* the last moment of its last strand */
  bool rests;         /* it stands in the line */
  struct tm_fibre *next, *before;
  tm_roots roots; /* of the thread, if the strand is its outermost one */
  /* The latest kinds of work, a ring; another thread reads it when it reports a race. */
  atomic_uint count;
  struct {
    atomic_uint thread, work, task;
  } past[PAST];
} tm_fibre;

bool tm_fibres_on;
static tm_fibre fibres[FIBRES];
static struct {
  tm_spin lock;
  uint32_t made;
  tm_fibre *first, *last;
  tm_fibre *by_slot[SLOTS];
} pool;

/* The state that creates fibres. It knows only what the first worker knew when it began, so that a
 * fibre begins after little of the program's. TSan counts fibres as threads, and a child of a
 * process with several threads may start none. So there is no fibre before a strand needs one. Used
 * with the pool's lock held. */
static void *mother;

static const char prefix[] = "strand ";

static void name(tm_fibre *f) {
  char text[NAME];
  uint32_t number = (uint32_t)(f - fibres), at = sizeof prefix - 1;
  tm_copy(text, prefix, at);
  for (uint32_t unit = 1000; unit; unit /= 10)
    if (number >= unit || unit == 1) text[at++] = (char)('0' + number / unit % 10);
  text[at] = 0;
  __tsan_set_fiber_name(f->state, text);
}

int tm_fibre_number(const char *text) {
  if (!text || !tm_same(text, prefix, tm_length(text, sizeof prefix - 1))) return -1;
  int number = 0;
  const char *digit = text + sizeof prefix - 1;
  if (tm_length(text, sizeof prefix) < sizeof prefix) return -1;
  for (; *digit >= '0' && *digit <= '9'; digit++) number = number * 10 + *digit - '0';
  return *digit || number >= FIBRES ? -1 : number;
}

static tm_fibre *make_fibre(void *from) {
  if (!mother) mother = __tsan_create_fiber(0);
  if (!mother) return NULL;
  tm_fibre *f = &fibres[pool.made++];
  __tsan_switch_to_fiber(mother, TM_TSAN_NO_SYNC);
  f->state = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(from, TM_TSAN_NO_SYNC);
  f->slot = tm_slot_new();
  if (f->slot < SLOTS) pool.by_slot[f->slot] = f;
  name(f);
  tm_count_one(TM_FIBRES);
  return f;
}

/* Returns whether the strand comes after all that ran on the fibre, whichever fibre it gets. */
static bool is_over(const tm_fibre *f, const tm_known *known) {
  if (tm_clock_knows(known->from.clock, f->slot, f->last)) return true;
  for (uint32_t i = 0; i < known->count; i++)
    if (tm_clock_knows(known->ends[i], f->slot, f->last)) return true;
  return false;
}

static tm_fibre *unlink_fibre(tm_fibre *f) {
  *(f->before ? &f->before->next : &pool.first) = f->next;
  *(f->next ? &f->next->before : &pool.last) = f->before;
  f->rests = false;
  return f;
}

static void give(tm_fibre *f) {
  f->next = NULL;
  f->before = pool.last;
  *(pool.last ? &pool.last->next : &pool.first) = f;
  pool.last = f;
  f->rests = true;
}

static tm_fibre *find_over(const tm_known *known) {
  tm_fibre *f = known->near < SLOTS ? pool.by_slot[known->near] : NULL;
  if (f && f->rests && is_over(f, known)) return f;
  f = pool.first;
  for (int i = 0; i < LOOKED_AT && f; i++, f = f->next)
    if (is_over(f, known)) return f;
  return NULL;
}

static tm_fibre *take(void *now, const tm_known *known) {
  tm_fibre *f = find_over(known);
  if (f) return unlink_fibre(f);
  if (pool.made < (pool.first ? USUAL : FIBRES)) return make_fibre(now);
  if (!pool.first) return NULL;
  tm_count_one(TM_STRANDS_ORDERED);
  return unlink_fibre(pool.first);
}

/* Takes a fibre, and gives another one back if `kept` is not NULL. In a forked child, another
 * thread may have had the lock. */
static tm_fibre *exchange(void *now, const tm_known *known, tm_fibre *kept) {
  if (!tm_is_active()) return kept;
  tm_spin_lock(&pool.lock);
  if (kept) give(kept);
  tm_fibre *f = known ? take(now, known) : NULL;
  tm_spin_unlock(&pool.lock);
  return f;
}

/* A worker goes to the fibre that it kept, or exchanges it. All frames on its stack are those of
 * libraries. */
static tm_fibre *leave_idleness(tm_thread *t, void *own, const tm_known *known) {
  tm_fibre *f = t->strand.kept;
  bool goes_on = f && is_over(f, known);
  if (goes_on && tm_stack_is_unnoted(own, t->strand.mark)) return f;
  if (!goes_on) t->strand.kept = f = exchange(own, known, f);
  if (!f) return NULL;
  tm_roots_take(&f->roots);
  tm_stack_notes_forget(t, own, t->code.stack_top);
  return f;
}

static tm_fibre *leave_strand(tm_thread *t, void *now, const tm_known *known, uintptr_t top) {
  tm_fibre *f = exchange(now, known, NULL);
  if (f && !t->strand.own_state) tm_roots_take(&f->roots);
  if (f) tm_stack_notes_forget(t, now, top);
  return f;
}

void tm_fibre_enter(tm_thread *t, const tm_known *known, uintptr_t top, tm_stay *stay) {
  *stay = (tm_stay){NULL, NULL, false, false};
  if (!tm_is_on_own_stack(t, top)) return;
  void *now = __tsan_get_current_fiber();
  bool outermost = !t->strand.own_state, idle = outermost && t->who.is_worker;
  tm_fibre *f = idle ? leave_idleness(t, now, known) : leave_strand(t, now, known, top);
  if (!f) return;
  *stay = (tm_stay){f, now, outermost, idle};
  if (outermost) t->strand.roots = &f->roots, t->strand.own_state = now;
  __tsan_switch_to_fiber(f->state, TM_TSAN_NO_SYNC);
  t->strand.slot = f->slot;
  t->strand.now = f->now;
}

void tm_fibre_leave(tm_thread *t, uintptr_t top, bool passes, const tm_stay *stay) {
  tm_fibre *f = stay->fibre;
  static tm_edge none;
  /* Handlers of signals that came meanwhile run on the strand that they interrupted. */
  __tsan_atomic64_load(&none.word, 0);
  __tsan_switch_to_fiber(stay->outer, passes ? 0 : TM_TSAN_NO_SYNC);
  if (!passes) tm_stack_notes_forget(t, stay->outer, top);
  if (stay->outermost) t->strand.own_state = NULL, t->strand.roots = NULL;
  f->now = t->strand.now;
  f->last = t->strand.last;
  if (stay->kept) t->strand.mark = tm_stack_mark(stay->outer);
  else exchange(stay->outer, NULL, f);
}

static bool is_noted(tm_fibre *f, unsigned at, uint32_t thread, uint32_t work, uint32_t task) {
  return atomic_load_explicit(&f->past[at].thread, memory_order_relaxed) == thread &&
         atomic_load_explicit(&f->past[at].work, memory_order_relaxed) == work &&
         atomic_load_explicit(&f->past[at].task, memory_order_relaxed) == task;
}

void tm_fibre_does(const tm_thread *t, const tm_stay *stay, uint32_t work, uint32_t task) {
  tm_fibre *f = stay->fibre;
  unsigned count = atomic_load_explicit(&f->count, memory_order_relaxed), at = count % PAST;
  if (count && is_noted(f, (count - 1) % PAST, t->who.number, work, task)) return;
  atomic_store_explicit(&f->past[at].thread, t->who.number, memory_order_relaxed);
  atomic_store_explicit(&f->past[at].work, work, memory_order_relaxed);
  atomic_store_explicit(&f->past[at].task, task, memory_order_relaxed);
  atomic_fetch_add_explicit(&f->count, 1, memory_order_relaxed);
}

tm_fibre_past tm_fibre_did(int fibre, uint32_t work) {
  tm_fibre *f = &fibres[fibre];
  unsigned count = atomic_load(&f->count), kept = count < PAST ? count : PAST;
  tm_fibre_past past = {.certain = count <= PAST};
  for (unsigned i = 1; i <= kept; i++) {
    unsigned at = (count - i) % PAST;
    if (atomic_load(&f->past[at].work) != work) continue;
    uint32_t thread = atomic_load(&f->past[at].thread);
    bool first = past.thread == 0;
    if (first) past.thread = thread, past.task = atomic_load(&f->past[at].task);
    else past.task = 0;
    past.certain = past.certain && past.thread == thread;
  }
  return past;
}

bool tm_fibre_ran_on(int fibre, uint32_t thread) {
  unsigned count = atomic_load(&fibres[fibre].count);
  for (unsigned i = 0; i < PAST && i < count; i++)
    if (atomic_load(&fibres[fibre].past[i].thread) == thread) return true;
  return false;
}

void tm_fibre_abandon(tm_thread *t) {
  tm_fibre *kept = t->strand.kept;
  t->strand.kept = NULL;
  if (TM_UNLIKELY(t->strand.own_state != NULL)) {
    __tsan_switch_to_fiber(t->strand.own_state, 0);
    t->strand.own_state = NULL;
    t->strand.roots = NULL;
  } else if (kept) {
    exchange(NULL, NULL, kept);
  }
}

void tm_fibres_prepare(void) {
  bool can = __tsan_get_current_fiber && __tsan_create_fiber && __tsan_switch_to_fiber &&
             __tsan_set_fiber_name && __tsan_atomic64_load && __tsan_atomic64_store &&
             tm_tsan_forget && __tsan_acquire && __tsan_release;
  if (!tm_settings_now.strands || !can) return;
  tm_stack_notes_prepare();
  tm_fibres_on = true;
}

TM_GATE_CODE_END
#endif
