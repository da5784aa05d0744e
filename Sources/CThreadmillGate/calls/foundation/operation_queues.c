#ifdef __linux__
#include "ground/base.h"
#include "calls/foundation/operations.h"
#include "observe/leaving.h"
#include "seam/users_call.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

#define REAL TM_OPERATION_REAL

/* The queue of operations is told before it may begin others, and asked after it knows. */

static void may_begin(const void *queue, void *return_address) {
  tm_caller who;
  tm_thread *t = tm_users_call(return_address, &who);
  if (t) tm_operations_may_begin(t, queue);
}

static void are_seen(const void *queue, void *return_address) {
  tm_caller who;
  tm_thread *t = tm_users_call(return_address, &who);
  if (t) tm_operations_are_seen(t, queue);
}

TM_SWIFT void tm_operation_set_suspended(bool suspended, TM_FOUNDATION_SELF) {
  may_begin(self, __builtin_return_address(0));
  REAL(set_suspended)(suspended, self);
}
TM_SWIFT tm_changing tm_operation_change_suspended(void *room, TM_FOUNDATION_SELF) {
  may_begin(self, __builtin_return_address(0));
  return REAL(change_suspended)(room, self);
}
TM_SWIFT void tm_operation_set_most_at_once(intptr_t count, TM_FOUNDATION_SELF) {
  may_begin(self, __builtin_return_address(0));
  REAL(set_most_at_once)(count, self);
}
TM_SWIFT tm_changing tm_operation_change_most_at_once(void *room, TM_FOUNDATION_SELF) {
  may_begin(self, __builtin_return_address(0));
  return REAL(change_most_at_once)(room, self);
}

TM_SWIFT void tm_operation_wait_for_all(TM_FOUNDATION_SELF) {
  REAL(wait_for_all)(self);
  are_seen(self, __builtin_return_address(0));
}
TM_SWIFT const void *tm_operation_all(TM_FOUNDATION_SELF) {
  const void *all = REAL(all)(self);
  are_seen(self, __builtin_return_address(0));
  return all;
}
TM_SWIFT intptr_t tm_operation_count(TM_FOUNDATION_SELF) {
  intptr_t count = REAL(count)(self);
  are_seen(self, __builtin_return_address(0));
  return count;
}

/* The end of a queue: the next one may get the same address. */
static void queue_dies(const void *queue) {
  if (tm_is_active()) tm_operations_forget(queue);
}

TM_SWIFT void *tm_operation_queue_deinit(TM_FOUNDATION_SELF) {
  queue_dies(self);
  return REAL(queue_deinit)(self);
}
TM_SWIFT void tm_operation_queue_deallocate(TM_FOUNDATION_SELF) {
  queue_dies(self);
  REAL(queue_deallocate)(self);
}

TM_GATE_CODE_END
#endif
