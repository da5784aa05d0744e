#ifdef __linux__
#include "ground/base.h"
#include "code/stack.h"
#include "control/model.h"
#include "control/world.h"
#include "ground/brackets.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "threadmill_control.h"

TM_GATE_CODE_BEGIN

/* Explorations with a model of memory (`tm_director.access`). The model is Swift's; this file tells
 * it what the flow with the turn does. The real memory always has the newest value of each
 * variable, so code that is not instrumented sees that one. */

bool tm_memory_is_weak;

/* A mark for each word that may be a variable of the model: the model is told of new objects only
 * at such words. */
enum { MARKS = 1 << 12 };
static uint64_t marks[MARKS / 64];

static uint32_t mark_of(uintptr_t address) {
  return (uint32_t)((address >> 3) * 0x9E3779B97F4A7C15u >> 52);
}

/* Memory that was given to new objects, and of which the model was not told yet. Swift's allocator
 * calls are answered here without Swift. */
enum { NEWS = 64 };
static struct {
  uintptr_t address;
  size_t size;
} news[NEWS];
static uint32_t news_count;

/* Jobs of tasks that have ended in this schedule. A task that awaits one which has ended makes no
 * call that the gate sees, so each access of a task comes after all of them. */
static uint32_t ended_jobs;

static void *context(void) { return tm_world_now.director.context; }

void tm_memory_forget_all(void) {
  news_count = ended_jobs = 0;
  if (!tm_memory_is_weak) return;
  for (uint32_t i = 0; i < MARKS / 64; i++) marks[i] = 0;
}

static bool is_marked(uintptr_t address, size_t size) {
  for (uintptr_t at = address & ~(uintptr_t)7; at < address + size; at += 8) {
    uint32_t mark = mark_of(at);
    if (marks[mark / 64] >> (mark % 64) & 1) return true;
  }
  return false;
}

void tm_memory_is_new(const void *address, size_t size) {
  enum { LARGE = 1 << 14 };
  if (size < LARGE && !is_marked((uintptr_t)address, size)) return;
  if (news_count < NEWS) {
    news[news_count].address = (uintptr_t)address;
    news[news_count++].size = size;
    return;
  }
  news[0].address = 0, news[0].size = SIZE_MAX;
}

static void tell_news(void) {
  for (uint32_t i = 0; i < news_count; i++)
    tm_world_now.director.forget(context(), news[i].address, news[i].size);
  news_count = 0;
}

/* The sanitizer's allocator gave memory to an object. */
static void allocated(const volatile void *address, size_t size) {
  tm_thread *t = tm_self;
  if (TM_LIKELY(!tm_memory_is_weak) || !t || !t->control.seat || t->ground.inside) return;
  tm_memory_is_new((const void *)address, size);
}

/* The sanitizer installs no hook without a second one. Freed memory is forgotten later, when
 * another object gets it. */
static void freed(const volatile void *address) { (void)address; }

void tm_memory_begin(void) {
  static bool is_hooked;
  tm_memory_is_weak = tm_world_now.director.access != NULL;
  if (!tm_memory_is_weak || is_hooked || !__sanitizer_install_malloc_and_free_hooks) return;
  is_hooked = __sanitizer_install_malloc_and_free_hooks(allocated, freed) != 0;
}

/* Reads 16 bytes in two halves: no other flow moves meanwhile. */
#define READ(type, address) __atomic_load_n((const volatile type *)(address), __ATOMIC_SEQ_CST)
static tm_wide value_at(const volatile void *address, uint32_t size) {
  switch (size) {
  case 1: return (tm_wide){READ(uint8_t, address), 0};
  case 2: return (tm_wide){READ(uint16_t, address), 0};
  case 4: return (tm_wide){READ(uint32_t, address), 0};
  case 8: return (tm_wide){READ(uint64_t, address), 0};
  default:
    return (tm_wide){READ(uint64_t, address), READ(uint64_t, (const volatile char *)address + 8)};
  }
}

static tm_quiet enter(void) {
  tm_self->ground.inside++;
  return tm_quiet_begin();
}

static void leave(tm_quiet before) {
  tm_quiet_end(before);
  tm_self->ground.inside--;
}

/* TSan sees the accesses that the machine makes. For a load that the model makes, this draws the
 * edges from the releasing stores to the variable, of which TSan keeps the last one only. A few
 * variables share a token. */
static void draw_edges(const tm_atomic *a, uint32_t mark, bool made) {
  enum { ACQUIRE = 2, RELEASE = 3 };
  static uint64_t tokens[MARKS];
  if (a->kind != TM_ATOMIC_LOAD && a->order >= RELEASE) tm_tsan_release(&tokens[mark]);
  if (made && a->order >= ACQUIRE) tm_tsan_acquire(&tokens[mark]);
}

bool tm_memory_access(tm_seat *s, tm_atomic *a) {
  if (tm_control_is_given_up(s) || tm_world_now.turns) return false;
  a->flow = s->flow->number;
  uint32_t mark = mark_of((uintptr_t)a->address & ~(uintptr_t)7);
  marks[mark / 64] |= 1ull << (mark % 64);
  tm_quiet before = enter();
  tell_news();
  if (s->flow->is_task && s->flow->learnt != ended_jobs) {
    s->flow->learnt = ended_jobs;
    tm_world_now.director.order(context(), a->flow, TM_LEARNS_OF_ENDED_JOBS);
  }
  a->value = value_at(a->address, a->size);
  bool made = tm_world_now.director.access(context(), a);
  leave(before);
  draw_edges(a, mark, made);
  return made;
}

uint32_t tm_memory_stack(uintptr_t *addresses, uint32_t limit) {
  return tm_self ? tm_stack_take(tm_self, __builtin_frame_address(0), addresses, limit) : 0;
}

void tm_memory_fence(tm_seat *s, int order) {
  if (tm_control_is_given_up(s) || tm_world_now.turns) return;
  tm_quiet before = enter();
  tm_world_now.director.fence(context(), s->flow->number, order);
  leave(before);
}

static bool orders(uint8_t kind) {
  return kind != TM_STEP_READ && kind != TM_STEP_WRITE && kind != TM_STEP_UPDATE &&
         kind != TM_STEP_YIELD && kind != TM_STEP_POINT && kind != TM_STEP_SLEEP;
}

static void order(const tm_flow *f, tm_ordering how) {
  tm_quiet before = enter();
  tm_world_now.director.order(context(), f->number, how);
  leave(before);
}

TM_SLOW void tm_memory_synchronise(const tm_flow *f, uint8_t kind) {
  if (f && orders(kind)) order(f, TM_ORDERS);
}

TM_SLOW void tm_memory_ends(const tm_flow *f) {
  order(f, TM_ORDERS);
  if (!f->is_task || f->aside) return;
  ended_jobs++;
  order(f, TM_ENDS_JOB);
}

TM_GATE_CODE_END
#endif
