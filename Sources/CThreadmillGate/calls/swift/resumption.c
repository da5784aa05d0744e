#ifdef __linux__
#include "ground/base.h"
#include "ground/real.h"
#include "ground/swift_layout.h"
#include "ground/tsan.h"
#include "strand/job.h"

TM_GATE_CODE_BEGIN

/* A continuation that is resumed before its task has gone to wait lets the task go on at once. The
 * runtime tells TSan of the resume (it releases the task), but not that the task goes on: what was
 * written before `resume` and is read after the `await` looks like a race. So a task that comes
 * back from an `await` acquires itself first. Each release on a task belongs to a resume, or to a
 * hand-over to a thread, that comes before the task goes on. The acquire adds no other order.
 * Without TSan the calls pass through. */

#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))
#define SELF __attribute__((swift_context))
#define TAIL_CALL __attribute__((musttail))

/* The beginning of an asynchronous function's context. */
typedef struct context context;
typedef SWIFT_ASYNC void (*resume_function)(CONTEXT context *, SELF void *error);
struct context {
  context *parent;
  resume_function resume;
};

static void *current_task(void) {
  typedef __attribute__((swiftcall)) void *(*function)(void);
  function current = TM_HELPER(function, swift_task_getCurrent);
  return current ? current() : NULL;
}

/* `swift_continuation_await`: code that inlined the library's await calls it, and goes on at the
 * context's `resume`. The runtime has noted that place in the task, too, so the gate may replace
 * the one in the context. */

static SWIFT_ASYNC void go_on(CONTEXT context *at, SELF void *error) {
  void *task = current_task();
  tm_tsan_acquire(task);
  resume_function resume = (resume_function)tm_task_resumes_at(task, at);
  TAIL_CALL return resume(at, error);
}

typedef SWIFT_ASYNC void (*await_function)(context *);
TM_EXPORT SWIFT_ASYNC void swift_continuation_await(context *);
SWIFT_ASYNC void swift_continuation_await(context *at) {
  if (tm_is_tsan()) {
    void *task = current_task();
    bool noted = task && tm_layout_is_usable(TM_LAYOUT_TASK) &&
                 tm_task_resumes_at(task, at) == (uintptr_t)at->resume;
    if (noted) at->resume = go_on;
  }
  TAIL_CALL return TM_REAL_AS(await_function, swift_continuation_await)(at);
}

/* Other functions of the library await a continuation internally or through a witness table, where
 * the gate does not see it. But after an `await`, the caller first of all frees the context of the
 * function that it awaited, by this call. */
TM_EXPORT __attribute__((swiftcall)) void swift_task_dealloc(void *memory);
__attribute__((swiftcall)) void swift_task_dealloc(void *memory) {
  if (tm_is_tsan()) tm_tsan_acquire(current_task());
  TM_REAL(swift_task_dealloc)(memory);
}

TM_GATE_CODE_END
#endif
