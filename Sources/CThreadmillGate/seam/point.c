#ifdef __linux__
#include "ground/base.h"
#include "seam/point.h"
#include "control/model.h"
#include "ground/thread.h"
#include "shake/shake.h"
#include "threadmill_control.h"
#include "threadmill_shake.h"

TM_GATE_CODE_BEGIN

TM_SLOW void tm_shake_point(tm_thread *t, tm_point point, const void *object, uintptr_t place) {
  if (t->control.seat) return tm_control_at(t, point, place);
  tm_shake_at(t, point, object, place);
}

bool tm_is_exploring(void) {
  const tm_seat *s = tm_self ? tm_self->control.seat : NULL;
  return s && s->flow && !atomic_load(&s->given_up);
}

TM_GATE_CODE_END
#endif
