#ifdef __linux__
#include "ground/base.h"
#include "code/code_kind.h"
#include "code/caller.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* Addresses of code that were looked up, each with the answer in its lowest bits. */
enum { NOWHERE, USERS, LIBRARY, TASKS, ANSWER_BITS = 2, ANSWERS = 3, KINDS = 256 };
static _Atomic uint64_t kinds[KINDS];

static unsigned find_kind(uintptr_t address) {
  if (!tm_is_known_code(address)) return NOWHERE;
  if (!tm_is_system_code(address)) return USERS;
  bool tasks = !tm_is_gate_code(address) && tm_caller_find(address) == TM_CALLER_RUNTIME;
  return tasks ? TASKS : LIBRARY;
}

static unsigned kind_of(uintptr_t address) {
  if (address >> (64 - ANSWER_BITS)) return NOWHERE;
  _Atomic uint64_t *kind = &kinds[tm_mix(0, address) % KINDS];
  uint64_t known = atomic_load_explicit(kind, memory_order_relaxed);
  if (TM_LIKELY(known >> ANSWER_BITS == address)) return known & ANSWERS;
  unsigned found = find_kind(address);
  if (found != NOWHERE)
    atomic_store_explicit(kind, (uint64_t)address << ANSWER_BITS | found, memory_order_relaxed);
  return found;
}

bool tm_is_library(uintptr_t address) {
  unsigned kind = kind_of(address);
  return kind == LIBRARY || kind == TASKS;
}

bool tm_is_code(uintptr_t address) { return kind_of(address) != NOWHERE; }

uint32_t tm_site_end(const uintptr_t *addresses, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (kind_of(addresses[i]) == TASKS && kind_of(addresses[i - 1]) == USERS) return i;
  return count;
}

TM_GATE_CODE_END
#endif
