#ifdef __linux__
#include "base.h"
#include "steps.h"

TM_GATE_CODE_BEGIN

uint32_t tm_steps_last(const tm_steps *steps, int64_t wanted, tm_step out[TM_STEPS]) {
  uint32_t count = steps->count < TM_STEPS ? steps->count : TM_STEPS;
  if (wanted < count) count = wanted < 0 ? 0 : (uint32_t)wanted;
  for (uint32_t i = 0; i < count; i++)
    tm_copy(&out[i], &steps->kept[(steps->count - 1 - i) % TM_STEPS], sizeof(tm_step));
  return count;
}

TM_GATE_CODE_END
#endif
