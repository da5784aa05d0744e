#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/inlined_lock.h"
#include "code/instructions.h"
#include "code/own_variables.h"
#include "ground/facts.h"
#include "ground/lock.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* What was read at a place, by its return address. A place is written once, and its address last,
 * so that a reader needs no lock. */
enum { PLACES = 8192, MOST = PLACES / 4 * 3 };
typedef struct place {
  _Atomic uintptr_t returns_to; /* 0: empty */
  tm_recipe recipe;
} place;
static place places[PLACES];
static uint32_t count;
static tm_spin lock;

static uint32_t first_of(uintptr_t returns_to) {
  return (uint32_t)(returns_to * 0x9E3779B97F4A7C15u >> 51) % PLACES;
}

/* Returns the place, or the empty one that it would take. */
TM_INLINE place *lock_place(uintptr_t returns_to) {
  uint32_t i = first_of(returns_to);
  for (;; i = (i + 1) % PLACES) {
    uintptr_t there = atomic_load_explicit(&places[i].returns_to, memory_order_acquire);
    if (TM_LIKELY(there == returns_to) || there == 0) return &places[i];
  }
}

/* Another thread may be adding one, or this one, below a signal handler: then the place is read
 * again the next time. */
static void add(uintptr_t returns_to, const tm_recipe *recipe, bool is_lock) {
  if (!tm_spin_try(&lock)) return;
  place *p = lock_place(returns_to);
  if (atomic_load_explicit(&p->returns_to, memory_order_relaxed) == 0) {
    p->recipe = *recipe;
    count++;
    atomic_store_explicit(&p->returns_to, returns_to, memory_order_release);
    bool is_unread = recipe->kind == TM_RECIPE_UNKNOWN && (is_lock || recipe->cache);
    if (is_unread) tm_count_one(TM_MUTEX_PLACES_UNREAD);
  }
  tm_spin_unlock(&lock);
}

static uintptr_t value_of(const tm_term *term, const tm_registers *registers) {
  uintptr_t value = term->at;
  if (term->base != TM_NO_REGISTER) value += registers->values[term->base];
  return term->loads ? *(const uintptr_t *)value : value;
}

TM_SLOW static tm_recipe learn(uintptr_t returns_to, const tm_registers *registers, bool is_lock) {
  tm_recipe recipe = {.kind = TM_RECIPE_OTHER};
  if (tm_caller_find(returns_to) <= TM_CALLER_RUNTIME)
    recipe = tm_recipe_read(returns_to, registers);
  if (count < MOST) add(returns_to, &recipe, is_lock);
  return recipe;
}

static uint32_t *word_of(const tm_recipe *r, const tm_registers *registers) {
  if (TM_UNLIKELY(r->kind != TM_RECIPE_LOCK)) return NULL;
  uintptr_t address = value_of(&r->terms[0], registers) + r->plus;
  if (r->is_sum) address += value_of(&r->terms[1], registers) << r->scale;
  return (uint32_t *)address;
}

tm_inlined tm_inlined_lock(uintptr_t returns_to, const tm_registers *registers, bool is_lock) {
  const place *p = lock_place(returns_to);
  tm_recipe read;
  const tm_recipe *r = &p->recipe;
  if (TM_UNLIKELY(atomic_load_explicit(&p->returns_to, memory_order_acquire) != returns_to))
    read = learn(returns_to, registers, is_lock), r = &read;
  return (tm_inlined){word_of(r, registers), r->cache ? tm_own_variable(r->cache) : NULL};
}

TM_GATE_CODE_END
#endif
