#ifdef __linux__
#include "base.h"
#include "frameless.h"
#include "caller.h"

TM_GATE_CODE_BEGIN

/* A function that needs the frame pointer for something else saves it first: below its own return
 * address, so that the two are a frame record like any other, and only nothing leads there. At one
 * place of call it always lies equally far from the gate's frame. */

enum {
  PLACES = 64,
  FARTHEST = 64, /* words between the gate's frame and the record */
  BELIEVED = 3,  /* so many equal answers of the unwinder */
  NEVER = 0xff,  /* two that differ */
  KINDS = 256,
};

/* One word each, so that it is read and written whole: address, answers, distance in words. */
static _Atomic uint64_t places[PLACES];

static _Atomic uint64_t *place_of(uintptr_t address) {
  return &places[tm_mix(0, address) % PLACES];
}

static uint64_t packed(uintptr_t address, unsigned answers, unsigned distance) {
  return (uint64_t)address << 16 | answers << 8 | distance;
}

/* Addresses that were looked up, each with the answer in its lowest bits, and with how much code
 * was known then: what was nowhere may have been loaded since. */
enum { USERS, LIBRARY, TASKS, NOWHERE, ANSWER_BITS = 2, RANGE_BITS = 9 };
static _Atomic uint64_t kinds[KINDS];

static unsigned kind_of(uintptr_t address) {
  _Atomic uint64_t *kind = &kinds[tm_mix(0, address) % KINDS];
  uint64_t known = atomic_load_explicit(kind, memory_order_relaxed);
  uint64_t asked = (uint64_t)address << RANGE_BITS | tm_code_ranges();
  if (TM_LIKELY(known >> ANSWER_BITS == asked)) return known & NOWHERE;
  unsigned found = tm_is_system_code(address)  ? LIBRARY
                   : tm_is_known_code(address) ? USERS
                                               : NOWHERE;
  if (found == LIBRARY && !tm_is_gate_code(address) && tm_caller_find(address) == TM_CALLER_RUNTIME)
    found = TASKS;
  atomic_store_explicit(kind, asked << ANSWER_BITS | found, memory_order_relaxed);
  return found;
}

bool tm_is_library(uintptr_t address) {
  unsigned kind = kind_of(address);
  return kind == LIBRARY || kind == TASKS;
}

uint32_t tm_site_end(const uintptr_t *addresses, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (kind_of(addresses[i]) == TASKS && kind_of(addresses[i - 1]) == USERS) return i;
  return count;
}

/* The frames from the record on up to the end of the site, if they are whole and the first is not a
 * library's again. A function of a task may keep its return address elsewhere than above its
 * record, and only the runtime calls it: nothing sensible above it is the end, too. */
static uint32_t walk(const tm_thread *t, uintptr_t record, uintptr_t *addresses, uint32_t limit) {
  bool broken;
  uint32_t count = tm_stack_walk(t, (void *)record, addresses, limit, &broken);
  if (count == 0 || kind_of(addresses[0]) != USERS) return 0;
  uint32_t end = 1;
  while (end < count && kind_of(addresses[end]) == USERS) end++;
  if (end == count) return broken ? 0 : count;
  if (kind_of(addresses[end]) == LIBRARY) return end + 1 == limit ? limit : 0;
  return end;
}

bool tm_frameless_take(const tm_thread *t, void *frame, uintptr_t site[TM_SITE]) {
  uintptr_t called_from = ((uintptr_t *)frame)[1];
  uint64_t known = atomic_load_explicit(place_of(called_from), memory_order_relaxed);
  if (known >> 8 != packed(called_from, BELIEVED, 0) >> 8) return false;
  site[0] = called_from;
  uint32_t count = walk(t, (uintptr_t)frame + 8 * (known & 0xff), site + 1, TM_SITE - 1);
  for (uint32_t i = count + 1; i < TM_SITE; i++) site[i] = 0;
  return count != 0;
}

/* How many words above the frame the record lies that returns to the address; 0 if it may be any of
 * several. */
static unsigned distance_of(const tm_thread *t, uintptr_t frame, uintptr_t address) {
  unsigned found = 0;
  for (unsigned i = 2; i < FARTHEST && frame + 8 * i + 16 <= t->stack_top; i++) {
    if (((uintptr_t *)frame)[i + 1] != address) continue;
    if (found) return 0;
    found = i;
  }
  return found;
}

void tm_frameless_learn(const tm_thread *t, void *frame, const uintptr_t *addresses,
                        uint32_t count) {
  uintptr_t led[TM_SITE];
  unsigned distance = count > 1 ? distance_of(t, (uintptr_t)frame, addresses[1]) : 0;
  if (!distance) return;
  if (walk(t, (uintptr_t)frame + 8 * distance, led, count - 1) != count - 1) return;
  if (!tm_same(led, addresses + 1, (count - 1) * sizeof(uintptr_t))) return;
  _Atomic uint64_t *place = place_of(addresses[0]);
  uint64_t known = atomic_load_explicit(place, memory_order_relaxed);
  unsigned answers = known >> 16 == addresses[0] ? known >> 8 & 0xff : 0;
  if (answers >= BELIEVED) return;
  bool differs = answers && (known & 0xff) != distance;
  answers = differs ? NEVER : answers + 1;
  atomic_store_explicit(place, packed(addresses[0], answers, distance), memory_order_relaxed);
}

TM_GATE_CODE_END
#endif
