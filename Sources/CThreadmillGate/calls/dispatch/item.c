#ifdef __linux__
#include "ground/base.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/dispatch.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/thread.h"
#include "object/item.h"
#include "observe/inversion.h"
#include "observe/starvation.h"
#include "seam/point.h"
#include "seam/run_item.h"
#include "seam/users_call.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/quality.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

#define TM_CREATE_ITEM(name, qos, arguments_with, arguments_plain)            \
  tm_caller tm_who;                                                           \
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);         \
  tm_item *item = t && tm_item_invoke ? tm_pool_take(sizeof(tm_item)) : NULL; \
  if (!item) return TM_REAL(name) arguments_plain;                            \
  tm_wrapper w = tm_item_wrap(item, block);                                   \
  item->quality = tm_quality(qos);                                            \
  item->enforces = flags & DISPATCH_BLOCK_ENFORCE_QOS_CLASS;                  \
  item->barrier = flags & DISPATCH_BLOCK_BARRIER;                             \
  tm_item_made(t, __builtin_frame_address(0), item);                          \
  dispatch_block_t outer = TM_REAL(name) arguments_with;                      \
  if (outer) tm_item_remember(item, outer);                                   \
  return outer

TM_EXPORT dispatch_block_t dispatch_block_create(unsigned long flags, dispatch_block_t block) {
  TM_CREATE_ITEM(dispatch_block_create, 0, (flags, &w), (flags, block));
}

TM_EXPORT dispatch_block_t dispatch_block_create_with_qos_class(unsigned long flags, unsigned qos,
                                                                int relative,
                                                                dispatch_block_t block) {
  TM_CREATE_ITEM(dispatch_block_create_with_qos_class, qos, (flags, qos, relative, &w),
                 (flags, qos, relative, block));
}

TM_EXPORT void dispatch_block_perform(unsigned long flags, dispatch_block_t block) {
  TM_REAL(dispatch_block_perform)(flags, block);
}

TM_EXPORT void dispatch_block_cancel(dispatch_block_t block) {
  TM_REAL(dispatch_block_cancel)(block);
}

TM_EXPORT intptr_t dispatch_block_testcancel(dispatch_block_t block) {
  return TM_REAL(dispatch_block_testcancel)(block);
}

TM_EXPORT intptr_t dispatch_block_wait(dispatch_block_t block, dispatch_time_t until) {
  tm_caller tm_who;
  tm_thread *t = tm_users_call(__builtin_return_address(0), &tm_who);
  if (!t) return TM_REAL(dispatch_block_wait)(block, until);
  TM_POINT(t, BEFORE, block);
  tm_operation op = {.action = TM_WAIT,
                     .object = block,
                     .kind = TM_WORK_ITEM,
                     .frame = __builtin_frame_address(0),
                     .polls = until == 0,
                     .bounded = until != DISPATCH_TIME_FOREVER};
  tm_item *item = tm_item_of(block);
  tm_site_take(t, op.frame, op.site);
  tm_wait_begin(t, &op, true);
  tm_may_starve(t);
  if (item && tm_can_be_inverted(t)) tm_inversion_begin(t, &op);
  intptr_t result = TM_REAL(dispatch_block_wait)(block, until);
  tm_wait_end(t);
  if (op.inversion) tm_inversion_end(t, &op);
  if (item && result == 0) tm_item_learn(t, item), tm_item_order(item);
  tm_item_drop(item);
  TM_POINT(t, WAKE, NULL);
  return result;
}

TM_GATE_CODE_END
#endif
