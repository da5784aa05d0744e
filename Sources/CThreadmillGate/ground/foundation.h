/* The functions and fields of Foundation's operations that the gate uses: the functions behind
 * those that it takes over, and the fields that it reads. All are found by name; if one is missing,
 * operations are not watched. */
#ifndef TM_FOUNDATION_H
#define TM_FOUNDATION_H
#include "threadmill_events.h"
#include <stdbool.h>
#include <stdint.h>

#define TM_FOUNDATION_SELF __attribute__((swift_context)) const void *self
#define TM_SWIFT __attribute__((swiftcall))

/* The functions that the gate takes over: by symbols with their names, and in the method tables of
 * the classes that Foundation itself makes instances of. */
/* clang-format off */
#define TM_OPERATION_FUNCTIONS(X) \
  X(start, "9OperationC5startyyF") \
  X(add_dependency, "9OperationC13addDependencyyyACF") \
  X(remove_dependency, "9OperationC16removeDependencyyyACF") \
  X(wait_until_finished, "9OperationC17waitUntilFinishedyyF") \
  X(changed_key, "9OperationC14didChangeValue6forKeyySS_tF") \
  X(changed_path, "9OperationC14didChangeValue3forys7KeyPathCyACxG_tlF") \
  X(deinit, "9OperationCfd") \
  X(deallocate, "9OperationCfD") \
  X(block_deinit, "14BlockOperationCfd") \
  X(block_deallocate, "14BlockOperationCfD") \
  X(add_operation, "14OperationQueueC03addB0yyAA0B0CF") \
  X(add_operations, "14OperationQueueC13addOperations_17waitUntilFinishedySayAA0B0CG_SbtF") \
  X(set_suspended, "14OperationQueueC11isSuspendedSbvs") \
  X(change_suspended, "14OperationQueueC11isSuspendedSbvM") \
  X(set_most_at_once, "14OperationQueueC013maxConcurrentB5CountSivs") \
  X(change_most_at_once, "14OperationQueueC013maxConcurrentB5CountSivM") \
  X(wait_for_all, "14OperationQueueC33waitUntilAllOperationsAreFinishedyyF") \
  X(all, "14OperationQueueC10operationsSayAA0B0CGvg") \
  X(count, "14OperationQueueC14operationCountSivg") \
  X(queue_deinit, "14OperationQueueCfd") \
  X(queue_deallocate, "14OperationQueueCfD")
/* clang-format on */

enum { TM_OPERATION_FUNCTION_COUNT = 21 };

#define TM_OPERATION_FIELD(name, symbol) void *name;
typedef struct tm_operation_functions {
  TM_OPERATION_FUNCTIONS(TM_OPERATION_FIELD)
} tm_operation_functions;

extern tm_operation_functions tm_foundation;

/* Finds all functions and fields, and puts `ours` into the method tables of Foundation's classes.
 * Called once, before there are other threads; does nothing in a program without Foundation. */
void tm_foundation_prepare(const tm_operation_functions *ours);
/* Returns whether the fields of operations were found. The first operation that is asked about is
 * compared with the values that its fields can have. */
bool tm_foundation_knows(const void *operation);
/* Returns the real function; if it is not found, ends the process with an internal error. */
void *tm_foundation_demand(void **field);
/* Looks up the function of Foundation with this symbol; leaves the field as it is if there is none.
 */
void tm_foundation_find(void **field, const char *symbol);
/* Returns the function, looked up now if it was not found before; if there is none, ends the
 * process with an internal error. */
void *tm_foundation_function(void **field, const char *symbol);

/* Each reads one field of a living operation or queue, which another thread may change
 * meanwhile. */
tm_operation_state tm_operation_now(const void *operation);
const void *tm_operation_queue(const void *operation);
/* Returns whether no dependency kept the operation back when Foundation last asked it. */
bool tm_operation_seems_ready(const void *operation);
bool tm_operation_cancelled(const void *operation);
bool tm_operation_queue_is_serial(const void *queue);
bool tm_operation_queue_is_main(const void *queue);
/* Returns the mutex inside the lock that guards the queue's list of operations; NULL if its place
 * is not known. */
const void *tm_operation_queue_mutex(const void *queue);

/* Returns whether Foundation's own `isFinished` decides when the operation is finished, not a
 * subclass's. */
bool tm_operation_finishes_itself(const void *operation);
/* Calls the operation's own getters. They are the user's code: the gate may call them only at
 * moments when Foundation does. */
bool tm_operation_says_finished(const void *operation);
bool tm_operation_says_executing(const void *operation);
/* The property of an operation that a key or a key path names. */
typedef enum tm_operation_key { TM_KEY_OTHER, TM_KEY_FINISHED, TM_KEY_EXECUTING } tm_operation_key;
tm_operation_key tm_operation_key_named(uint64_t first, uint64_t second);
tm_operation_key tm_operation_key_of_path(const void *path);

/* A Swift array of operations (swift_values.h), which the caller has to release. */
const void *tm_operation_dependencies(const void *operation);
void tm_array_release(const void *array);

/* Reads for a program that stands still, in which any thread may have Foundation's locks. The first
 * returns whether the queue starts no operation; the second, an array that the operation keeps,
 * NULL if unknown. */
bool tm_operation_queue_is_suspended(const void *queue);
const void *tm_operation_list(const void *operation);
void tm_operation_label_still(const void *operation, char *text, uint32_t size);

/* Class and name, `Resize thumbnail`; the class alone if it has no name. The operation has to be
 * alive. */
void tm_operation_label(const void *operation, char *text, uint32_t size);
#endif
