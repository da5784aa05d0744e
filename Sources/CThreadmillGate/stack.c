#include "base.h"
#include "stack.h"
#include <string.h>

TM_GATE_CODE_BEGIN

enum { ARENA_WORDS = 1 << 23, BUCKETS = 1 << 14 };

static tm_unwinder unwind_here;
tm_context_unwinder tm_unwind_context;

void tm_set_unwinders(tm_unwinder here, tm_context_unwinder from_signal) {
  unwind_here = here;
  tm_unwind_context = from_signal;
}

uint32_t tm_stack_walk(const tm_thread *t, void *frame, uintptr_t *addresses, uint32_t limit) {
  uint32_t count = 0;
  uintptr_t at = (uintptr_t)frame;
  while (count < limit && at && !(at & 7) && at + 16 <= t->stack_top) {
    uintptr_t address = ((uintptr_t *)at)[1];
    if (address < 4096) break;
    addresses[count++] = address;
    uintptr_t above = ((uintptr_t *)at)[0] & ~((uintptr_t)1 << 60);
    if (above <= at) break;
    at = above;
  }
  if (count == limit) tm_count_one(TM_STACKS_TRUNCATED);
  return count;
}

/* A chain that ends within the first frames has met code without frame pointers. */
enum { SUSPICIOUSLY_SHORT = 3 };

uint32_t tm_stack_take(const tm_thread *t, void *frame, uintptr_t *addresses, uint32_t limit) {
  uint32_t count = tm_stack_walk(t, frame, addresses, limit);
  if (count >= SUSPICIOUSLY_SHORT || !unwind_here) return count;
  uintptr_t other[TM_STACK];
  uint32_t found = unwind_here(other, limit < TM_STACK ? limit : TM_STACK), start = 0;
  while (start < found && count > 0 && other[start] != addresses[0]) start++;
  if (start == found || found - start <= count) return count;
  memcpy(addresses, other + start, (found - start) * sizeof(uintptr_t));
  return found - start;
}

/* The depot: one arena, append only; an index is a position in it. */
typedef struct kept { uint32_t next, count; uintptr_t addresses[]; } kept;
static tm_spin depot_lock;
static uintptr_t *arena;
static uint32_t arena_used = 1;
static uint32_t buckets[BUCKETS];

static uint32_t depot_find(uint32_t bucket, const uintptr_t *addresses, uint32_t count) {
  for (uint32_t i = buckets[bucket]; i; i = ((kept *)&arena[i])->next) {
    const kept *k = (kept *)&arena[i];
    if (k->count == count && memcmp(k->addresses, addresses, count * sizeof(uintptr_t)) == 0) return i;
  }
  return 0;
}

static uint32_t depot_add(uint32_t bucket, const uintptr_t *addresses, uint32_t count) {
  if (!arena) arena = tm_map(ARENA_WORDS * sizeof(uintptr_t));
  if (!arena || arena_used + 1 + count > ARENA_WORDS) {
    tm_count_one(TM_STACKS_DROPPED);
    return 0;
  }
  uint32_t index = arena_used;
  kept *k = (kept *)&arena[index];
  k->next = buckets[bucket];
  k->count = count;
  memcpy(k->addresses, addresses, count * sizeof(uintptr_t));
  arena_used += 1 + count;
  buckets[bucket] = index;
  return index;
}

uint32_t tm_stack_keep(const uintptr_t *addresses, uint32_t count) {
  if (count == 0) return 0;
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++) hash = tm_mix(hash, addresses[i]);
  uint32_t bucket = (hash >> 32) % BUCKETS;
  tm_spin_lock(&depot_lock);
  uint32_t index = arena ? depot_find(bucket, addresses, count) : 0;
  if (!index) index = depot_add(bucket, addresses, count);
  tm_spin_unlock(&depot_lock);
  return index;
}

const uintptr_t *tm_stack_kept(uint32_t index, uint32_t *count) {
  if (!index) {
    *count = 0;
    return NULL;
  }
  const kept *k = (kept *)&arena[index];
  *count = k->count;
  return k->addresses;
}

TM_GATE_CODE_END
