#ifdef __linux__
#include "ground/base.h"
#include "strand/steps.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

uint32_t tm_steps_last(const tm_steps *steps, int64_t wanted, tm_step out[TM_STEPS]) {
  uint32_t count = steps->count < TM_STEPS ? steps->count : TM_STEPS;
  if (wanted < count) count = wanted < 0 ? 0 : (uint32_t)wanted;
  for (uint32_t i = 0; i < count; i++)
    tm_copy(&out[i], &steps->kept[(steps->count - 1 - i) % TM_STEPS], sizeof(tm_step));
  return count;
}

void tm_steps_show(const tm_step steps[], uint32_t count, tm_places *places) {
  for (uint32_t i = 0; i < count && places->count < TM_PLACES; i++) {
    uint32_t frames = 0;
    while (frames < TM_SITE && steps[i].site[frames]) frames++;
    places->list[places->count++] = (tm_stack_view){steps[i].site, frames, steps[i].thread};
  }
}

TM_GATE_CODE_END
#endif
