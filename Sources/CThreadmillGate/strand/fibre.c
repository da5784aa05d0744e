#ifdef __linux__
#include "ground/base.h"
#include "strand/fibre.h"
#include "ground/facts.h"
#include "ground/kernel.h"
#include "ground/lock.h"
#include "ground/pool.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "strand/clock.h"
#include "strand/roots.h"
#include "threadmill_gate.h"
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

TM_GATE_CODE_BEGIN

/* Making a fibre takes some microseconds, and TSan keeps something of each for ever. So fibres come
 * from a pool, and stand in a line while they are at rest, the longest rested one first. What runs
 * on a fibre later comes, for TSan, after what ran on it before. So a strand takes a fibre whose
 * last strand it comes after anyway, if one of the first in the line is such; else a new one, until
 * there are `FIBRES`; else the first in the line, which is counted. */
enum { FIBRES = 512, LOOKED_AT = 8, NAME = 24, PAST = 8 };

typedef struct tm_fibre {
  void *state;
  uint32_t slot, now; /* in vector clocks, and the time there */
  uint32_t last;      /* the last moment of its last strand */
  struct tm_fibre *next;
  tm_roots roots; /* of the thread, if the strand is its outermost one */
  /* The latest strands, a ring; another thread reads it when it reports a race. */
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
  tm_fibre *first, **last;
} pool = {.last = &pool.first};

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

static tm_fibre *make(void *from) {
  if (!mother) mother = __tsan_create_fiber(0);
  if (!mother) return NULL;
  tm_fibre *f = &fibres[pool.made++];
  __tsan_switch_to_fiber(mother, TM_TSAN_NO_SYNC);
  f->state = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(from, TM_TSAN_NO_SYNC);
  f->slot = tm_slot_new();
  name(f);
  return f;
}

static bool is_over(const tm_fibre *f, tm_stamp from) {
  return tm_clock_knows(from.clock, f->slot, f->last);
}

static tm_fibre *unlink_at(tm_fibre **at) {
  tm_fibre *f = *at;
  *at = f->next;
  if (pool.last == &f->next) pool.last = at;
  f->next = NULL;
  return f;
}

static tm_fibre *take(void *now, tm_stamp from) {
  tm_fibre **at = &pool.first;
  for (int i = 0; i < LOOKED_AT && *at; i++, at = &(*at)->next)
    if (is_over(*at, from)) return unlink_at(at);
  if (pool.made < FIBRES) return make(now);
  if (!pool.first) return NULL;
  tm_count_one(TM_STRANDS_ORDERED);
  return unlink_at(&pool.first);
}

static void give(tm_fibre *f) {
  f->next = NULL;
  *pool.last = f;
  pool.last = &f->next;
}

/* The stack. Strands that a thread runs one after the other use the same addresses for their
 * frames, which for TSan is memory that fibres share. So all accesses below the frame that runs the
 * strand are forgotten, before the strand and after it. */

enum { NEAR = 8192, PAGE = 4096 };
#ifdef __x86_64__
/* The place of TSan's notes about an address (`MemToShadow`). It is compared with the runtime at
 * the start. */
static uintptr_t notes_of(uintptr_t address) {
  return (address & ~(uintptr_t)0x700000000007) * 2 + 0x100000000000;
}
#else
static uintptr_t notes_of(uintptr_t address) { return (void)address, 0; }
#endif
static bool knows_notes;

static void compare_notes(void) {
  uint64_t *word = tm_map(PAGE);
  uint64_t before = 1, after = 0, reset = 1;
  if (!word || !notes_of((uintptr_t)word) || !__tsan_write8) return;
  const void *notes = (const void *)notes_of((uintptr_t)word);
  if (!tm_peek(notes, &before, sizeof before)) return;
  __tsan_write8(word);
  if (!tm_peek(notes, &after, sizeof after)) return;
  tm_tsan_forget(__tsan_get_current_fiber(), 0, (uintptr_t)word, sizeof *word);
  if (!tm_peek(notes, &reset, sizeof reset)) return;
  knows_notes = before == 0 && after != 0 && reset == 0;
  tm_unmap(word, PAGE);
}

static uintptr_t find_low(const tm_thread *t) {
  if (t->who.is_main) {
    enum { LEAST = 8 << 20 };
    struct rlimit limit = {0, 0};
    syscall(SYS_getrlimit, RLIMIT_STACK, &limit);
    return t->code.stack_top - (limit.rlim_cur < LEAST ? limit.rlim_cur : LEAST) + PAGE;
  }
  pthread_attr_t attributes;
  void *base = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  int failed = pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  return failed ? 0 : (uintptr_t)base;
}

/* Returns whether the thread runs on its own stack. */
static bool is_at_home(tm_thread *t, uintptr_t top) {
  if (TM_UNLIKELY(!t->strand.stack_low)) {
    t->ground.inside++;
    t->strand.stack_low = find_low(t);
    t->ground.inside--;
    if (!t->strand.stack_low) t->strand.stack_low = UINTPTR_MAX;
  }
  return top > t->strand.stack_low && top <= t->code.stack_top;
}

/* What lies near is cleared; pages of notes further down go back to the system, which costs little
 * while none is there. */
static void forget_stack(const tm_thread *t, void *state, uintptr_t top) {
  uintptr_t low = (t->strand.stack_low + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  uintptr_t near = (top - NEAR) & ~(uintptr_t)(PAGE - 1);
  if (!knows_notes || near <= low) near = low;
  if (top <= near) return;
  tm_tsan_forget(state, 0, near, top - near);
  if (near > low) syscall(SYS_madvise, notes_of(low), 2 * (near - low), MADV_DONTNEED);
}

static void begin_outermost(tm_thread *t, tm_fibre *f, void *own_state) {
  tm_roots_take(&f->roots);
  t->strand.own_state = own_state;
  t->strand.roots = &f->roots;
}

static void end_outermost(tm_thread *t) {
  t->strand.own_state = NULL;
  t->strand.roots = NULL;
}

void tm_fibre_enter(tm_thread *t, tm_stamp from, uintptr_t top, tm_stay *stay) {
  *stay = (tm_stay){NULL, NULL};
  if (!is_at_home(t, top)) return;
  void *now = __tsan_get_current_fiber();
  tm_spin_lock(&pool.lock);
  tm_fibre *f = take(now, from);
  tm_spin_unlock(&pool.lock);
  if (!f) return;
  *stay = (tm_stay){f, now};
  if (!t->strand.own_state) begin_outermost(t, f, now);
  forget_stack(t, now, top);
  __tsan_switch_to_fiber(f->state, TM_TSAN_NO_SYNC);
  t->strand.slot = f->slot;
  t->strand.now = f->now;
}

void tm_fibre_leave(tm_thread *t, uintptr_t top, const tm_stay *stay) {
  tm_fibre *f = stay->fibre;
  static tm_edge none;
  /* Handlers of signals that came meanwhile run on the strand that they interrupted. */
  __tsan_atomic64_load(&none.word, 0);
  __tsan_switch_to_fiber(stay->outer, TM_TSAN_NO_SYNC);
  forget_stack(t, stay->outer, top);
  if (t->strand.own_state == stay->outer) end_outermost(t);
  f->now = t->strand.now;
  f->last = t->strand.last;
  if (!tm_is_active()) return; /* a forked child: another thread may have had the lock */
  tm_spin_lock(&pool.lock);
  give(f);
  tm_spin_unlock(&pool.lock);
}

void tm_fibre_does(const tm_thread *t, const tm_stay *stay, uint32_t work, uint32_t task) {
  tm_fibre *f = stay->fibre;
  unsigned at = atomic_load_explicit(&f->count, memory_order_relaxed) % PAST;
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
  if (TM_LIKELY(!t->strand.own_state)) return;
  __tsan_switch_to_fiber(t->strand.own_state, TM_TSAN_NO_SYNC);
  end_outermost(t);
}

void tm_fibres_prepare(void) {
  bool can = __tsan_get_current_fiber && __tsan_create_fiber && __tsan_switch_to_fiber &&
             __tsan_set_fiber_name && __tsan_atomic64_load && __tsan_atomic64_store &&
             tm_tsan_forget && __tsan_acquire && __tsan_release;
  if (!tm_settings_now.strands || !can) return;
  compare_notes();
  tm_fibres_on = true;
}

TM_GATE_CODE_END
#endif
