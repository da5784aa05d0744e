#ifdef __linux__
#include "ground/base.h"
#include "seam/plain.h"
#include "code/stack.h"
#include "ground/thread.h"
#include "seam/seam.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"

TM_GATE_CODE_BEGIN

TM_SLOW void tm_acquired_unplainly(tm_thread *t, const tm_wait *wait, const tm_prepared *prepared,
                                   unsigned after, int result) {
  tm_operation op = {.action = TM_ACQUIRE,
                     .kind = (tm_kind)wait->kind,
                     .mode = (tm_mode)wait->mode,
                     .result = result,
                     .object = wait->object,
                     .frame = wait->frame,
                     .prepared = tm_hold_is_put(t, prepared, 1),
                     .before = {after, prepared->kind, prepared->object}};
  tm_change_ends(t, after);
  tm_site_take_near(t, wait->frame, op.site);
  tm_after(t, &op, tm_took(result));
}

TM_GATE_CODE_END
#endif
