#ifdef __linux__
#include "ground/base.h"
#include "control/model.h"
#include "ground/facts.h"
#include "ground/real.h"

TM_GATE_CODE_BEGIN

TM_EXPORT void swift_once(void *token, void (*work)(void *), void *context);

TM_EXPORT void swift_once(void *token, void (*work)(void *), void *context) {
  if (TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)))
    return tm_control_initialise(token, work, context);
  TM_REAL(swift_once)(token, work, context);
}

TM_GATE_CODE_END
#endif
