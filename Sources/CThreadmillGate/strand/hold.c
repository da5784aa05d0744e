#ifdef __linux__
#include "ground/base.h"
#include "strand/hold.h"
#include "ground/thread.h"
#include "strand/part.h"

TM_GATE_CODE_BEGIN

_Atomic uint32_t tm_generations[TM_GENERATIONS];

void tm_hold_remove_inner(tm_thread *t, tm_hold *gone) {
  uint32_t index = (uint32_t)(gone - t->held.locks);
  tm_copy(gone, gone + 1, (t->holds.held_count - index - 1) * sizeof(tm_hold));
  uint32_t count = t->holds.held_count - 1;
  t->holds.held_count = index;
  for (uint32_t i = index; i < count; i++) {
    t->held.locks[i].context = tm_context(t, t->held.locks[i].object, t->held.locks[i].mode);
    t->holds.held_count = i + 1;
  }
}

TM_GATE_CODE_END
#endif
