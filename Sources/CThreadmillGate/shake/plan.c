#ifdef __linux__
#include "ground/base.h"
#include "ground/facts.h"
#include "ground/lock.h"
#include "ground/now.h"
#include "ground/pool.h"
#include "ground/storage.h"
#include "ground/thread.h"
#include "shake/shake.h"
#include "strand/attention.h"
#include "strand/part.h"
#include "strand/thread.h"
#include "threadmill_gate.h"
#include "threadmill_shake.h"

TM_GATE_CODE_BEGIN

/* Plans, and the threads that each is for. A plan is overwritten while other threads may read it:
 * each word that they read is of the old plan or of the new one, and both are valid. */

enum { SHAKERS = 64 };
static tm_shaker *_Atomic shakers[SHAKERS];
static atomic_uint shaker_count, generations;
static tm_spin changing;

bool tm_is_shaking(void) { return atomic_load_explicit(&tm_shaking, memory_order_relaxed); }
static bool is_on(const tm_shaker *s) { return atomic_load_explicit(&s->on, memory_order_acquire); }

/* Returns the shaker of this scope, or of none. The caller has the lock. */
static tm_shaker *place_for(uint32_t scope) {
  uint32_t count = atomic_load(&shaker_count);
  tm_shaker *unused = NULL;
  for (uint32_t i = 0; i < count; i++) {
    tm_shaker *s = shakers[i];
    if (is_on(s) && s->scope == scope) return s;
    if (!is_on(s)) unused = s;
  }
  if (unused || count == SHAKERS) return unused;
  tm_shaker *made = tm_map(sizeof *made);
  if (!made) return NULL;
  atomic_store(&shakers[count], made);
  atomic_store(&shaker_count, count + 1);
  return made;
}

static void install(tm_shaker *s, const tm_plan *plan, uint32_t scope) {
  tm_copy(&s->plan, plan, sizeof *plan);
  s->scope = scope;
  s->began = tm_now();
  atomic_store(&s->points, 0);
  atomic_store(&s->starved, 0);
  atomic_store(&s->begun, 0);
  atomic_store(&s->release, 0);
  atomic_store(&s->window_ends, 0);
  atomic_store(&s->generation, atomic_fetch_add(&generations, 1) + 1);
  atomic_store_explicit(&s->on, true, memory_order_release);
}

static void call_attention(void) {
  for (tm_thread *t = tm_thread_first(); t; t = tm_thread_next(t))
    __atomic_fetch_or(&t->ground.attention, TM_ATTENDS_JITTER, __ATOMIC_RELAXED);
}

static void begin_course(tm_thread *t) { t->strand.course = (tm_course){.path = 1}; }

void tm_shake(const tm_plan *plan, uint32_t scope) {
  tm_spin_lock(&changing);
  tm_shaker *s = place_for(scope);
  if (s) install(s, plan, scope);
  else tm_count_one(TM_JITTER_LEFT);
  atomic_store(&tm_shaking, true);
  tm_spin_unlock(&changing);
  call_attention();
  if (tm_self) begin_course(tm_self);
}

void tm_shake_end(uint32_t scope) {
  bool any = false;
  tm_spin_lock(&changing);
  uint32_t count = atomic_load(&shaker_count);
  for (uint32_t i = 0; i < count; i++) {
    tm_shaker *s = shakers[i];
    if (s->scope == scope) atomic_store(&s->on, false);
    any = any || is_on(s);
  }
  atomic_store(&tm_shaking, any);
  tm_spin_unlock(&changing);
}

/* Returns the plan for this thread, or NULL. Asks for the thread's test only if some plan is for a
 * single test. */
tm_shaker *tm_shaker_of(tm_thread *t) {
  uint32_t count = atomic_load_explicit(&shaker_count, memory_order_acquire);
  tm_shaker *everybodys = NULL;
  bool scoped = false;
  (void)t;
  for (uint32_t i = 0; i < count; i++) {
    tm_shaker *s = shakers[i];
    if (!is_on(s)) continue;
    if (s->scope == 0) everybodys = s;
    else scoped = true;
  }
  if (!scoped) return everybodys;
  uint32_t scope = tm_current_scope();
  for (uint32_t i = 0; scope && i < count; i++)
    if (is_on(shakers[i]) && shakers[i]->scope == scope) return shakers[i];
  return everybodys;
}

TM_GATE_CODE_END
#endif
