/* Whether the layouts of the Swift runtime and of Foundation that are compiled in fit this process.
 * Each is compared once, by the file that reads it, with a living object whose contents the runtime
 * tells in another way. libdispatch's layouts are measured instead (layout.h). */
#ifndef TM_SWIFT_LAYOUT_H
#define TM_SWIFT_LAYOUT_H
#include "ground/base.h"
#include "threadmill_layouts.h"

extern _Atomic uint8_t tm_fits[TM_LAYOUTS];
/* By how many bytes a test has moved the layout; 0 but for tests. */
extern uint8_t tm_moved[TM_LAYOUTS];

TM_INLINE bool tm_layout_is_unknown(tm_layout which) {
  return TM_UNLIKELY(atomic_load_explicit(&tm_fits[which], memory_order_relaxed) == TM_FIT_UNKNOWN);
}
/* Returns whether the layout may be read. */
TM_INLINE bool tm_layout_is_known(tm_layout which) {
  return TM_LIKELY(atomic_load_explicit(&tm_fits[which], memory_order_relaxed) == TM_FIT_YES);
}
/* The same, and counts for the report what is left out because the layout does not fit. */
bool tm_layout_is_usable(tm_layout);
/* Notes the result of a comparison. One that failed is final. */
void tm_layout_compared(tm_layout, bool fits);
#endif
