#ifdef __linux__
#include "ground/base.h"
#include "calls/foundation/operations.h"
#include "code/caller.h"
#include "code/stack.h"
#include "ground/foundation.h"
#include "ground/limits.h"
#include "ground/swift_values.h"
#include "ground/thread.h"
#include "object/object.h"
#include "observe/dependencies.h"
#include "observe/leaving.h"
#include "seam/users_call.h"
#include "strand/thread.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_events.h"
#include "threadmill_gate.h"

TM_GATE_CODE_BEGIN

#define DEFINED TM_OPERATION_DEFINED
#define REAL TM_OPERATION_REAL

TM_EXPORT TM_SWIFT void tm_operation_start(TM_FOUNDATION_SELF) DEFINED("9OperationC5startyyF");
TM_EXPORT TM_SWIFT void tm_operation_add_dependency(const void *on, TM_FOUNDATION_SELF)
    DEFINED("9OperationC13addDependencyyyACF");
TM_EXPORT TM_SWIFT void tm_operation_remove_dependency(const void *on, TM_FOUNDATION_SELF)
    DEFINED("9OperationC16removeDependencyyyACF");
TM_EXPORT TM_SWIFT void tm_operation_wait_until_finished(TM_FOUNDATION_SELF)
    DEFINED("9OperationC17waitUntilFinishedyyF");
TM_EXPORT TM_SWIFT void tm_operation_changed_key(uint64_t first, uint64_t second,
                                                 TM_FOUNDATION_SELF)
    DEFINED("9OperationC14didChangeValue6forKeyySS_tF");
TM_EXPORT TM_SWIFT void tm_operation_changed_path(const void *path, TM_FOUNDATION_SELF)
    DEFINED("9OperationC14didChangeValue3forys7KeyPathCyACxG_tlF");
TM_EXPORT TM_SWIFT void *tm_operation_deinit(TM_FOUNDATION_SELF) DEFINED("9OperationCfd");
TM_EXPORT TM_SWIFT void tm_operation_deallocate(TM_FOUNDATION_SELF) DEFINED("9OperationCfD");
TM_EXPORT TM_SWIFT void *tm_operation_block_deinit(TM_FOUNDATION_SELF)
    DEFINED("14BlockOperationCfd");
TM_EXPORT TM_SWIFT void tm_operation_block_deallocate(TM_FOUNDATION_SELF)
    DEFINED("14BlockOperationCfD");
TM_EXPORT TM_SWIFT void tm_operation_add_operation(const void *operation, TM_FOUNDATION_SELF)
    DEFINED("14OperationQueueC03addB0yyAA0B0CF");
TM_EXPORT TM_SWIFT void tm_operation_add_operations(const void *operations, bool wait,
                                                    TM_FOUNDATION_SELF)
    DEFINED("14OperationQueueC13addOperations_17waitUntilFinishedySayAA0B0CG_SbtF");

void tm_operations_prepare(void) {
#define OURS(name, symbol) .name = (void *)tm_operation_##name,
  static const tm_operation_functions ours = {TM_OPERATION_FUNCTIONS(OURS)};
  tm_foundation_prepare(&ours);
}

/* Returns the thread if the call is to be watched and the operation's fields are known, else
 * NULL. */
static tm_thread *watched(const void *operation, void *return_address, tm_caller *who) {
  tm_thread *t = tm_users_call(return_address, who);
  return t && tm_foundation_knows(operation) ? t : NULL;
}

static tm_thread *users(const void *operation, void *return_address) {
  tm_caller who;
  tm_thread *t = watched(operation, return_address, &who);
  return who == TM_CALLER_USER ? t : NULL;
}

/* Using an operation twice. */

static void first_used(tm_thread *t, const void *operation, void *frame) {
  uintptr_t stack[TM_STACK / 2];
  uint32_t place = tm_stack_keep(stack, tm_stack_take(t, frame, stack, TM_STACK / 2));
  tm_object *o = tm_operation_object(t, operation);
  if (!o) return;
  o->created = place;
  o->value = (int32_t)t->who.number;
  tm_object_release(operation);
}

static void used_again(tm_thread *t, const void *operation, tm_operation_state state, bool started,
                       void *frame) {
  tm_happening happening = {.kind = TM_OPERATION_USED_AGAIN,
                            .operation_used_again = {.starts = started, .state = state}};
  tm_operation_used_again *again = &happening.operation_used_again;
  tm_operation_name name;
  if (!tm_operation_describe(t, operation, &again->operation, &name)) return;
  tm_object *o = tm_object_find(operation);
  if (o) {
    again->first_use.addresses = tm_stack_kept(o->created, &again->first_use.count);
    again->first_use.thread = (uint32_t)o->value;
    tm_object_release(operation);
  }
  tm_tell_all(t, frame, &happening);
}

static void starts(tm_thread *t, const void *operation, void *frame) {
  tm_operation_state state = tm_operation_now(operation);
  switch (tm_start_means(state, tm_operation_queue(operation) != NULL)) {
  case TM_START_FIRST: return first_used(t, operation, frame);
  case TM_START_ALLOWED: return;
  case TM_START_AGAIN: return used_again(t, operation, state, true, frame);
  }
}

TM_SWIFT void tm_operation_start(TM_FOUNDATION_SELF) {
  tm_caller who;
  tm_thread *t = watched(self, __builtin_return_address(0), &who);
  if (!t) return REAL(start)(self);
  if (who == TM_CALLER_USER) starts(t, self, __builtin_frame_address(0));
  tm_running here = {self, t->observe.running};
  tm_leaving leaving;
  t->observe.running = &here;
  tm_leaving_begin(t, self, &leaving);
  REAL(start)(self);
  tm_leaving_end(t, &leaving);
  t->observe.running = here.outer;
}

static void checks_use(tm_thread *t, const void *operation, void *frame) {
  tm_operation_state state = tm_operation_now(operation);
  if (state == TM_STATE_INITIALIZED) first_used(t, operation, frame);
  else used_again(t, operation, state, false, frame);
}

TM_SWIFT void tm_operation_add_operation(const void *operation, TM_FOUNDATION_SELF) {
  tm_caller who;
  tm_thread *t = watched(operation, __builtin_return_address(0), &who);
  if (!t) return REAL(add_operation)(operation, self);
  if (who == TM_CALLER_USER) checks_use(t, operation, __builtin_frame_address(0));
  const void *before = tm_adding_begin(t, self);
  REAL(add_operation)(operation, self);
  tm_adding_end(t, before);
}

TM_SWIFT void tm_operation_add_operations(const void *operations, bool wait, TM_FOUNDATION_SELF) {
  tm_caller who = TM_CALLER_USER;
  const void *first = tm_array_count(operations) ? tm_array_element(operations, 0) : NULL;
  tm_thread *t = first ? watched(first, __builtin_return_address(0), &who) : NULL;
  if (!t) return REAL(add_operations)(operations, wait, self);
  for (uint64_t i = 0; who == TM_CALLER_USER && i < tm_array_count(operations); i++) {
    const void *operation = tm_array_element(operations, i);
    bool fresh = tm_operation_now(operation) == TM_STATE_INITIALIZED;
    checks_use(t, operation, __builtin_frame_address(0));
    if (!fresh) break;
  }
  const void *before = tm_adding_begin(t, self);
  REAL(add_operations)(operations, wait, self);
  tm_adding_end(t, before);
}

/* Dependencies. */

TM_SWIFT void tm_operation_add_dependency(const void *on, TM_FOUNDATION_SELF) {
  tm_thread *t = users(self, __builtin_return_address(0));
  /* Foundation does not return from a dependency on the operation itself: it is told before the
   * call. */
  if (t && on == self) tm_operation_depends(t, self, on, __builtin_frame_address(0));
  REAL(add_dependency)(on, self);
  if (t && on != self) tm_operation_depends(t, self, on, __builtin_frame_address(0));
}

TM_SWIFT void tm_operation_remove_dependency(const void *on, TM_FOUNDATION_SELF) {
  tm_thread *t = users(self, __builtin_return_address(0));
  if (t) tm_operation_is_independent(t, self, on);
  REAL(remove_dependency)(on, self);
}

/* Waiting. */

TM_SWIFT void tm_operation_wait_until_finished(TM_FOUNDATION_SELF) {
  tm_caller who;
  tm_thread *t = watched(self, __builtin_return_address(0), &who);
  if (!t || tm_operation_now(self) >= TM_STATE_FINISHING) return REAL(wait_until_finished)(self);
  if (t->observe.running || t->who.is_main)
    tm_operation_awaits(t, self, __builtin_frame_address(0));
  const void *outer = atomic_exchange_explicit(&t->observe.awaited, self, memory_order_relaxed);
  REAL(wait_until_finished)(self);
  atomic_store_explicit(&t->observe.awaited, outer, memory_order_relaxed);
}

/* Judging an operation by its own properties. The order of the two reads matters: `isFinished` is
 * read first, then whether the operation has been started. */

static void finished_early(tm_thread *t, const void *operation, void *frame) {
  tm_happening early = {
      .kind = TM_OPERATION_FINISHED_EARLY,
      .operation_finished_early = {.cancelled = tm_operation_cancelled(operation)}};
  tm_operation_name name;
  if (tm_operation_describe(t, operation, &early.operation_finished_early.operation, &name))
    tm_tell_all(t, frame, &early);
}

static void revived(tm_thread *t, const void *operation, void *frame) {
  tm_happening again = {.kind = TM_OPERATION_REVIVED, .operation_revived = {.operation = {0}}};
  tm_operation_name name;
  if (tm_operation_describe(t, operation, &again.operation_revived.operation, &name))
    tm_tell_all(t, frame, &again);
}

static bool is_unstarted(const void *operation) {
  return tm_operation_queue(operation) && tm_operation_now(operation) < TM_STATE_STARTING;
}

static void changed(tm_thread *t, const void *operation, tm_operation_key key, void *frame) {
  if (key == TM_KEY_FINISHED && is_unstarted(operation)) {
    if (tm_operation_says_finished(operation) && is_unstarted(operation))
      finished_early(t, operation, frame);
  } else if (key == TM_KEY_EXECUTING && tm_operation_now(operation) == TM_STATE_FINISHED) {
    if (tm_operation_says_executing(operation) && !tm_operation_says_finished(operation))
      revived(t, operation, frame);
  }
}

TM_SWIFT void tm_operation_changed_key(uint64_t first, uint64_t second, TM_FOUNDATION_SELF) {
  tm_caller who;
  tm_thread *t = watched(self, __builtin_return_address(0), &who);
  if (!t) return REAL(changed_key)(first, second, self);
  if (who == TM_CALLER_USER)
    changed(t, self, tm_operation_key_named(first, second), __builtin_frame_address(0));
  tm_leaving leaving;
  tm_leaving_begin(t, self, &leaving);
  REAL(changed_key)(first, second, self);
  tm_leaving_end(t, &leaving);
}

TM_SWIFT void tm_operation_changed_path(const void *path, TM_FOUNDATION_SELF) {
  tm_caller who;
  tm_thread *t = watched(self, __builtin_return_address(0), &who);
  if (!t) return REAL(changed_path)(path, self);
  if (who == TM_CALLER_USER)
    changed(t, self, tm_operation_key_of_path(path), __builtin_frame_address(0));
  tm_leaving leaving;
  tm_leaving_begin(t, self, &leaving);
  REAL(changed_path)(path, self);
  tm_leaving_end(t, &leaving);
}

/* The end of an operation: the next one may get the same address. */

static void operation_dies(const void *operation) {
  if (!tm_is_active()) return;
  tm_thread *t = tm_self ? tm_self : tm_thread_attach();
  if (!t || !tm_object_find(operation)) return;
  tm_object_release(operation);
  tm_object_died(t, operation);
}

TM_SWIFT void *tm_operation_deinit(TM_FOUNDATION_SELF) {
  operation_dies(self);
  return REAL(deinit)(self);
}
TM_SWIFT void tm_operation_deallocate(TM_FOUNDATION_SELF) {
  operation_dies(self);
  REAL(deallocate)(self);
}
TM_SWIFT void *tm_operation_block_deinit(TM_FOUNDATION_SELF) {
  operation_dies(self);
  return REAL(block_deinit)(self);
}
TM_SWIFT void tm_operation_block_deallocate(TM_FOUNDATION_SELF) {
  operation_dies(self);
  REAL(block_deallocate)(self);
}

TM_GATE_CODE_END
#endif
