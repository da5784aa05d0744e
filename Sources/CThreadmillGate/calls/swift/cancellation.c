#ifdef __linux__
#include "ground/base.h"
#include "control/call.h"
#include "ground/facts.h"
#include "ground/pool.h"
#include "ground/real.h"
#include "ground/tsan.h"

TM_GATE_CODE_BEGIN

/* Cancellation, and streams. Under control, whoever cancels a task, asks whether it is cancelled,
 * installs a handler or gives a stream a value makes a step. */

#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))
#define RESULT __attribute__((swift_indirect_result))
#define ERROR __attribute__((swift_error_result))
#define SELF __attribute__((swift_context))
#define TAIL_CALL __attribute__((musttail))
#define PLACE ((uintptr_t)__builtin_return_address(0))

/* A cancellation goes from a task to its child tasks and to its groups. So all tasks count as one
 * object. */
static const char cancellation;

/* A cancellation handler that is installed after the task was cancelled runs at once, in the task.
 * A handler that was installed before runs on the canceller's thread. Nothing else orders a
 * cancelled task after its canceller: reading `isCancelled` is no synchronisation. */

static void *cancelled_task(void) {
  typedef __attribute__((swiftcall)) void *(*function)(void);
  function current = TM_HELPER(function, swift_task_getCurrent);
  return current ? current() : NULL;
}

static const void *cancellation_of(const void *task) {
  return task ? (const char *)task + 16 : NULL;
}

typedef __attribute__((swiftcall)) void *(*add_handler_function)(void *, void *);
TM_EXPORT __attribute__((swiftcall)) void *swift_task_addCancellationHandler(void *handler,
                                                                             void *captures) {
  tm_control_call(TM_STEP_READ, &cancellation, PLACE);
  tm_tsan_acquire(cancellation_of(cancelled_task()));
  return TM_REAL_AS(add_handler_function, swift_task_addCancellationHandler)(handler, captures);
}

/* `withTaskCancellationHandler` of the library installs a handler, runs an operation, and removes
 * the handler, all by itself. Under control, the moment between the operation and the removal is a
 * step, too: there a cancellation still runs the handler, though the operation is over. So the
 * library gets an operation of the gate's, which runs the program's. */

typedef struct call_context {
  struct call_context *from;
  SWIFT_ASYNC void (*resume)(CONTEXT struct call_context *, SELF void *error);
} call_context;
typedef SWIFT_ASYNC void (*operation_function)(void *result, CONTEXT call_context *,
                                               SELF void *captures);
/* Swift's pointer to an asynchronous function. */
typedef struct async_pointer {
  int32_t to;    /* the function, from here */
  uint32_t size; /* of its context */
} async_pointer;

/* The program's operation, until the library begins the gate's. If the schedule is abandoned before
 * that, this memory is lost: a thread that was given up may still come to it. */
typedef struct coming_operation {
  const async_pointer *function;
  void *captures;
  uintptr_t place; /* of the call with the handler */
} coming_operation;

/* The beginning of the memory of an operation that has begun. The context of the program's function
 * starts at `inner`, and goes on behind it. */
typedef struct begun_operation {
  uintptr_t place;
  _Alignas(16) call_context inner;
} begun_operation;

typedef __attribute__((swiftcall)) void *(*alloc_function)(size_t);
extern __attribute__((swiftcall)) void swift_task_dealloc(void *memory);

static SWIFT_ASYNC void operation_is_over(CONTEXT call_context *inner, SELF void *error) {
  begun_operation *o = (begun_operation *)((char *)inner - offsetof(begun_operation, inner));
  call_context *outer = inner->from;
  tm_control_makes_step(TM_STEP_READ, &cancellation, o->place);
  TM_REAL(swift_task_dealloc)(o);
  TAIL_CALL return outer->resume(outer, error);
}

static SWIFT_ASYNC void run_operation(void *result, CONTEXT call_context *outer,
                                      SELF void *captures) {
  coming_operation o = *(coming_operation *)captures;
  tm_pool_give(captures, sizeof o);
  const async_pointer *pointer = o.function;
  size_t size = offsetof(begun_operation, inner) + pointer->size;
  begun_operation *begun = TM_HELPER(alloc_function, swift_task_alloc)(size);
  begun->place = o.place;
  begun->inner = (call_context){outer, operation_is_over};
  operation_function function = (operation_function)((uintptr_t)pointer + (intptr_t)pointer->to);
  TAIL_CALL return function(result, &begun->inner, o.captures);
}

/* Puts the gate's operation in the place of the program's. */
static void replace_operation(void **function, void **captures, uintptr_t place) {
  static async_pointer ours = {0, sizeof(call_context)};
  if (!TM_HELPER(alloc_function, swift_task_alloc)) return;
  coming_operation *o = tm_pool_take_as_is(sizeof *o);
  if (!o) return tm_count_one(TM_MEMORY_REFUSED);
  __atomic_store_n(&ours.to, (int32_t)((intptr_t)run_operation - (intptr_t)&ours),
                   __ATOMIC_RELAXED);
  *o = (coming_operation){*function, *captures, place};
  *function = &ours, *captures = o;
}

/* The gate may pass more arguments in registers than the function has; those on the stack must be
 * exact. */

#define ASYNC_PARAMETERS                                                                         \
  void *result, void *body, void *captures, void *d, void *e, void *f, void *g, void *h,         \
      CONTEXT call_context *from, SELF void *self
typedef SWIFT_ASYNC void (*with_handler_function)(ASYNC_PARAMETERS);
TM_EXPORT SWIFT_ASYNC void tm_with_handler(ASYNC_PARAMETERS) __asm__(TM_WITH_CANCELLATION_HANDLER);
SWIFT_ASYNC void tm_with_handler(ASYNC_PARAMETERS) {
  /* The place at which the caller goes on. The return address says nothing: it is that of the code
   * that has resumed the task. */
  uintptr_t place = (uintptr_t)from->resume + 1;
  tm_control_call(TM_STEP_READ, &cancellation, place);
  tm_tsan_acquire(cancellation_of(cancelled_task()));
  if (tm_control_sees_call(place)) replace_operation(&body, &captures, place);
  with_handler_function function = TM_REAL_AS(with_handler_function, with_cancellation_handler);
  TAIL_CALL return function(result, body, captures, d, e, f, g, h, from, self);
}

/* Functions of the library that are only steps. They have fewer parameters than these, all of them
 * in registers. */

#define PARAMETERS void *a, void *b, void *c, void *d, SELF void *self
#define TM_STEPPING(type, name, symbol, kind)                                      \
  __attribute__((swiftcall)) TM_EXPORT type tm_##name(PARAMETERS) __asm__(symbol); \
  __attribute__((swiftcall)) type tm_##name(PARAMETERS) {                          \
    typedef __attribute__((swiftcall)) type (*function)(PARAMETERS);               \
    tm_control_call(kind, &cancellation, PLACE);                                   \
    return TM_REAL_AS(function, name)(a, b, c, d, self);                           \
  }
#define CANCELS(name, symbol) TM_STEPPING(void, name, symbol, TM_STEP_CANCEL)
#define ASKS(name, symbol) TM_STEPPING(bool, name, symbol, TM_STEP_READ)

TM_CANCELLING_FUNCTIONS(CANCELS)
TM_ASKING_FUNCTIONS(ASKS)

typedef __attribute__((swiftcall)) void (*check_function)(SELF void *, ERROR void **);
__attribute__((swiftcall)) TM_EXPORT void tm_own_check(SELF void *,
                                                       ERROR void **) __asm__(TM_OWN_CHECK);
__attribute__((swiftcall)) void tm_own_check(SELF void *self, ERROR void **error) {
  tm_control_call(TM_STEP_READ, &cancellation, PLACE);
  TM_REAL_AS(check_function, own_check)(self, error);
}

typedef __attribute__((swiftcall)) void (*cancel_function)(void *, void *, void *, void *);
TM_EXPORT __attribute__((swiftcall)) void tm_task_cancel(void *task, void *a, void *b,
                                                         void *c) __asm__(TM_TASK_CANCEL);
__attribute__((swiftcall)) void tm_task_cancel(void *task, void *a, void *b, void *c) {
  tm_control_call(TM_STEP_CANCEL, &cancellation, PLACE);
  tm_tsan_release(cancellation_of(task));
  TM_REAL_AS(cancel_function, task_cancel)(task, a, b, c);
}

/* The continuation of a stream is a structure that holds one object. */

typedef __attribute__((swiftcall)) void (*giving_function)(RESULT void *, PARAMETERS);

#define GIVES(name, symbol)                                                              \
  __attribute__((swiftcall)) TM_EXPORT void tm_##name(RESULT void *result,               \
                                                      PARAMETERS) __asm__(symbol);       \
  __attribute__((swiftcall)) void tm_##name(RESULT void *result, PARAMETERS) {           \
    tm_control_call(TM_STEP_SIGNAL, *(void **)self, PLACE);                              \
    TM_REAL_AS(giving_function, name)(result, a, b, c, d, self);                         \
    tm_control_called(PLACE);                                                            \
  }

TM_STREAM_FUNCTIONS(GIVES)

TM_GATE_CODE_END
#endif
