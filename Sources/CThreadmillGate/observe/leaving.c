#ifdef __linux__
#include "ground/base.h"
#include "observe/leaving.h"
#include "ground/foundation.h"
#include "ground/thread.h"
#include "ground/tsan.h"
#include "object/object.h"
#include "strand/edge.h"
#include "threadmill_events.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* The queue's two moments, for TSan and for the gate's clocks: addresses inside the queue. */
static const void *ends(const void *queue) { return queue; }
static const void *begins(const void *queue) { return (const char *)queue + sizeof(uint64_t); }

static void leave(tm_thread *t, const void *moment) {
  tm_tsan_release(moment);
  tm_object_leave_knowledge(t, moment, TM_OPERATION);
}

static void take_over(tm_thread *t, const void *moment) {
  tm_tsan_acquire(moment);
  tm_object_take_stamp(t, moment);
}

void tm_leaving_begin(tm_thread *t, const void *operation, tm_leaving *l) {
  const void *queue = tm_operation_queue(operation);
  const void *mutex = queue ? tm_operation_queue_mutex(queue) : NULL;
  *l = (tm_leaving){operation, queue, mutex, false, t->observe.leaving};
  t->observe.leaving = l;
}

void tm_leaving_end(tm_thread *t, const tm_leaving *l) { t->observe.leaving = l->outer; }

static bool leaves_by(const tm_leaving *l, const tm_operation *op) {
  return op->action == TM_ACQUIRE && op->object == l->mutex &&
         tm_operation_now(l->operation) == TM_STATE_FINISHED;
}

void tm_leaving_before(tm_thread *t, tm_operation *op) {
  if (!tm_fibres_on) return;
  tm_leaving *l = t->observe.leaving;
  if (!l->apart && leaves_by(l, op)) {
    leave(t, ends(l->queue));
    if (tm_operation_queue_is_serial(l->queue)) leave(t, begins(l->queue));
    if (tm_is_tsan()) AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    l->apart = true;
  }
  if (l->apart) op->orders = false;
}

void tm_leaving_after(tm_thread *t, const tm_operation *op) {
  tm_leaving *l = t->observe.leaving;
  if (!l->apart || op->action != TM_RELEASE || op->object != l->mutex) return;
  if (tm_is_tsan()) AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  l->apart = false;
}

const void *tm_adding_begin(tm_thread *t, const void *queue) {
  const void *before = t->observe.adding;
  t->observe.adding = tm_fibres_on && tm_operation_queue_mutex(queue) ? queue : NULL;
  return before;
}

void tm_adding_end(tm_thread *t, const void *before) { t->observe.adding = before; }

void tm_operations_may_begin(tm_thread *t, const void *queue) { leave(t, begins(queue)); }
void tm_operations_begin(tm_thread *t, const void *queue) { take_over(t, begins(queue)); }
void tm_operations_are_seen(tm_thread *t, const void *queue) { take_over(t, ends(queue)); }

void tm_operations_forget(const void *queue) {
  tm_object_forget(ends(queue));
  tm_object_forget(begins(queue));
}

TM_GATE_CODE_END
#endif
