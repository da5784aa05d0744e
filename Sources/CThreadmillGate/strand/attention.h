/* The checks that a thread makes beyond the plain case: part of `ground.special`. A check that is
 * off is not in the set, so that the fast path asks one question for all of them. */
#ifndef TM_ATTENTION_H
#define TM_ATTENTION_H
#include "ground/base.h"
#include "ground/facts.h"
#include "ground/thread.h"

enum {
  TM_ATTENDS_MAIN_QUEUE = 1,
  TM_ATTENDS_PROFILE = 2,
  TM_ATTENDS_RACES = 4,
  TM_ATTENDS_JITTER = 8,
  TM_ATTENDS_STEERING = 16,
  TM_ATTENDS_CONTROL = 32,
  TM_ATTENDS_HANDLERS = 64,
  TM_ATTENDS_INLINED_LOCK = 128
};

/* Returns the checks that the thread makes now. */
TM_INLINE uint16_t tm_attention(const tm_thread *t) {
  bool shaking = atomic_load_explicit(&tm_shaking, memory_order_relaxed);
  bool measuring = tm_settings_now.profile || tm_settings_now.trace;
  return (measuring ? TM_ATTENDS_PROFILE : 0) | (shaking ? TM_ATTENDS_JITTER : 0) |
         (tm_steering ? TM_ATTENDS_STEERING : 0) | (t->ground.explored ? TM_ATTENDS_CONTROL : 0);
}
TM_INLINE bool tm_is_profiling(const tm_thread *t) {
  return t->ground.attention & TM_ATTENDS_PROFILE;
}
TM_INLINE bool tm_is_steered(const tm_thread *t) {
  return t->ground.attention & TM_ATTENDS_STEERING;
}
TM_INLINE bool tm_is_jittered(const tm_thread *t) {
  return t->ground.attention & TM_ATTENDS_JITTER;
}
/* Jitter or an exploration has points in this thread's calls. */
TM_INLINE bool tm_is_shaken(const tm_thread *t) {
  return t->ground.attention & (TM_ATTENDS_JITTER | TM_ATTENDS_CONTROL);
}
#endif
