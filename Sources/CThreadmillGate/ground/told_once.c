#ifdef __linux__
#include "ground/base.h"
#include "ground/told_once.h"

TM_GATE_CODE_BEGIN

enum { PLACES = 1024, TRIES = 16 };
static _Atomic uint64_t places[PLACES];

bool tm_is_first_time(uint64_t number) {
  uint64_t wanted = number ? number : 1;
  for (unsigned i = 0; i < TRIES; i++) {
    uint64_t there = 0;
    _Atomic uint64_t *place = &places[((wanted >> 54) + i) % PLACES];
    if (atomic_compare_exchange_strong(place, &there, wanted)) return true;
    if (there == wanted) return false;
  }
  return false;
}

TM_GATE_CODE_END
#endif
