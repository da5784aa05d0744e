#ifdef __linux__
#include "ground/base.h"
#include "code/code_kind.h"
#include "code/caller.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

/* Addresses that were looked up, each with the answer in its lowest bits, and with the number of
 * code ranges known then: if that has grown, an address that was nowhere may be in code now. */
enum { USERS, LIBRARY, TASKS, NOWHERE, ANSWER_BITS = 2, RANGE_BITS = 14, KINDS = 256 };
enum { ADDRESS_BITS = 64 - RANGE_BITS - ANSWER_BITS }; /* of the addresses that a process has */
static _Atomic uint64_t kinds[KINDS];

static unsigned kind_of(uintptr_t address) {
  if (address >> ADDRESS_BITS) return NOWHERE;
  _Atomic uint64_t *kind = &kinds[tm_mix(0, address) % KINDS];
  uint64_t known = atomic_load_explicit(kind, memory_order_relaxed);
  uint64_t asked = (uint64_t)address << RANGE_BITS | tm_code_ranges() % (1 << RANGE_BITS);
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

bool tm_is_code(uintptr_t address) { return kind_of(address) != NOWHERE; }

uint32_t tm_site_end(const uintptr_t *addresses, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (kind_of(addresses[i]) == TASKS && kind_of(addresses[i - 1]) == USERS) return i;
  return count;
}

TM_GATE_CODE_END
#endif
