#ifdef __linux__
#include "control.h"
#include "attention.h"
#include "caller.h"

TM_GATE_CODE_BEGIN

/* What Swift's tasks do that is no call of libdispatch. */

/* The runtime asks it where code of the main actor begins. A block of the main queue that is under
 * control runs on another thread than the main one. */
TM_EXPORT void dispatch_assert_queue(dispatch_queue_t queue) {
  if (TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)) &&
      tm_control_is_on(queue))
    return;
  TM_REAL(dispatch_assert_queue)(queue);
}

/* A task goes on to another actor, or away from one: as long as nobody else wants that one, it does
 * so at once, on the same thread and without a new job. */

#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))

static void going_to(const void *actor, void *goes_on) {
  tm_seat *s = tm_seat_here();
  if (!s || s->flow->launched || tm_caller_of(s->thread, goes_on) != TM_CALLER_USER) return;
  s->point = true;
  tm_control_step(s, TM_STEP_HOP, actor, NULL, goes_on, 0);
}

TM_EXPORT SWIFT_ASYNC void swift_task_switch(CONTEXT void *at, void *goes_on, void *actor,
                                             void *witness);
SWIFT_ASYNC void swift_task_switch(CONTEXT void *at, void *goes_on, void *actor, void *witness) {
  if (TM_UNLIKELY(atomic_load_explicit(&tm_controlling, memory_order_relaxed)))
    going_to(actor, goes_on);
  __attribute__((musttail)) return TM_REAL(swift_task_switch)(at, goes_on, actor, witness);
}

TM_GATE_CODE_END
#endif
