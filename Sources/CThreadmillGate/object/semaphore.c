#ifdef __linux__
#include "ground/base.h"
#include "object/semaphore.h"
#include "ground/layout.h"
#include "ground/pool.h"
#include "object/object.h"
#include "strand/steps.h"
#include "threadmill_views.h"
#include <semaphore.h>
#include <time.h>

TM_GATE_CODE_BEGIN

tm_semaphore *tm_semaphore_record(tm_object *o) {
  if (!o->signal) o->signal = tm_pool_take(sizeof(tm_semaphore));
  return o->signal;
}

static bool describe_semaphore(const void *semaphore, tm_semaphore_state *state) {
  tm_object *o = tm_object_find(semaphore);
  if (!o) return false;
  bool known = o->kind == TM_SEMAPHORE;
  if (known && o->signal) {
    state->wait_count = tm_steps_last(&o->signal->waits, TM_STEPS, state->waits);
    state->signal_count = tm_steps_last(&o->signal->signals, TM_STEPS, state->signals);
  }
  tm_object_release(semaphore);
  return known;
}

bool tm_semaphore_ask(const void *semaphore, tm_semaphore_state *state) {
  tm_clear(state, sizeof *state);
  if (!describe_semaphore(semaphore, state)) return false;
  int64_t value, initial;
  if (tm_class_of(semaphore) != TM_CLASS_SEMAPHORE) return true;
  if (!tm_semaphore_values(semaphore, &value, &initial)) return true;
  state->known_value = true;
  state->initial = initial;
  state->value = value < 0 ? 0 : value;
  state->waiters = value < 0 ? (uint32_t)-value : 0;
  return true;
}

TM_GATE_CODE_END
#endif
