#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/thread.h"
#include "strand/tasks.h"
#include "threadmill_control.h"
#include "threadmill_shake.h"

TM_GATE_CODE_BEGIN

bool tm_is_controlled(void) { return tm_seat_here() != NULL; }

bool tm_control_begin_body(void) {
  const tm_seat *s = tm_self ? tm_self->control.seat : NULL;
  if (!s || s->discards || !s->flow) return false;
  s->flow->launched = false;
  tm_task_is_body(tm_self);
  return true;
}

/* Points that are no operation of their own. */

TM_SLOW void tm_control_at(tm_thread *t, tm_point point, const void *object) {
  (void)object;
  if (!t->ground.inside) t->control.seat->point = point == TM_POINT_BEFORE;
}

/* A flow spins if it makes more atomic accesses than this without another operation. */
enum { SPINS = 64 };

TM_SLOW void tm_control_access(const void *word, bool writes) {
  tm_seat *s = tm_seat_here();
  if (!s || s->flow->atomics > SPINS) return;
  s->point = true;
  tm_control_point(s, writes ? TM_STEP_WRITE : TM_STEP_READ, word);
}

TM_SLOW void tm_control_atomic(const void *word, tm_step_kind kind) {
  tm_seat *s = tm_seat_here();
  if (!s) return;
  s->point = true;
  if (s->flow->atomics > SPINS) return tm_control_point(s, TM_STEP_YIELD, NULL);
  s->flow->atomics++;
  tm_control_point(s, kind, word);
}

TM_GATE_CODE_END
#endif
