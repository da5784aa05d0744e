#ifdef __linux__
#include "ground/base.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/long_lock.h"
#include "ground/spare_stack.h"
#include "ground/storage.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "threadmill_gate.h"
#include <errno.h>
#include <pthread.h>

TM_GATE_CODE_BEGIN

/* The runtime's lock: one up-call at a time. */
static tm_long_lock runtime_lock;
void tm_runtime_lock_raw(void) { tm_long_lock_take(&runtime_lock); }
bool tm_runtime_lock_within(unsigned milliseconds) {
  return tm_long_lock_take_within(&runtime_lock, milliseconds);
}
void tm_runtime_unlock_raw(void) { tm_long_lock_give(&runtime_lock); }

static tm_long_lock delivery_lock;
void tm_delivery_lock(void) { tm_long_lock_take(&delivery_lock); }
bool tm_delivery_lock_within(unsigned milliseconds) {
  return tm_long_lock_take_within(&delivery_lock, milliseconds);
}
void tm_delivery_unlock(void) { tm_long_lock_give(&delivery_lock); }

void tm_forget_locks(void) {
  tm_long_lock_forget(&runtime_lock);
  tm_long_lock_forget(&delivery_lock);
}

void tm_ignore_begin(void) {
  if (!__tsan_ignore_thread_begin) return;
  __tsan_ignore_thread_begin();
  AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
}

void tm_ignore_end(void) {
  if (!__tsan_ignore_thread_end) return;
  AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  __tsan_ignore_thread_end();
}

tm_quiet tm_quiet_begin(void) {
  tm_quiet before = {.error = errno};
  bool keeps = tm_self && tm_self->ground.keeps_going;
  if (!keeps) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before.cancellation);
  else before.cancellation = PTHREAD_CANCEL_DISABLE;
  tm_ignore_begin();
  return before;
}

void tm_quiet_end(tm_quiet before) {
  tm_ignore_end();
  if (before.cancellation != PTHREAD_CANCEL_DISABLE)
    pthread_setcancelstate(before.cancellation, NULL);
  errno = before.error;
}

tm_quiet tm_upcall_begin(tm_thread *t) {
  t->ground.inside++;
  tm_quiet before = tm_quiet_begin();
  tm_runtime_lock_raw();
  return before;
}

static atomic_bool promised;
void tm_promise(void) { atomic_store(&promised, true); }

static void settle(void *unused) {
  (void)unused;
  tm_listening.settle();
}

/* Detect, leave, then deliver: a delivery runs without the runtime's lock, with room on the stack.
 */
void tm_upcall_end(tm_thread *t, tm_quiet before) {
  tm_runtime_unlock_raw();
  if (TM_UNLIKELY(atomic_load_explicit(&promised, memory_order_relaxed)) &&
      atomic_exchange(&promised, false))
    tm_run_with_room(settle, NULL);
  tm_quiet_end(before);
  t->ground.inside--;
}

void tm_enter_harness(void) {
  if (tm_self) tm_self->ground.inside++;
  tm_ignore_begin();
}

void tm_leave_harness(void) {
  tm_ignore_end();
  if (tm_self) tm_self->ground.inside--;
}

void tm_runtime_lock(void) {
  tm_enter_harness();
  tm_runtime_lock_raw();
}

void tm_runtime_unlock(void) {
  tm_runtime_unlock_raw();
  tm_leave_harness();
}

TM_GATE_CODE_END
#endif
