/* Foundation's operations. */
#ifndef TM_OPERATIONS_H
#define TM_OPERATIONS_H
#include "ground/base.h"
#include "ground/foundation.h"

/* Takes over the methods of Foundation's own operation classes. Called once, before there are other
 * threads. */
void tm_operations_prepare(void);

#define TM_OPERATION_DEFINED(name) __asm__("$s10Foundation" name)
#define TM_OPERATION_REAL(name) \
  ((__typeof__(&tm_operation_##name))tm_foundation_demand(&tm_foundation.name))

/* The calls to queues that say what orders their operations (operation_queues.c). */
typedef struct tm_changing { /* a change of a property, until `resume` is called */
  void *resume, *value;
} tm_changing;
TM_EXPORT TM_SWIFT void tm_operation_set_suspended(bool, TM_FOUNDATION_SELF)
    TM_OPERATION_DEFINED("14OperationQueueC11isSuspendedSbvs");
TM_EXPORT TM_SWIFT tm_changing tm_operation_change_suspended(void *room, TM_FOUNDATION_SELF)
    TM_OPERATION_DEFINED("14OperationQueueC11isSuspendedSbvM");
TM_EXPORT TM_SWIFT void tm_operation_set_most_at_once(intptr_t, TM_FOUNDATION_SELF)
    TM_OPERATION_DEFINED("14OperationQueueC013maxConcurrentB5CountSivs");
TM_EXPORT TM_SWIFT tm_changing tm_operation_change_most_at_once(void *room, TM_FOUNDATION_SELF)
    TM_OPERATION_DEFINED("14OperationQueueC013maxConcurrentB5CountSivM");
TM_EXPORT TM_SWIFT void tm_operation_wait_for_all(TM_FOUNDATION_SELF)
    TM_OPERATION_DEFINED("14OperationQueueC33waitUntilAllOperationsAreFinishedyyF");
TM_EXPORT TM_SWIFT const void *tm_operation_all(TM_FOUNDATION_SELF)
    TM_OPERATION_DEFINED("14OperationQueueC10operationsSayAA0B0CGvg");
TM_EXPORT TM_SWIFT intptr_t tm_operation_count(TM_FOUNDATION_SELF)
    TM_OPERATION_DEFINED("14OperationQueueC14operationCountSivg");
TM_EXPORT TM_SWIFT void *tm_operation_queue_deinit(TM_FOUNDATION_SELF)
    TM_OPERATION_DEFINED("14OperationQueueCfd");
TM_EXPORT TM_SWIFT void tm_operation_queue_deallocate(TM_FOUNDATION_SELF)
    TM_OPERATION_DEFINED("14OperationQueueCfD");
#endif
