#ifdef __linux__
#include "ground/base.h"
#include "observe/nested.h"
#include "code/stack.h"
#include "ground/brackets.h"
#include "ground/facts.h"
#include "ground/fork_mark.h"
#include "ground/layout.h"
#include "ground/thread.h"
#include "object/object.h"
#include "object/owned.h"
#include "observe/lock_misuse.h"
#include "observe/no_lock.h"
#include "strand/contexts.h"
#include "strand/hold.h"
#include "strand/operation.h"
#include "strand/part.h"
#include "strand/swift_task.h"
#include "strand/thread.h"
#include "tell/familiar.h"
#include "tell/known_orders.h"
#include "tell/postponed.h"
#include "tell/view.h"
#include "threadmill_decisions.h"
#include "threadmill_gate.h"
#include "threadmill_views.h"

TM_GATE_CODE_BEGIN

/* Removes holds of locks that the thread no longer owns, so that no conclusion is drawn from
 * them. */
static void drop_stale(tm_thread *t) {
  for (uint32_t i = t->holds.held_count; i-- > 0;)
    if (!tm_still_owns(t, &t->held.locks[i])) tm_hold_remove(t, &t->held.locks[i]);
}

/* Returns whether threads or processes other than the owner may release the lock. */
static bool others_release(const tm_operation *op) {
  if (op->kind == TM_MUTEX && tm_is_shared_mutex(op->object)) return true;
  if (op->kind == TM_RWLOCK && tm_is_shared_rwlock(op->object)) return true;
  tm_object *o = tm_object_find(op->object);
  if (!o) return false;
  bool is_no_lock = o->flags & TM_OBJECT_NO_LOCK;
  tm_object_release(op->object);
  return is_no_lock;
}

static tm_relock_result relock(const tm_hold *h, const tm_operation *op) {
  return tm_relock(
      (tm_relock_signs){.kind = op->kind,
                        .held = h->mode,
                        .wanted = op->mode,
                        .recursive = tm_is_recursive(op),
                        .checks_errors = op->kind == TM_MUTEX &&
                                         tm_mutex_type(op->object) == PTHREAD_MUTEX_ERRORCHECK_NP,
                        .others_release = others_release(op)});
}

static bool take_again(tm_thread *t, tm_hold *h, tm_operation *op) {
  tm_relock_result result = relock(h, op);
  if (result == TM_RELOCK_COUNTS) op->again = true;
  if (result != TM_RELOCK_HANGS) return true;
  tm_thread_view view;
  tm_quiet before = tm_upcall_begin(t);
  tm_view_self(t, op->frame, op, &tm_upcall_room, &view);
  tm_tell_certain(&view, TM_RELOCK, NULL, 0);
  tm_upcall_end(t, before);
  op->pretended = tm_settings_now.continue_after_reentry;
  return !tm_settings_now.continue_after_reentry;
}

static void tell_or_postpone(tm_thread *t, tm_operation *op) {
  tm_thread_view view;
  tm_view_note_self(t, op->frame, op, &tm_upcall_room, &view);
  for (uint32_t i = 0; i < t->holds.held_count; i++)
    if (t->held.locks[i].kind == TM_TASK_STATUS_LOCK) tm_postponed_tell();
  if (op->kind == TM_TASK_STATUS_LOCK && tm_postpone(t, &view)) return;
  tm_tell_nested(&view, &tm_upcall_room);
}

/* Names the order by places instead of objects, so that the name is the same in each schedule of an
 * exploration. */
static uint64_t name_of_order(const tm_thread *t, const tm_operation *op) {
  uint64_t name = tm_mix(tm_mix(op->kind, op->site[0]), op->site[1]);
  for (uint32_t i = 0; i < t->holds.held_count; i++)
    name = tm_mix(tm_mix(name, t->held.locks[i].site[0]), t->held.locks[i].site[1]);
  return name | 1;
}

/* Jitter and the picture of all orders need to hear of each one. */
static bool is_familiar(tm_thread *t, const tm_operation *op, const void *task) {
  return !t->ground.explored && !tm_settings_now.all_nestings && tm_is_familiar(t, op, task);
}

/* A context that was not seen before. Returns false if the real function must not be called.
 * Computes the operation's context anew if a hold is removed. */
TM_SLOW bool tm_nested(tm_thread *t, tm_operation *op) {
  if (TM_UNLIKELY(tm_is_copy())) {
    atomic_store(&tm_active, false);
    return true;
  }
  uint32_t before = t->holds.held_count;
  drop_stale(t);
  if (!op->context || t->holds.held_count != before)
    op->context = tm_context(t, op->object, op->kind, op->mode);
  if (t->holds.held_count == 0) return true;
  tm_hold *h = tm_hold_find(t, op->object);
  if (h) return take_again(t, h, op);
  tm_context_remember(t, op->context);
  if (TM_UNLIKELY(t->ground.explored) && tm_is_order_known(name_of_order(t, op))) return true;
  void *task = tm_swift_task();
  if (task) tm_swift_task_learn_of(t, task);
  if (is_familiar(t, op, task)) return true;
  tm_quiet quiet = tm_upcall_begin(t);
  tm_familiar_tell();
  tell_or_postpone(t, op);
  tm_upcall_end(t, quiet);
  return true;
}

/* Orders a section of a mutex that is used with a condition after the thread that signalled. */
void tm_ordered_section_begins(tm_thread *t, const tm_operation *op) {
  if (op->kind == TM_MUTEX) tm_object_take_stamp(t, op->object);
}

TM_SLOW void tm_release_failed(tm_thread *t, const void *object, tm_kind kind, void *frame) {
  tm_operation op = {.object = object, .kind = kind, .mode = TM_EXCLUSIVE, .frame = frame};
  tm_site_take_near(t, frame, op.site);
  tm_hold_push(t, &op, 0);
}

/* Handles a release by a thread that does not hold the object. If another thread holds it, the
 * object is not used as a lock: work under it is no critical section, and gives no lock order. */
TM_SLOW void tm_released_elsewhere(tm_thread *t, tm_operation *op) {
  bool held = false;
  tm_unlocks_unheld(t, op);
  for (tm_thread *u = tm_thread_first(); u && !held; u = tm_thread_next(u))
    held = u != t && tm_is_live(u) && tm_hold_find(u, op->object);
  if (held) tm_object_is_no_lock(t, op->object, op->kind);
}

TM_GATE_CODE_END
#endif
