#ifdef __linux__
#include "ground/base.h"
#include "ground/swift_layout.h"
#include "ground/facts.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

_Atomic uint8_t tm_fits[TM_LAYOUTS];
uint8_t tm_moved[TM_LAYOUTS];

static const char *const names[TM_LAYOUTS] = {
    "job",    "task",  "status",    "actor",   "continuation",
    "string", "array", "operation", "keyPath", "lockClasses",
};

const char *tm_layout_name(tm_layout which) { return names[which]; }

uint32_t tm_layout_count(void) { return TM_LAYOUTS; }

/* The counts stand in the same order as the layouts. */
static tm_count left_out(tm_layout which) {
  _Static_assert(TM_LOCK_CLASSES_UNKNOWN - TM_JOB_UNKNOWN == TM_LAYOUT_LOCK_CLASSES,
                 "one for each");
  return (tm_count)((unsigned)TM_JOB_UNKNOWN + which);
}

tm_fit tm_layout_fit(tm_layout which) {
  return (tm_fit)atomic_load_explicit(&tm_fits[which], memory_order_relaxed);
}

bool tm_layout_is_usable(tm_layout which) {
  tm_fit fit = tm_layout_fit(which);
  if (fit == TM_FIT_NO) tm_count_one(left_out(which));
  return fit == TM_FIT_YES;
}

void tm_layout_compared(tm_layout which, bool fits) {
  uint8_t unknown = TM_FIT_UNKNOWN;
  if (!fits) atomic_store_explicit(&tm_fits[which], TM_FIT_NO, memory_order_relaxed);
  else
    atomic_compare_exchange_strong_explicit(&tm_fits[which], &unknown, TM_FIT_YES,
                                            memory_order_relaxed, memory_order_relaxed);
}

void tm_layout_move(tm_layout which) { tm_moved[which] = sizeof(uintptr_t); }

TM_GATE_CODE_END
#endif
