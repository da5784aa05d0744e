#ifdef __linux__
#include "ground/base.h"
#include "code/trail.h"
#include "code/code_kind.h"
#include "ground/kernel.h"
#include "ground/pool.h"
#include "ground/thread.h"

TM_GATE_CODE_BEGIN

/* A return address determines the function that it leads to, the size of that function's frame, and
 * so the place of the next return address. If the innermost address is equal, and each further one
 * lies at its known distance, the whole stack is equal. A look in this order reads frames only. */
typedef struct step {
  uintptr_t address;
  uint32_t place; /* in words above the frame of the interposed function */
} step;
typedef struct trail {
  uint64_t name;
  uint32_t count; /* 0: its stack cannot be recognised by places */
  step steps[];
} trail;

enum { TRAILS = 1024, NEIGHBOURS = 32, REACH = 4096 /* words of a stack */, NAMED = 4, BEYOND = 0 };

/* Trails never change and are never freed, so readers need no lock. When a neighbourhood is full,
 * the unwinder is asked each time. */
static trail *_Atomic trails[TRAILS];

uint64_t tm_trail_name(const uintptr_t *walked, uint32_t count, uint32_t limit) {
  uint64_t name = limit;
  for (uint32_t i = 0; i < count && i < NAMED && tm_is_code(walked[i]); i++)
    name = tm_mix(name, walked[i]);
  return name;
}

static trail *_Atomic *place_of(uint64_t name, uint32_t neighbour) {
  return &trails[((name >> 32) + neighbour) % TRAILS];
}

static bool lies_here(const tm_thread *t, const uintptr_t *words, const trail *known) {
  uintptr_t room = (t->code.stack_top - (uintptr_t)words) / sizeof(uintptr_t);
  if (known->count == 0) return false;
  for (uint32_t i = 0; i < known->count; i++) {
    uint32_t place = known->steps[i].place;
    if (place == BEYOND) break;
    if (place >= room || words[place] != known->steps[i].address) return false;
  }
  return true;
}

uint32_t tm_trail_follow(const tm_thread *t, void *frame, uint64_t name, uintptr_t *addresses) {
  for (uint32_t i = 0; i < NEIGHBOURS; i++) {
    const trail *known = atomic_load_explicit(place_of(name, i), memory_order_acquire);
    if (!known) return 0;
    if (known->name != name || !lies_here(t, frame, known)) continue;
    for (uint32_t s = 0; s < known->count; s++) addresses[s] = known->steps[s].address;
    return known->count;
  }
  return 0;
}

uint32_t tm_trail_words(const tm_thread *t, void *frame, uint64_t name, uint32_t limit,
                        const uintptr_t **words, uint32_t *count) {
  *count = 0;
  for (uint32_t i = 0; i < NEIGHBOURS; i++) {
    const trail *known = atomic_load_explicit(place_of(name, i), memory_order_acquire);
    if (!known) return 0;
    if (known->name != name || !lies_here(t, frame, known)) continue;
    for (uint32_t s = 0; s < known->count && s < limit && known->steps[s].place != BEYOND; s++)
      words[(*count)++] = (const uintptr_t *)frame + known->steps[s].place;
    return known->count;
  }
  return 0;
}

/* Returns the first place of the address from `from` on; `end` if there is none. */
static uint32_t find_word(const uintptr_t *words, uint32_t from, uint32_t end, uintptr_t address) {
  while (from < end && words[from] != address) from++;
  return from;
}

/* Notes the place of each address. Returns whether each address has only one place between its
 * neighbours, the one beyond the stack included: a leftover of an earlier call looks like a return
 * address, too. Addresses above the thread's first function of interest have no place; they are
 * equal for all stacks that come through that function. */
static bool lay_out(trail *fresh, const uintptr_t *words, uint32_t end, const uintptr_t *addresses,
                    uint32_t all) {
  uint32_t place = 0, from = 0, i = 0;
  for (; i <= fresh->count && i < all; i++) {
    place = find_word(words, from + 1, end, addresses[i]);
    if (i > 0 && find_word(words, from + 1, place, addresses[i - 1]) < place) return false;
    if (place == end) break;
    if (i < fresh->count) fresh->steps[i] = (step){addresses[i], place};
    from = place;
  }
  bool whole = end < REACH || i >= fresh->count;
  for (; i < fresh->count; i++) fresh->steps[i] = (step){addresses[i], BEYOND};
  return whole && fresh->steps[0].place == 1;
}

/* Returns whether another stack of this name may be learnt: there is room, and all stacks of this
 * name so far can be recognised by their places. */
static bool is_worth_learning(uint64_t name) {
  for (uint32_t i = 0; i < NEIGHBOURS; i++) {
    const trail *known = atomic_load_explicit(place_of(name, i), memory_order_acquire);
    if (!known) return true;
    if (known->name == name && known->count == 0) return false;
  }
  return false;
}

static bool publish(trail *fresh) {
  for (uint32_t i = 0; i < NEIGHBOURS; i++) {
    trail *none = NULL;
    if (atomic_compare_exchange_strong(place_of(fresh->name, i), &none, fresh)) return true;
  }
  return false;
}

/* The kernel copies the memory above the frame, because a signal handler's stack may end
 * anywhere. */
void tm_trail_learn(const tm_thread *t, void *frame, uint64_t name, const uintptr_t *addresses,
                    uint32_t count, uint32_t all) {
  if (count == 0 || !is_worth_learning(name)) return;
  size_t reach = REACH * sizeof(uintptr_t), size = sizeof(trail) + count * sizeof(step);
  uintptr_t room = (t->code.stack_top - (uintptr_t)frame) / sizeof(uintptr_t);
  uint32_t end = room < REACH ? (uint32_t)room : REACH;
  trail *fresh = tm_pool_take(size);
  uintptr_t *words = tm_map(reach);
  if (fresh && words) {
    fresh->name = name, fresh->count = count;
    bool known = tm_peek(frame, words, end * sizeof(uintptr_t));
    if (!known || !lay_out(fresh, words, end, addresses, all)) fresh->count = 0;
    if (publish(fresh)) fresh = NULL;
  }
  if (fresh) tm_pool_give(fresh, size);
  if (words) tm_unmap(words, reach);
}

TM_GATE_CODE_END
#endif
