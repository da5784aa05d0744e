/* Steps at calls for which the Scheduler has no function of its own. */
#ifndef TM_CONTROL_CALL_H
#define TM_CONTROL_CALL_H
#include "ground/base.h"
#include "ground/facts.h"
#include "threadmill_control.h"

/* Returns whether a call at `place` is a step: the flow of an exploration makes it, in the user's
 * code. */
bool tm_control_is_call(uintptr_t place);
/* Makes the step of such a call. */
void tm_control_makes_step(tm_step_kind, const void *object, uintptr_t place);
/* Makes the step, if the code at `place` is the user's. A loop of calls that only read is one that
 * waits. */
void tm_control_makes_call(tm_step_kind, const void *object, uintptr_t place);
/* The call has been made. The work that it submitted may go first, if the code at `place` is the
 * user's. */
void tm_control_made_call(uintptr_t place);
TM_INLINE bool tm_control_sees_call(uintptr_t place) {
  return TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)) &&
         tm_control_is_call(place);
}
TM_INLINE void tm_control_call(tm_step_kind kind, const void *object, uintptr_t place) {
  /* The compiler may move the branch into a function of its own, and with it, without this, the
   * reading of a return address. */
  __asm__ volatile("" : "+r"(place));
  if (TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)))
    tm_control_makes_call(kind, object, place);
}
TM_INLINE void tm_control_called(uintptr_t place) {
  __asm__ volatile("" : "+r"(place));
  if (TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)))
    tm_control_made_call(place);
}
#endif
