/* What a thread attends to besides the plain case: part of `special`. Whatever is off is not in it,
 * so that the fast path asks one question for all of it. */
#ifndef TM_ATTENTION_H
#define TM_ATTENTION_H
#include "state.h"

enum {
  TM_ATTENDS_MAIN_QUEUE = 1,
  TM_ATTENDS_PROFILE = 2,
  TM_ATTENDS_RACES = 4,
  TM_ATTENDS_JITTER = 8,
  TM_ATTENDS_STEERING = 16,
  TM_ATTENDS_CONTROL = 32
};

extern atomic_bool tm_shaking; /* anybody is disturbed */
extern bool tm_steering;       /* see `tm_steer`; set before anything is watched */

extern atomic_bool tm_controlling; /* somebody explores */
TM_INLINE bool tm_has_points(void) {
  return atomic_load_explicit(&tm_shaking, memory_order_relaxed) ||
         atomic_load_explicit(&tm_controlling, memory_order_relaxed);
}

TM_INLINE uint16_t tm_attention(const tm_thread *t) {
  bool shaking = atomic_load_explicit(&tm_shaking, memory_order_relaxed);
  bool measuring = tm_settings_now.profile || tm_settings_now.trace;
  return (measuring ? TM_ATTENDS_PROFILE : 0) | (shaking ? TM_ATTENDS_JITTER : 0) |
         (tm_steering ? TM_ATTENDS_STEERING : 0) | (t->seat ? TM_ATTENDS_CONTROL : 0);
}
TM_INLINE bool tm_is_steered(const tm_thread *t) { return t->attention & TM_ATTENDS_STEERING; }
TM_INLINE bool tm_is_jittered(const tm_thread *t) { return t->attention & TM_ATTENDS_JITTER; }
/* By jitter, or as one that is scheduled. */
TM_INLINE bool tm_is_shaken(const tm_thread *t) {
  return t->attention & (TM_ATTENDS_JITTER | TM_ATTENDS_CONTROL);
}
#endif
